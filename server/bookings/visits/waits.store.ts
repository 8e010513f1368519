// The visitors who wait for a free time of a booking link.
import type pg from 'pg'
import { sql } from '#server/platform/database/database.ts'

/**
 * A visitor who waits. The days are in the visitor's time zone. `known_times`: the free starts in ms that the visitor could have booked.
 */
export type Wait = {
  id: string
  booking_link_id: string
  email: string
  timezone: string
  first_day: string
  last_day: string
  from_time: string
  until_time: string
  known_times: number[]
  email_hash: string
}

/**
 * A wait that a visitor adds. `network_hash` stands for the network whose waits are counted, `subscriber_hash` for the smallest network
 * that identifies the visitor.
 */
type NewWait = Omit<Wait, 'id' | 'email_hash'> & { name: string; network_hash: string; subscriber_hash: string }

/** The columns in the download of a workspace. */
export const waitColumns =
  'id created_at booking_link_id name email timezone first_day last_day from_time until_time known_times mailed_at'.split(' ')

/** SQL for the text that replaces an email in the links of mails, so that the links contain no readable email. */
const emailHashSql = `left(encode(sha256(convert_to(user_id || ' ' || lower(email), 'UTF8')), 'hex'), 32)`
/** The condition of waits that have not ended. $2 is the present time. */
const isOpenSql = 'mailed_at is null and until_time > $2'

const columns = `id, booking_link_id, email, timezone, to_char(first_day, 'YYYY-MM-DD') as first_day, to_char(last_day, 'YYYY-MM-DD') as last_day,
  from_time, until_time, known_times, ${emailHashSql} as email_hash`

/** Blocks other transactions of the owner that add waits, until the end of this transaction. */
export const lockWaits = (owner: string): Promise<unknown> =>
  sql(`select pg_advisory_xact_lock(hashtextextended('booking waits ' || $1::text, 0))`, [owner])

/**
 * Stores that a visitor waits, and returns the id. A wait for the same days with this email is renewed if its mail was sent, or if it has
 * the same `subscriber_hash`. Otherwise it belongs to somebody else, perhaps to the owner of the email: nothing is stored, and undefined is
 * returned. A renewed wait whose mail was sent gets a new id, because another visitor may have the links of the old id.
 */
export async function storeWait(owner: string, wait: NewWait): Promise<string | undefined> {
  const { booking_link_id: link, name, email, timezone, first_day: first, last_day: last, from_time: from, until_time: until } = wait
  const [row] = await sql<{ id: string }>(
    `insert into booking_waits
       (user_id, booking_link_id, name, email, timezone, first_day, last_day, from_time, until_time, known_times, network_hash, subscriber_hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (user_id, booking_link_id, lower(email), first_day, last_day) do update set name = excluded.name,
       id = case when booking_waits.mailed_at is null then booking_waits.id else excluded.id end,
       timezone = excluded.timezone, from_time = excluded.from_time, until_time = excluded.until_time, known_times = excluded.known_times,
       network_hash = excluded.network_hash, subscriber_hash = excluded.subscriber_hash, mailed_at = null
       where booking_waits.mailed_at is not null or booking_waits.subscriber_hash = excluded.subscriber_hash
     returning id`,
    [
      owner,
      link,
      name,
      email,
      timezone,
      first,
      last,
      from,
      until,
      JSON.stringify(wait.known_times),
      wait.network_hash,
      wait.subscriber_hash,
    ],
  )
  return row?.id
}

/** The numbers of open waits: of an email, of an email from one network, of a link, and of a link from one network. */
type WaitCounts = { of_email: number; of_email_and_network: number; of_link: number; of_link_and_network: number }

type CountedWait = Pick<NewWait, 'booking_link_id' | 'email' | 'first_day' | 'last_day' | 'network_hash'>

/** Counts the open waits with this owner, without the one that the new wait renews. */
export async function countWaits(
  owner: string,
  { booking_link_id: link, email, first_day: first, last_day: last, network_hash: network }: CountedWait,
  now: Date,
): Promise<WaitCounts> {
  const [row] = await sql<WaitCounts>(
    `select count(*) filter (where has_email) as of_email, count(*) filter (where has_email and network_hash = $5) as of_email_and_network,
       count(*) filter (where booking_link_id = $3) as of_link,
       count(*) filter (where booking_link_id = $3 and network_hash = $5) as of_link_and_network
     from (select *, lower(email) = lower($4) as has_email from booking_waits where user_id = $1 and ${isOpenSql}) w
     where not (has_email and booking_link_id = $3 and first_day = $6 and last_day = $7)`,
    [owner, now, link, email, network, first, last],
  )
  return row ?? { of_email: 0, of_email_and_network: 0, of_link: 0, of_link_and_network: 0 }
}

