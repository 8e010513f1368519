import type { Folder } from '#contract/folders.ts'
import { sql } from '#server/platform/database/database.ts'
import { readPage, type Page } from '#server/platform/records/page.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { folders } from './kind.ts'

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
