// Free names for restored files and folders, so that no other file or folder of the place has the same name.
import { sql } from '#server/platform/database/database.ts'
import { findByName, findFreeNames, type Place } from './files.store.ts'

/** Returns a free name for a file, as for an upload that keeps both files; undefined if no other file has its name. */
export async function findFreeFileName(owner: string, id: string): Promise<string | undefined> {
  const [file] = await sql<Place & { file_name: string }>(
    'select folder_id, contact_id, file_name from files where user_id = $1 and id = $2',
    [owner, id],
  )
  if (!file) return undefined
  const namesakes = await findByName(owner, file, file.file_name)
  if (namesakes.every((each) => each === id)) return undefined
  return (await findFreeNames(owner, file, [file.file_name])).get(file.file_name)
}

/** The maximum number of names that are tried. Without a free one, the folder keeps its name. */
const maxNumber = 100
/** A name of at most 200 characters with a number has room for this many of them. */
const maxStemLength = 190

/** Returns a free name for a folder: "Offers (2)"; undefined if no other folder has its name, regardless of letter case. */
export async function findFreeFolderName(owner: string, id: string): Promise<string | undefined> {
  const [folder] = await sql<{ name: string; isTaken: boolean; free: string | null }>(
    `with folder as (select id, name, parent_folder_id from folders where user_id = $1 and id = $2),
     others as materialized (
       select lower(o.name) as key from folder f join folders o on o.user_id = $1 and o.id <> f.id
         and (o.parent_folder_id = f.parent_folder_id or (o.parent_folder_id is null and f.parent_folder_id is null))
     )
     select name, lower(name) in (select key from others) as "isTaken",
       (select candidate from (select rtrim(left(name, $3)) || ' (' || number || ')' as candidate, number from generate_series(2, $4) number) numbered
        where lower(candidate) not in (select key from others) order by number limit 1) as free
     from folder`,
    [owner, id, maxStemLength, maxNumber],
  )
  return folder?.isTaken ? (folder.free ?? undefined) : undefined
}
