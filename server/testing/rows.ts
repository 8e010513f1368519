import type { TestApp } from './app.ts'

/** Tables to which a write and its undo both add rows. */
const historyTables = ['changesets', 'change_groups', 'journal', 'skipped_rows']

/** Tables whose rows are written by jobs at any time. */
const tablesOfJobs = ['object_texts', 'object_text_parts', 'object_thumbnails']

/**
 * Returns all rows of an owner by table, read without row security and without the columns that an undo does not restore or a job computes.
 * With `onlyJournaled` it leaves out the tables that an undo does not restore.
 */
export async function readOwnedRows(app: TestApp, owner: string, { onlyJournaled = false } = {}): Promise<Record<string, unknown[]>> {
  const rowsByTable: Record<string, unknown[]> = {}
  for (const { name, key, isJournaled } of await listOwnedTables(app)) {
    if ((onlyJournaled && !isJournaled) || tablesOfJobs.includes(name)) continue
    const { rows } = await app.tableOwner.query<{ row: unknown }>(
      `select to_jsonb(t) - '{version,updated_at,last_seen_at,sha256}'::text[] as row from ${name} t where ${key} = $1 order by 1`,
      [owner],
    )
    rowsByTable[name] = rows.map(({ row }) => row)
  }
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
