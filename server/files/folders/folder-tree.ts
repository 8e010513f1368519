import type { FolderPath } from '#contract/folders.ts'
import type { Condition } from '#contract/lists.ts'
import { sql } from '#server/platform/database/database.ts'

const belowField = 'below_folder_id'

/**
 * Replaces conditions on `below_folder_id` by conditions on the column that holds the folder of a record: `folder_id` of files,
 * `parent_folder_id` of folders. The record is in the folder, or in any folder below it.
 */
export const resolveBelow =
  (column: 'folder_id' | 'parent_folder_id') =>
  (owner: string, filter: readonly Condition[]): Promise<readonly Condition[]> =>
    Promise.all(
      filter.map(async (condition) => {
        if (condition.field !== belowField) return condition
        return { ...condition, field: column, ...(condition.is && { is: await readFoldersBelow(owner, condition.is) }) }
      }),
    )

/** Returns the ids of these folders that exist, and of all folders below them. */
async function readFoldersBelow(owner: string, ids: readonly string[]): Promise<string[]> {
  const [found] = await sql<{ ids: string }>(
    `with recursive below as (
       select id from folders where user_id = $1 and id = any($2)
       union
       select f.id from below join folders f on f.user_id = $1 and f.parent_folder_id = below.id
     )
     select coalesce(string_agg(id::text, ','), '') as ids from below`,
    [owner, ids],
  )
  return (found?.ids ?? '').split(',').filter((id) => id !== '')
}

/** Adds to each row the path of the folder in which it is. `parentOf` returns the id of this folder, which is null in the root folder. */
export async function addPaths<R extends object>(
  owner: string,
  rows: readonly R[],
  parentOf: (row: R) => string | null,
): Promise<(R & { path: FolderPath })[]> {
  const parentIds = [...new Set(rows.flatMap((row) => parentOf(row) ?? []))]
  const paths = parentIds.length === 0 ? new Map<string | null, FolderPath>() : await readPaths(owner, parentIds)
  return rows.map((row) => ({ ...row, path: paths.get(parentOf(row)) ?? [] }))
}

/** Returns for each of these folders the folders from the root folder to it, which is the last. */
async function readPaths(owner: string, ids: readonly string[]): Promise<Map<string | null, FolderPath>> {
  const rows = await sql<{ id: string; path: FolderPath }>(
    `with recursive above as (
       select id as start_id, id, name, parent_folder_id, 0 as distance from folders where user_id = $1 and id = any($2)
       union all
       select above.start_id, f.id, f.name, f.parent_folder_id, above.distance + 1 from above
       join folders f on f.user_id = $1 and f.id = above.parent_folder_id
     )
     select start_id as id, jsonb_agg(jsonb_build_object('id', id, 'name', name) order by distance desc) as path from above group by start_id`,
    [owner, ids],
  )
  return new Map(rows.map(({ id, path }) => [id, path]))
}
