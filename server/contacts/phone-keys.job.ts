import type pg from 'pg'
import * as z from 'zod/mini'
import { defineJobType } from '#server/platform/jobs/enqueue.ts'
import { handleJobs, type JobHandler } from '#server/platform/jobs/handler.ts'
import { namesCountry, phoneKey } from './phones.ts'

const batchSize = 1000
const lowestId = '00000000-0000-0000-0000-000000000000'
/** Returns the opposite of `namesCountry` as SQL. */
const isNational = (column: string): string => `(${column} <> '' and ${column} !~ '^[^0-9+]*\\+')`

/** The job is added by a database trigger when the country of a profile changes. */
const phoneKeysJob = defineJobType('phone keys', z.object({}))

/**
 * Recomputes the keys of an owner's national numbers for the country of the profile, both in contacts and in the journal, from which undo and
 * restore take values. Keys are derived values, so the role that owns the tables writes them without a change set.
 */
export const handlePhoneKeyJobs = (tableOwner: pg.Pool): JobHandler =>
  handleJobs(phoneKeysJob, async ({ owner }, signal) => {
    const { rows } = await tableOwner.query<{ country: string }>('select country from profiles where user_id = $1', [owner])
    const country = rows[0]?.country ?? ''
    for (let id: string | undefined = lowestId; id !== undefined;) {
      signal.throwIfAborted()
      id = await updateContacts(tableOwner, owner, country, id)
    }
    for (let position: Position | undefined = { change: lowestId, step: '0', line: 0 }; position;) {
      signal.throwIfAborted()
      position = await updateJournal(tableOwner, owner, country, position)
    }
  })

type Numbers = { phone: string; mobile_phone: string; phone_key: string; mobile_phone_key: string }
type Numbered = Numbers & { id: string }

/** Updates a batch. Returns the id of its last contact, or undefined at the end. Concurrently edited contacts already have the new keys. */
async function updateContacts(pool: pg.Pool, owner: string, country: string, after: string): Promise<string | undefined> {
  const { rows } = await pool.query<Numbered>(
    `select id, phone, mobile_phone, phone_key, mobile_phone_key from crm_contacts
     where user_id = $1 and id > $2 and (${isNational('phone')} or ${isNational('mobile_phone')}) order by id limit $3`,
    [owner, after, batchSize],
  )
  const read = rows.map((row) => ({ ...row, ...keysOf(row, country) }))
  await pool.query(
    `with read as (select * from json_populate_recordset(null::crm_contacts, $2)),
       held as (select c.id from crm_contacts c join read using (id) where c.user_id = $1 order by c.id for update of c)
     update crm_contacts c set phone_key = read.phone_key, mobile_phone_key = read.mobile_phone_key from read join held using (id)
     where c.user_id = $1 and c.id = read.id and c.phone = read.phone and c.mobile_phone = read.mobile_phone
       and (c.phone_key, c.mobile_phone_key) is distinct from (read.phone_key, read.mobile_phone_key)`,
    [owner, JSON.stringify(read)],
  )
  return rows.at(-1)?.id
}

type Image = Partial<Record<string, unknown>> | null
type Position = { change: string; step: string; line: number }
type Entry = Position & { before: Image; after: Image }

/**
 * Updates the keys in the journal. Otherwise an undo would treat the keys as edited since, or restore keys of another country. Writes only
 * the keys, so that an entry that the purge has emptied meanwhile stays empty.
 */
async function updateJournal(
  pool: pg.Pool,
  owner: string,
  country: string,
  { change, step, line }: Position,
): Promise<Position | undefined> {
  const { rows } = await pool.query<Entry>(
    `select j.change, j.step, j.line, j.before, j.after from changesets c join journal j on j.change = c.id
     where c.user_id = $1 and j.table_name = 'crm_contacts' and (j.change, j.step, j.line) > ($2, $3, $4)
       and coalesce(j.before, j.after) ?| '{phone,mobile_phone}' order by j.change, j.step, j.line limit $5`,
    [owner, change, step, line, batchSize],
  )
  const read = rows.map((row) => ({ ...row, before: keysOf(row.before ?? {}, country), after: keysOf(row.after ?? {}, country) }))
  await pool.query(
    `update journal j set before = j.before || read.before, after = j.after || read.after
     from json_to_recordset($1) read (change uuid, step bigint, line int, before jsonb, after jsonb)
     where (j.change, j.step, j.line) = (read.change, read.step, read.line)
       and (j.before, j.after) is distinct from (j.before || read.before, j.after || read.after)`,
    [JSON.stringify(read)],
  )
  return rows.at(-1)
}

/** Returns the keys of the national numbers. */
function keysOf(numbers: Partial<Record<string, unknown>>, country: string): Partial<Numbers> {
  const keys: Partial<Numbers> = {}
  const { phone, mobile_phone } = numbers
  if (typeof phone === 'string' && !namesCountry(phone)) keys.phone_key = phoneKey(phone, country)
  if (typeof mobile_phone === 'string' && !namesCountry(mobile_phone)) keys.mobile_phone_key = phoneKey(mobile_phone, country)
  return keys
}
