import type pg from 'pg'
import type { MailTopic, OutboxMail } from '#contract/outbox.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { enqueue } from '#server/platform/jobs/enqueue.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import type { Message } from '#server/platform/mail/message.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { outboxJob } from './job-type.ts'

/**
 * A mail to one address. `replyTo` is the address that gets the replies, `about` the record that the owner opens from the mail. Of the
 * mails of one `series` to one address about one record, only the newest is sent. No mail is sent after `expiresAt`.
 */
export type NewMail = Pick<Message, 'to' | 'subject' | 'text' | 'replyTo' | 'calendar'> & {
  about: Omit<MailTopic, 'parent_id'> & { parent_id?: string }
  series?: 'to visitor' | 'to owner'
  expiresAt?: Date
}

/** The problem of a mail while no mail server is configured. */
export const offProblem = 'Not sent: no mail server configured'

/** The problem of a mail whose job has ended without it. After a crash it is unknown whether the mail server had accepted the mail. */
const abandonedProblem = 'Perhaps not sent: all attempts broke off because of errors of the server'

/**
 * Stores a mail and adds the job that sends it, in the open transaction. Without a mail server there is no job, and the mail is `off` at
 * once: its owner can send it later.
 */
export const addMail = (mail: Pick<Mail, 'isConfigured'>, owner: string, newMail: NewMail): Promise<void> =>
  addMails(mail, owner, [newMail])

/** Like `addMail`, for several mails in one statement. */
export async function addMails({ isConfigured }: Pick<Mail, 'isConfigured'>, owner: string, list: readonly NewMail[]): Promise<void> {
  const outcome = isConfigured ? { state: 'waiting', problem: '' } : { state: 'off', problem: offProblem }
  const rows = list.map(({ to, subject, text, replyTo = '', calendar, about, series = '', expiresAt }) => ({
    id: newId(),
    to_address: to,
    reply_to: replyTo,
    subject,
    content: text,
    calendar: calendar?.content ?? '',
    calendar_method: calendar?.method ?? '',
    about_kind: about.kind,
    about_id: about.id,
    about_parent_id: about.parent_id,
    series,
    expires_at: expiresAt,
    ...outcome,
  }))
  const columns = `id, to_address, reply_to, subject, content, calendar, calendar_method, about_kind, about_id, about_parent_id, series,
    expires_at, state, problem`
  await Promise.all([
    sql(`insert into outbox_mails (user_id, ${columns}) select $1, ${columns} from json_populate_recordset(null::outbox_mails, $2)`, [
      owner,
      JSON.stringify(rows),
    ]),
    ...(isConfigured ? rows.map(({ id }) => enqueue(outboxJob, { id }, { key: id })) : []),
  ])
}

type ListQuery = { state?: string | undefined; about?: string | undefined; before?: string | undefined; limit: number }

/** Reads the mails that are older than `before`, newest first. */
export async function listMails(
  owner: string,
  { state, about, before, limit }: ListQuery,
  now: Date,
): Promise<{ rows: OutboxMail[]; more: boolean }> {
  const rows = await sql<OutboxMail>(
    `select id, created_at, to_address, subject, content, state, problem, sent_at, null as next_attempt_at,
       ${replacedCondition} or coalesce(expires_at <= $6, false) as is_outdated,
       case when about_id is not null then json_build_object('kind', about_kind, 'id', about_id, 'parent_id', about_parent_id) end as about
     from outbox_mails m
     where user_id = $1 and ($2::uuid is null or id < $2) and ($3::text is null or state = $3) and ($4::uuid is null or about_id = $4)
     order by id desc limit $5`,
    [owner, before ?? null, state ?? null, about ?? null, limit + 1, now],
  )
  const page = rows.slice(0, limit)
  const nextAttempts = await readNextAttempts(
    page.filter((mail) => mail.state === 'waiting').map(({ id }) => id),
    now,
  )
  return { rows: page.map((mail) => ({ ...mail, next_attempt_at: nextAttempts.get(mail.id) ?? null })), more: rows.length > limit }
}

/** Returns the times of the next attempts by the ids of the mails. Mails that are sent now are left out. */
async function readNextAttempts(ids: readonly string[], now: Date): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const runs = await sql<{ key: string; run_at: string }>(
    `select key, run_at from jobs.next_runs($1, $2) where run_at > $3 and run_at < 'infinity'`,
    [outboxJob.name, ids, now],
  )
  return new Map(runs.map(({ key, run_at }) => [key, run_at]))
}

/**
 * Sends a mail that was not sent, and tries a waiting one at once. Does nothing for a mail that was sent. Throws `not_found`, `mail_off`
 * without a mail server, and `invalid` if the content of the mail is out of date.
 */
export async function sendAgain(
  { database, mail, now }: Pick<AppContext, 'database' | 'mail' | 'now'>,
  caller: Caller,
  id: string,
): Promise<void> {
  await database.transaction(caller, 'Sent mail', async () => {
    if ((await lockMail(caller.owner, id)) === 'sent') return
    if (!mail.isConfigured) throw new Refusal('mail_off')
    const stored = await readMail(caller.owner, id)
    const outdated = stored && findOutdated(stored, now())
    if (outdated !== undefined) throw new Refusal('invalid', { detail: `This mail cannot be sent any more: ${outdated}.` })
    await sql(`update outbox_mails set state = 'waiting', problem = '', queued_at = $3 where user_id = $1 and id = $2`, [
      caller.owner,
      id,
      now(),
    ])
    await enqueue(outboxJob, { id }, { key: id })
  })
}

