// The key of a phone number is the number in the international format E.164, by which searches and the duplicate rule find it. The key of a
// number without a country code depends on the country of the owner's profile.
import type pg from 'pg'
import * as z from 'zod/mini'
import { lowestId } from '#server/platform/database/uuid.ts'
import { defineJobType } from '#server/platform/jobs/enqueue.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import { hasCountryCode, phoneKey } from './phones.ts'

const batchSize = 1000
/** Returns an SQL condition that is the opposite of `hasCountryCode`: the column has a number without a plus before its first digit. */
const lacksCountryCodeSql = (column: string): string => `(${column} <> '' and ${column} !~ '^[^0-9+]*\\+')`

/** A database trigger adds this job when the country of a profile changes. */
const phoneKeysJob = defineJobType('phone keys', z.object({}))

/**
 * Computes new keys, with the country of the profile, for an owner's phone numbers that have no country code. Writes the keys to contacts,
 * and also to the journal, because undo and restore write the values of the journal. Keys are derived values, so the role that owns the
 * tables writes them without a change set.
 */
export const createPhoneKeyJobHandler = (tableOwner: pg.Pool): JobHandler =>
  createJobHandler(phoneKeysJob, async ({ owner }, signal) => {
    const { rows } = await tableOwner.query<{ country: string }>('select country from profiles where user_id = $1', [owner])
    const country = rows[0]?.country ?? ''
    let id: string | undefined = lowestId
    while (id !== undefined) {
      signal.throwIfAborted()
      id = await updateContacts(tableOwner, owner, country, id)
    }
    let changes = await readChanges(tableOwner, owner, lowestId)
    while (changes.length > 0) {
      let position: Position | undefined = { change: lowestId, step: '0', line: 0 }
      while (position) {
        signal.throwIfAborted()
        position = await updateJournal(tableOwner, changes, country, position)
      }
      changes = await readChanges(tableOwner, owner, changes.at(-1) ?? lowestId)
    }
  })

type PhoneColumns = { phone: string; mobile_phone: string; phone_key: string; mobile_phone_key: string }

/**
 * Updates a batch of contacts. Returns the id of its last contact, or undefined if there was no contact left. Skips contacts that are
 * edited meanwhile, because the edit computes the new keys.
 */
async function updateContacts(pool: pg.Pool, owner: string, country: string, after: string): Promise<string | undefined> {
  const { rows } = await pool.query<PhoneColumns & { id: string }>(
    `select id, phone, mobile_phone, phone_key, mobile_phone_key from crm_contacts
     where user_id = $1 and id > $2 and (${lacksCountryCodeSql('phone')} or ${lacksCountryCodeSql('mobile_phone')}) order by id limit $3`,
    [owner, after, batchSize],
  )
  const updates = rows.map((row) => ({ ...row, ...computeKeys(row, country) }))
  await pool.query(
    `with updates as (select * from json_populate_recordset(null::crm_contacts, $2)),
       locked as (select c.id from crm_contacts c join updates using (id) where c.user_id = $1 order by c.id for update of c)
     update crm_contacts c set phone_key = u.phone_key, mobile_phone_key = u.mobile_phone_key from updates u join locked using (id)
     where c.user_id = $1 and c.id = u.id and c.phone = u.phone and c.mobile_phone = u.mobile_phone
       and (c.phone_key, c.mobile_phone_key) is distinct from (u.phone_key, u.mobile_phone_key)`,
    [owner, JSON.stringify(updates)],
  )
  return rows.at(-1)?.id
}

type RowValues = Partial<Record<string, unknown>>
/** The key of a journal line: its change set, the number of its statement (`step`), and the number of its row in the statement (`line`). */
type Position = { change: string; step: string; line: number }
type JournalRow = Position & { before: RowValues | null; after: RowValues | null }

/** Returns the ids of the owner's next change sets after `after`, at most 1,000. */
async function readChanges(pool: pg.Pool, owner: string, after: string): Promise<string[]> {
  // two partial indexes contain the change sets of an owner; one condition for both would read the change sets of all owners
  const selectNext = (condition: string): string =>
    `(select id from changesets where user_id = $1 and ${condition} and id > $2 order by id limit $3)`
  const { rows } = await pool.query<{ id: string }>(
    `select id from (${selectNext('group_id is null')} union all ${selectNext('group_id is not null')}) next order by id limit $3`,
    [owner, after, batchSize],
  )
  return rows.map(({ id }) => id)
}

/**
 * Updates the keys in a batch of rows of the journal that belong to these change sets. Without this an undo would skip the keys, because it
 * would find them edited later, or restore keys of the old country. Writes only the keys, so that a row that the monthly purge empties
 * meanwhile stays empty. Returns the position of the last row.
 */
async function updateJournal(
  pool: pg.Pool,
  changes: readonly string[],
  country: string,
  { change, step, line }: Position,
): Promise<Position | undefined> {
  const { rows } = await pool.query<JournalRow>(
    `select j.change, j.step, j.line, j.before, j.after from journal j
     where j.change = any($1) and j.table_name = 'crm_contacts' and (j.change, j.step, j.line) > ($2, $3, $4)
       and coalesce(j.before, j.after) ?| '{phone,mobile_phone}' order by j.change, j.step, j.line limit $5`,
    [changes, change, step, line, batchSize],
  )
  const updates = rows.map((row) => ({
    ...row,
    before: computeKeys(row.before ?? {}, country),
    after: computeKeys(row.after ?? {}, country),
  }))
  await pool.query(
    `update journal j set before = j.before || u.before, after = j.after || u.after
     from json_to_recordset($1) u (change uuid, step bigint, line int, before jsonb, after jsonb)
     where (j.change, j.step, j.line) = (u.change, u.step, u.line)
       and (j.before, j.after) is distinct from (j.before || u.before, j.after || u.after)`,
    [JSON.stringify(updates)],
  )
  return rows.at(-1)
}

/** Returns the keys of the numbers without a country code. */
function computeKeys({ phone, mobile_phone }: RowValues, country: string): Partial<PhoneColumns> {
  const keys: Partial<PhoneColumns> = {}
  if (typeof phone === 'string' && !hasCountryCode(phone)) keys.phone_key = phoneKey(phone, country)
  if (typeof mobile_phone === 'string' && !hasCountryCode(mobile_phone)) keys.mobile_phone_key = phoneKey(mobile_phone, country)
  return keys
}
