import type { FolderPath } from '#contract/folders.ts'
import type { Condition } from '#contract/lists.ts'
import { sql } from '#server/platform/database/database.ts'

/** The maximum size of a path in a row of a list, so that a page of 200 rows stays below a megabyte. */
const maxPathBytes = 3000
/** The size of a folder in a path without its name: the id, and the names of the fields. */
const folderBytes = 60

/** The folders that contain a row, outermost first, without the outermost ones if the path is cut. */
type RowPath = { path: FolderPath; is_path_cut: boolean }

const belowField = 'below_folder_id'

/**
 * Replaces conditions on `below_folder_id` by conditions on the column that holds the folder of a record: `folder_id` of files,
 * `parent_folder_id` of folders. The new conditions match records in the folder and in all folders below it.
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
  const [row] = await sql<{ ids: string }>(
    `with recursive below as (
       select id from folders where user_id = $1 and id = any($2)
       union
       select f.id from below join folders f on f.user_id = $1 and f.parent_folder_id = below.id
     )
     select coalesce(string_agg(id::text, ','), '') as ids from below`,
    [owner, ids],
  )
  return (row?.ids ?? '').split(',').filter((id) => id !== '')
}

/**
 * Adds to each row the path of the folder in which it is, or the last folders of a long path. `parentOf` returns the id of this folder,
 * which is null in the root folder.
 */
export async function addPaths<R extends object>(
  owner: string,
  rows: readonly R[],
  parentOf: (row: R) => string | null,
): Promise<(R & RowPath)[]> {
  const parentIds = [...new Set(rows.flatMap((row) => parentOf(row) ?? []))]
  const pathById = parentIds.length === 0 ? new Map<string | null, RowPath>() : await readPaths(owner, parentIds)
  return rows.map((row) => ({ ...row, ...(pathById.get(parentOf(row)) ?? { path: [], is_path_cut: false }) }))
}

/**
 * Returns the path of each of these folders by its id. A path ends with the folder itself, and has as many of the folders above it as fit
 * into `maxPathBytes`, the innermost ones.
 */
async function readPaths(owner: string, ids: readonly string[]): Promise<Map<string | null, RowPath>> {
  const bytes = `octet_length(f.name) + ${folderBytes}`
  const rows = await sql<RowPath & { id: string }>(
    `with recursive above as (
       select f.id as start_id, f.id, f.name, f.parent_folder_id, 0 as distance, ${bytes} as bytes from folders f
       where f.user_id = $1 and f.id = any($2)
       union all
       select above.start_id, f.id, f.name, f.parent_folder_id, above.distance + 1, above.bytes + ${bytes} from above
       join folders f on f.user_id = $1 and f.id = above.parent_folder_id and above.bytes + ${bytes} <= ${maxPathBytes}
     )
     select start_id as id, jsonb_agg(jsonb_build_object('id', id, 'name', name) order by distance desc) as path,
       (array_agg(parent_folder_id order by distance desc))[1] is not null as is_path_cut
     from above group by start_id`,
    [owner, ids],
  )
  return new Map(rows.map(({ id, ...path }) => [id, path]))
}
