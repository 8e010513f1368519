import type { ImportKind } from '#contract/imports.ts'
import { recordKinds } from '#contract/kinds.ts'
import { deleteObject } from '#server/files/files.ts'
import { sql, type Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { closeGroup } from '#server/platform/journal/groups.ts'

/** How an import ends. `problem`: why it failed, in a sentence. */
export type EndOfImport = { status: 'finished' | 'stopped' } | { status: 'failed'; problem: string }

type Ended = { kind: ImportKind; object_id: string | null; change_id: string | null; created: number; updated: number }

/**
 * Ends an import that runs: finishes its change group, and deletes its file, its preview and the names of managers to link. Does nothing if
 * the import does not run any more.
 */
export const endImport = (database: Database, caller: Caller, id: string, end: EndOfImport): Promise<void> =>
  database.transaction(caller, '', async () => {
    const problem = end.status === 'failed' ? end.problem : ''
    const [ended] = await sql<Ended>(
      `update imports i set status = $3, problem = $4, finished_at = now(), object_id = null, found = jsonb_set(found, '{preview}', '[]')
       from (select id, object_id from imports where user_id = $1 and id = $2 and status = 'running' for update) before
       where i.user_id = $1 and i.id = before.id
       returning i.kind, before.object_id, i.change_id, i.created_count as created, i.updated_count as updated`,
      [caller.owner, id, end.status, problem],
    )
    if (!ended) return
    await sql('delete from import_links where user_id = $1 and import_id = $2', [caller.owner, id])
    if (ended.object_id !== null) await deleteObject(caller.owner, ended.object_id)
    if (ended.change_id !== null) await closeGroup(database, caller, ended.change_id, await createLabel(caller.owner, ended))
  })

/** Returns a label such as "Imported 1,204 contacts". */
async function createLabel(owner: string, ended: Ended): Promise<string> {
  const { singular, plural } = recordKinds[ended.kind]
  const written = await countRecords(owner, ended)
  return `Imported ${written.toLocaleString('en')} ${written === 1 ? singular : plural}`
}

/** Counts the records that the import has written, because several rows can be about one record. A new note belongs to its contact. */
async function countRecords(owner: string, { kind, change_id, created, updated }: Ended): Promise<number> {
  if (updated === 0) return created
  const [found] = await sql<{ count: number }>(
    `select count(distinct case table_name when 'notes' then (after ->> 'contact_id')::uuid else row_id end)::int as count
     from journal where change in (select id from changesets where user_id = $1 and group_id = $2) and table_name = any($3)`,
    [owner, change_id, [recordKinds[kind].table, 'notes']],
  )
  return found?.count ?? 0
}