/** Reads one wait; undefined if it was stopped or has ended. */
export async function findWait(owner: string, id: string, now: Date): Promise<Wait | undefined> {
  const [wait] = await sql<Wait>(`select ${columns} from booking_waits where user_id = $1 and ${isOpenSql} and id = $3`, [owner, now, id])
  return wait
}

/** Reads the open waits of an email. */
export const listWaitsOf = (owner: string, hash: string, now: Date): Promise<Wait[]> =>
  sql<Wait>(`select ${columns} from booking_waits where user_id = $1 and ${isOpenSql} and ${emailHashSql} = $3 order by first_day, id`, [
    owner,
    now,
    hash,
  ])

/** Returns the ids of the booking links of a wait, or of all waits of an email, also if the waits have ended. */
export async function listLinksOfWaits(owner: string, target: { id: string } | { emailHash: string }): Promise<string[]> {
  const [condition, value] = 'id' in target ? ['id = $2', target.id] : [`${emailHashSql} = $2`, target.emailHash]
  const rows = await sql<{ id: string }>(`select distinct booking_link_id as id from booking_waits where user_id = $1 and ${condition}`, [
    owner,
    value,
  ])
  return rows.map(({ id }) => id)
}

type SentWait = { linkId: string; email: string; date: string; days: number; subscriberHash: string }

/** Finds the wait that a page has stored, if it is one of this visitor. */
export async function findSentWait(owner: string, { linkId, email, date, days, subscriberHash }: SentWait): Promise<Wait | undefined> {
  const [wait] = await sql<Wait>(
    `select ${columns} from booking_waits where user_id = $1 and booking_link_id = $2 and lower(email) = lower($3)
       and to_char(first_day, 'YYYY-MM-DD') = $4 and last_day = first_day + $5::int - 1
       and subscriber_hash = $6`,
    [owner, linkId, email, date, days, subscriberHash],
  )
  return wait
}

/** Reads all open waits with an owner, sorted by link. */
export const listWaits = (owner: string, now: Date): Promise<Wait[]> =>
  sql<Wait>(`select ${columns} from booking_waits where user_id = $1 and ${isOpenSql} order by booking_link_id, first_day, id`, [
    owner,
    now,
  ])

/** Ends a wait, because its mail is sent. Returns false if another job has done it before, or the visitor has stopped it. */
export async function setMailed(owner: string, id: string, now: Date): Promise<boolean> {
  const rows = await sql('update booking_waits set mailed_at = $3 where user_id = $1 and id = $2 and mailed_at is null returning id', [
    owner,
    id,
    now,
  ])
  return rows.length > 0
}

/** Replaces the free starts that a visitor could have booked, so that the visitor gets a mail when a time becomes free again. */
export const setKnownTimes = (owner: string, id: string, times: readonly number[]): Promise<unknown> =>
  sql('update booking_waits set known_times = $3 where user_id = $1 and id = $2', [owner, id, JSON.stringify(times)])

/** Deletes one wait. */
export const deleteWait = (owner: string, id: string): Promise<unknown> =>
  sql('delete from booking_waits where user_id = $1 and id = $2', [owner, id])

/** Deletes all waits of an email. */
export const deleteWaitsOf = (owner: string, hash: string): Promise<unknown> =>
  sql(`delete from booking_waits where user_id = $1 and ${emailHashSql} = $2`, [owner, hash])

/**
 * Deletes the waits whose days are over, and adds a job for each owner with open waits. Leaves out an account that is being deleted, which
 * may take minutes. `tableOwner` connects as the role that owns the tables.
 */
export async function enqueueWaitJobs(tableOwner: pg.Pool, now: Date): Promise<void> {
  await tableOwner.query(
    `with past as (select user_id, id from booking_waits where until_time <= $1 for update skip locked)
     delete from booking_waits w using past p where w.user_id = p.user_id and w.id = p.id`,
    [now],
  )
  await tableOwner.query(
    `with added as (
       insert into jobs.jobs (owner, type, payload, key)
       select u.id, 'booking waits', '{}'::jsonb, 'waits' from users u
       where exists (select from booking_waits w where w.user_id = u.id and w.mailed_at is null) for key share skip locked
       on conflict do nothing returning id)
     select pg_notify('jobs', '') from added limit 1`,
  )
}
