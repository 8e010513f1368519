// Reads and writes for merging two contacts.
import { sql } from '#server/platform/database/database.ts'
import { maxRecentMerges, type RecentMerge } from '#contract/duplicates.ts'
import { mergeLabel } from '#contract/contacts.ts'
import type { Fields } from '#server/platform/records/kind.ts'
import { contacts } from '../kind.ts'

/** All stored values of a contact. */
export type StoredContact = Fields & {
  id: string
  version: number
  tags: string[]
  external_id: string
  crm_connection_id: string | null
  reports_to_id: string | null
  raw_data: Fields | null
}

/** The columns that a merge writes. */
const writtenColumns = [...Object.keys(contacts.defaults), 'raw_data']

/**
 * Locks both contacts until the end of the transaction, so that nothing new can refer to them, and returns those that exist. The first lock
 * is the one that an edit of `reports_to_id` takes before it locks a contact (`app.refuse_circle`).
 */
export async function lockContacts(owner: string, ids: readonly string[]): Promise<Map<string, StoredContact>> {
  const [, rows] = await Promise.all([
    sql(`select pg_advisory_xact_lock(hashtextextended('superiors ' || app.owner()::text, 0))`),
    sql<StoredContact>(
      `select id, version, external_id, crm_connection_id, ${writtenColumns.join(', ')}
       from crm_contacts where user_id = $1 and id = any ($2) order by id for update`,
      [owner, ids],
    ),
  ])
  return new Map(rows.map((row) => [row.id, row]))
}

/** Whether the contact is one of the others, or reports to one of them, perhaps through further contacts. */
export async function isBelow(owner: string, contactId: string, others: readonly string[]): Promise<boolean> {
  const [row] = await sql<{ found: boolean }>(
    `with recursive above as (
       select id, reports_to_id from crm_contacts where user_id = $1 and id = $2
       union
       select c.id, c.reports_to_id from above join crm_contacts c on c.user_id = $1 and c.id = above.reports_to_id
     )
     select exists (select from above where id = any ($3)) as found`,
    [owner, contactId, others],
  )
  return row?.found ?? false
}

/** Writes the merged values into the contact that stays. */
export async function writeContact(owner: string, id: string, columns: Fields): Promise<void> {
  await sql(
    `update crm_contacts c set (${writtenColumns.join(', ')}) =
       (select ${writtenColumns.map((column) => `merged.${column}`).join(', ')} from jsonb_populate_record(c.*, $3) merged)
     where user_id = $1 and id = $2`,
    [owner, id, JSON.stringify(columns)],
  )
}

/** Links everything that refers to the other contact to the one that stays, and deletes the other contact. */
export async function moveLinksAndDelete(owner: string, id: string, otherId: string): Promise<void> {
  await Promise.all([
    sql('select app.move_links($1, $2, $3)', ['crm_contacts', otherId, id]),
    sql('delete from crm_contacts where user_id = $1 and id = $2', [owner, otherId]),
  ])
}

/** Gives the contact the CRM connection of the deleted contact, and its id in that CRM. */
export async function moveConnection(owner: string, id: string, { external_id, crm_connection_id }: StoredContact): Promise<void> {
  await sql('update crm_contacts set external_id = $3, crm_connection_id = $4 where user_id = $1 and id = $2', [
    owner,
    id,
    external_id,
    crm_connection_id,
  ])
}

/** Returns whether more than `max` rows refer to the contact. The function in the database stops counting above `max`. */
export async function hasMoreLinks(id: string, max: number): Promise<boolean> {
  const [row] = await sql<{ count: number }>(`select app.count_dependents('crm_contacts', array[$1::uuid], $2) as count`, [id, max])
  return row !== undefined && row.count > max
}

/** Stores that two contacts are two persons. */
export async function insertDistinctPair(owner: string, id: string, otherId: string): Promise<void> {
  await sql(`insert into distinct_contacts (user_id, contact_id, other_id) values ($1, $2, $3) on conflict do nothing`, [
    owner,
    id,
    otherId,
  ])
}

/**
 * Reads the merges of the last 30 days that were not undone, or that were undone and redone, newest first. A merge may write several
 * contacts, but only the contact that stays gets new `raw_data`.
 */
export function readRecentMerges(owner: string): Promise<RecentMerge[]> {
  const nameOf = (image: string): string => `btrim((${image} ->> 'first_name') || ' ' || (${image} ->> 'last_name'))`
  return sql<RecentMerge>(
    `select m.id as change, m.at, ${nameOf('other.before')} as other_name,
       jsonb_build_object('id', kept.row_id, 'name', coalesce(c.name, ''), 'exists', c.id is not null) as contact
     from (
       select id, at from changesets where user_id = $1 and group_id is null and id > app.uuid_floor(now() - app.undo_window())
         and label = any ($2) and not exists (select from changesets u where u.undo_of = changesets.id)
       order by id desc limit ${maxRecentMerges}
     ) m
     join lateral (
       select before from journal j where j.change = m.id and j.table_name = 'crm_contacts' and j.operation = 'D' and before is not null limit 1
     ) other on true
     join lateral (
       select row_id from journal j where j.change = m.id and j.table_name = 'crm_contacts' and j.operation = 'U' and j.after ? 'raw_data' limit 1
     ) kept on true
     left join crm_contacts c on c.user_id = $1 and c.id = kept.row_id
     order by m.id desc`,
    [owner, [mergeLabel, `Redone: ${mergeLabel}`]],
  )
}
