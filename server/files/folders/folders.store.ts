import type { Folder, FolderRow } from '#contract/folders.ts'
import type { Condition } from '#contract/lists.ts'
import { sql } from '#server/platform/database/database.ts'
import { readPage, type Page } from '#server/platform/records/page.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { folders } from '../kind.ts'
import { addPaths } from './folder-tree.ts'

type FoldersRequest = {
  parent_folder_id?: string | undefined
  below_folder_id?: string | undefined
  search: string
  after?: string | undefined
  limit: number
}

/**
 * Reads a page of folders, sorted by name: those in `parent_folder_id`, or those at any depth in `below_folder_id`. Without both it reads
 * the folders in the root folder, or with a search the matching folders at any depth. The results of a search have paths. Throws
 * `not_found` if one of the two folders does not exist.
 */
export async function readFolders(owner: string, request: FoldersRequest, now: Date): Promise<Page<FolderRow>> {
  const { parent_folder_id: parent, below_folder_id: below, ...page } = request
  const requiredIds = [parent, below].filter((id) => id !== undefined)
  const [{ rows, next }, existing] = await Promise.all([
    readPage<Folder>(folders, owner, { ...page, filter: toConditions(request), sort: 'name', order: 'asc', now }),
    requiredIds.length === 0 ? [] : sql('select id from folders where user_id = $1 and id = any($2)', [owner, requiredIds]),
  ])
  if (existing.length < new Set(requiredIds).size) throw new Refusal('not_found')
  return { rows: page.search === '' ? rows : await addPaths(owner, rows, ({ parent_folder_id }) => parent_folder_id), next }
}

function toConditions({ parent_folder_id: parent, below_folder_id: below, search }: FoldersRequest): Condition[] {
  const conditions = [
    ...(below === undefined ? [] : [{ field: 'below_folder_id', is: [below] }]),
    ...(parent === undefined ? [] : [{ field: 'parent_folder_id', is: [parent] }]),
  ]
  return conditions.length === 0 && search === '' ? [{ field: 'parent_folder_id', empty: true }] : conditions
}

/** Reads the folders that contain this folder, outermost first, and then the folder itself. Throws `not_found`. */
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

/**
 * Makes other transactions that add, rename or move folders of this owner wait until the end of this transaction. The database functions
 * that check names of folders take the same lock.
 */
export const lockFolders = (owner: string): Promise<unknown> =>
  sql(`select pg_advisory_xact_lock(hashtextextended('folders ' || $1, 0))`, [owner])

type FolderName = { parent: string | null; name: string }

/**
 * Returns for each name the key by which names are compared, and the id of the folder with this name in its parent. The id is null if there
 * is no such folder. Either all parents must be null (the root folder), or no parent may be null.
 */
export async function findChildren(owner: string, names: readonly FolderName[]): Promise<{ id: string | null; key: string }[]> {
  const isInRoot = names[0]?.parent === null
  return sql<{ id: string | null; key: string }>(
    `with requested as (select parent, lower(name) as key, number from unnest($2::uuid[], $3::text[]) with ordinality r (parent, name, number)),
     children as materialized (
       select distinct on (parent_folder_id, lower(name)) id, parent_folder_id, lower(name) as key from folders
       where user_id = $1 and ${isInRoot ? 'parent_folder_id is null' : 'parent_folder_id = any($2)'}
       order by parent_folder_id, lower(name), id
     )
     select c.id, r.key from requested r
     left join children c on c.key = r.key and c.parent_folder_id is not distinct from r.parent order by r.number`,
    [owner, names.map(({ parent }) => parent), names.map(({ name }) => name)],
  )
}

/** Adds folders. Their names must be free in their parents. */
export async function insertFolders(owner: string, newFolders: readonly (FolderName & { id: string })[]): Promise<void> {
  await sql(
    `insert into folders (user_id, id, name, parent_folder_id)
     select $1, id, name, parent from unnest($2::uuid[], $3::text[], $4::uuid[]) added (id, name, parent)`,
    [owner, newFolders.map(({ id }) => id), newFolders.map(({ name }) => name), newFolders.map(({ parent }) => parent)],
  )
}