/** Stops the attempts to send a waiting mail. Does nothing for other mails. Throws `not_found`. */
export async function giveUp({ database }: Pick<AppContext, 'database'>, caller: Caller, id: string): Promise<void> {
  await database.transaction(caller, 'Gave up mail', async () => {
    if ((await lockMail(caller.owner, id)) !== 'waiting') return
    await sql(`update outbox_mails set state = 'given_up' where user_id = $1 and id = $2`, [caller.owner, id])
  })
}

/** Blocks other changes of a mail until the end of the transaction, and returns its state. Throws `not_found`. */
async function lockMail(owner: string, id: string): Promise<OutboxMail['state']> {
  const [row] = await sql<Pick<OutboxMail, 'state'>>('select state from outbox_mails where user_id = $1 and id = $2 for update', [
    owner,
    id,
  ])
  if (!row) throw new Refusal('not_found')
  return row.state
}

/** The condition that there is a newer mail of the series of the mail `m`. */
const replacedCondition = `m.series <> '' and exists (select from outbox_mails n where n.user_id = m.user_id and n.about_id = m.about_id and n.id > m.id
  and n.series = m.series and lower(n.to_address) = lower(m.to_address))`

/** The mail of a job with its state, the time since which it waits, and whether there is a newer mail of its series. */
export type StoredMail = {
  message: Message
  state: OutboxMail['state']
  queuedAt: string
  expiresAt: string | null
  isReplaced: boolean
}

/** Reads the mail of a job; undefined if it was deleted. */
export async function readMail(owner: string, id: string): Promise<StoredMail | undefined> {
  const [row] = await sql<
    Record<'to_address' | 'reply_to' | 'subject' | 'content' | 'calendar', string> & {
      calendar_method: '' | 'REQUEST' | 'CANCEL'
      state: OutboxMail['state']
      queued_at: string
      expires_at: string | null
      is_replaced: boolean
    }
  >(
    `select to_address, reply_to, subject, content, calendar, calendar_method, state, queued_at, expires_at, ${replacedCondition} as is_replaced
     from outbox_mails m where user_id = $1 and id = $2`,
    [owner, id],
  )
  if (!row) return undefined
  const { calendar_method: method } = row
  return {
    state: row.state,
    queuedAt: row.queued_at,
    expiresAt: row.expires_at,
    isReplaced: row.is_replaced,
    message: {
      to: row.to_address,
      subject: row.subject,
      text: row.content,
      ...(row.reply_to !== '' && { replyTo: row.reply_to }),
      ...(method !== '' && { calendar: { method, content: row.calendar } }),
    },
  }
}

/** Returns why a mail must not be sent because its content is out of date; undefined if it may be sent. */
export function findOutdated({ isReplaced, expiresAt }: Pick<StoredMail, 'isReplaced' | 'expiresAt'>, now: Date): string | undefined {
  if (isReplaced) return 'a newer mail about the same booking replaced it'
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime() ? 'it was about a time that is over now' : undefined
}

/** The state of a mail after an attempt. `sentAt`: null if not sent. */
type AttemptResult = Pick<OutboxMail, 'state' | 'problem'> & { sentAt: Date | null }

/**
 * Stores the state of a mail after an attempt. A state other than `sent` is stored only if the mail still waits since `queuedAt`, the value
 * before the attempt: during the attempt the owner may have given the mail up or queued it again, and that state then stays.
 */
export const setState = (owner: string, id: string, queuedAt: string, { state, problem, sentAt }: AttemptResult): Promise<unknown> =>
  sql(
    `update outbox_mails set state = $4, problem = $5, sent_at = $6
     where user_id = $1 and id = $2 and ($4 = 'sent' or state = 'waiting' and queued_at = $3)`,
    [owner, id, queuedAt, state, problem, sentAt],
  )

const maxAgeDays = 90

/** Deletes mails after 90 days. `tableOwner` connects as the role that owns the tables. */
export async function deleteOldMails(tableOwner: pg.Pool, now: Date): Promise<void> {
  await tableOwner.query('delete from outbox_mails where created_at < $1', [new Date(now.getTime() - maxAgeDays * 24 * 60 * 60 * 1000)])
}

/**
 * Marks the waiting mails whose job is not retried any more as failed, because such a job cannot do it. Leaves out locked mails, because
 * the deletion of their account may take minutes. `tableOwner` connects as the role that owns the tables.
 */
export async function markAbandonedMails(tableOwner: pg.Pool): Promise<void> {
  await tableOwner.query(
    `with failed_jobs as materialized (
       select owner, key::uuid as mail_id from jobs.jobs where type = $1 and failed_at is not null
     ), abandoned as (
       select m.user_id, m.id from failed_jobs f join outbox_mails m on m.user_id = f.owner and m.id = f.mail_id
       where m.state = 'waiting' and not exists (
         select from jobs.jobs j where j.owner = m.user_id and j.type = $1 and j.key = m.id::text and j.failed_at is null)
       for update of m skip locked
     )
     update outbox_mails m set state = 'failed', problem = $2 from abandoned a where m.user_id = a.user_id and m.id = a.id`,
    [outboxJob.name, abandonedProblem],
  )
}
