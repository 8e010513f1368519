import type { Folder } from '#contract/folders.ts'
import { sql } from '#server/platform/database/database.ts'
import { readPage, type Page } from '#server/platform/records/page.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { folders } from '../kind.ts'

type FoldersRequest = { parent_folder_id?: string | undefined; after?: string | undefined; limit: number }

/** Reads a page of the folders in a folder, by name; without a parent those in the root folder. Throws `not_found` for a missing parent. */
export async function readFolders(owner: string, { parent_folder_id: parent, ...page }: FoldersRequest, now: Date): Promise<Page<Folder>> {
  const field = 'parent_folder_id'
  const filter = [parent === undefined ? { field, empty: true } : { field, is: [parent] }]
  const [rows, found] = await Promise.all([
    readPage<Folder>(folders, owner, { ...page, search: '', filter, sort: 'name', order: 'asc', now }),
    parent === undefined ? [true] : sql('select from folders where user_id = $1 and id = $2', [owner, parent]),
  ])
  if (found.length === 0) throw new Refusal('not_found')
  return rows
}

/** Reads the folders from the root folder to this one, which is the last. Throws `not_found`. */
export async function readFolderPath(owner: string, id: string): Promise<{ id: string; name: string }[]> {
  const rows = await sql<{ id: string; name: string }>(
    `with recursive above as (
       select id, name, parent_folder_id, 0 as distance from folders where user_id = $1 and id = $2
       union all
       select f.id, f.name, f.parent_folder_id, above.distance + 1 from above
       join folders f on f.user_id = $1 and f.id = above.parent_folder_id
     )
     select id, name from above order by distance desc`,
    [owner, id],
  )
  if (rows.length === 0) throw new Refusal('not_found')
  return rows
}

/** Makes writers of this owner's folder names wait for each other until the end of the transaction, as the rules of the kind do. */
export const lockFolders = (owner: string): Promise<unknown> =>
  sql(`select pg_advisory_xact_lock(hashtextextended('folders ' || $1, 0))`, [owner])

type FolderName = { parent: string | null; name: string }

/**
 * Returns for each name the folder with this name in its parent, null if there is none, and the key by which names are compared. Either all
 * parents are folders or all are the root folder.
 */
export async function findChildren(owner: string, wanted: readonly FolderName[]): Promise<{ id: string | null; key: string }[]> {
  const isInRoot = wanted[0]?.parent === null
  return sql<{ id: string | null; key: string }>(
    `with wanted as (select parent, lower(name) as key, number from unnest($2::uuid[], $3::text[]) with ordinality w (parent, name, number)),
     children as materialized (
       select distinct on (parent_folder_id, lower(name)) id, parent_folder_id, lower(name) as key from folders
       where user_id = $1 and ${isInRoot ? 'parent_folder_id is null' : 'parent_folder_id = any($2)'}
       order by parent_folder_id, lower(name), id
     )
     select c.id, w.key from wanted w
     left join children c on c.key = w.key and c.parent_folder_id is not distinct from w.parent order by w.number`,
    [owner, wanted.map(({ parent }) => parent), wanted.map(({ name }) => name)],
  )
}

/** Adds folders whose names are free. */
export async function insertFolders(owner: string, added: readonly (FolderName & { id: string })[]): Promise<void> {
  await sql(
    `insert into folders (user_id, id, name, parent_folder_id)
     select $1, id, name, parent from unnest($2::uuid[], $3::text[], $4::uuid[]) added (id, name, parent)`,
    [owner, added.map(({ id }) => id), added.map(({ name }) => name), added.map(({ parent }) => parent)],
  )
}
