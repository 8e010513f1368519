import type { TestApp } from './app.ts'

/** Tables to which a write and its undo both add rows. */
const historyTables = ['changesets', 'change_groups', 'journal', 'skipped_rows']

/** Tables whose rows may be written at any time, by jobs or as a consequence of jobs. */
const tablesOfJobs = ['object_texts', 'object_text_parts', 'object_thumbnails', 'record_use', 'unjournaled_writes']

/**
 * Returns all rows of an owner by table, read without row security and without the columns that an undo does not restore or a job computes.
 * With `onlyJournaled` it leaves out the tables that an undo does not restore.
 */
export async function readOwnedRows(app: TestApp, owner: string, { onlyJournaled = false } = {}): Promise<Record<string, unknown[]>> {
  const tables = (await listOwnedTables(app)).filter(
    ({ name, isJournaled }) => (isJournaled || !onlyJournaled) && !tablesOfJobs.includes(name),
  )
  const selects = tables.map(
    ({ name, key }) =>
      `select '${name}' as name, to_jsonb(t) - '{version,updated_at,last_seen_at,last_used_at,sha256}'::text[] as row from ${name} t where ${key} = $1`,
  )
  const { rows } = await app.tableOwner.query<{ name: string; row: unknown }>(`${selects.join(' union all ')} order by name, row`, [owner])
  const rowsByTable: Record<string, unknown[]> = Object.fromEntries(tables.map(({ name }) => [name, []]))
  for (const { name, row } of rows) rowsByTable[name]?.push(row)
  return rowsByTable
}

type OwnedTable = { name: string; key: string; isJournaled: boolean }

/** Returns the tables whose rows have an owner, without partitions. `key`: the column with the owner's id. */
export async function listOwnedTables(app: TestApp, { withHistory = false } = {}): Promise<OwnedTable[]> {
  const { rows } = await app.tableOwner.query<OwnedTable>(
    `select c.relname as name, a.attname as key, obj_description(c.oid, 'pg_class') is distinct from 'owned, not journaled' as "isJournaled" from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = case when c.relname = 'users' then 'id' else 'user_id' end
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
  return rows.filter(({ name }) => withHistory || !historyTables.includes(name))
}
