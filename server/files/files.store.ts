import { addNumber } from '#contract/fileNames.ts'
import type { TakenName } from '#contract/files.ts'
import { sql } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** Where a file is: in a folder, attached to a contact, or in the root folder. */
export type Place = { folder_id: string | null; contact_id: string | null }

/**
 * The columns that are needed to send a file. `object_id` is the id of the stored object, which has the bytes; it changes with the content.
 */
export type FileContent = { object_id: string; storage_path: string; file_name: string; file_size: number }

/** The existing file that has a requested name, as the route `takenNames` returns it. */
type NamedFile = TakenName['file']

const contentColumns = 'object_id, storage_path, file_name, file_size'

/** Reads what is needed to send a file. Throws `not_found`. */
export async function readContent(owner: string, id: string): Promise<FileContent> {
  const [file] = await sql<FileContent>(`select ${contentColumns} from files where user_id = $1 and id = $2`, [owner, id])
  if (!file) throw new Refusal('not_found')
  return file
}

/** Returns the SHA-256 of a file in hexadecimal; null until it has been computed. Throws `not_found`. */
export async function readChecksum(owner: string, id: string): Promise<{ sha256: string | null }> {
  const [file] = await sql<{ sha256: string | null }>(
    `select encode(o.sha256, 'hex') as sha256 from files f join stored_objects o on o.user_id = f.user_id and o.id = f.object_id
     where f.user_id = $1 and f.id = $2`,
    [owner, id],
  )
  if (!file) throw new Refusal('not_found')
  return file
}

/** Returns the id of the file with this storage path. Throws `not_found`. */
export async function findByPath(owner: string, path: string): Promise<string> {
  const [file] = await sql<{ id: string }>(
    `select f.id from stored_objects o join files f on f.user_id = o.user_id and f.object_id = o.id
     where o.user_id = $1 and o.storage_path = $2 order by f.id limit 1`,
    [owner, path],
  )
  if (!file) throw new Refusal('not_found')
  return file.id
}

/** Throws `not_found` with the field if the folder or the contact does not exist. */
export async function requirePlace(owner: string, { folder_id, contact_id }: Place): Promise<void> {
  const [place] = await sql<{ hasFolder: boolean; hasContact: boolean }>(
    `select exists (select from folders where user_id = $1 and id = $2) as "hasFolder",
       exists (select from crm_contacts where user_id = $1 and id = $3) as "hasContact"`,
    [owner, folder_id, contact_id],
  )
  if (folder_id !== null && !place?.hasFolder) throw new Refusal('not_found', { fields: { folder_id: 'This folder is no longer here' } })
  if (contact_id !== null && !place?.hasContact)
    throw new Refusal('not_found', { fields: { contact_id: 'This contact is no longer here' } })
}

/** Returns the ids of the files with this name in a place, the newest first. */
export async function findByName(owner: string, place: Place, name: string): Promise<string[]> {
  const [condition, value] = createPlaceSql(place)
  const rows = await sql<{ id: string }>(
    `select id from files where user_id = $1 and ${condition} and file_name collate "und-x-icu" = $3 order by id desc`,
    [owner, value, name],
  )
  return rows.map(({ id }) => id)
}

/** Returns the newest file of each of these names in a place, by its name. */
export async function findByNames(owner: string, place: Place, names: readonly string[]): Promise<Map<string, NamedFile>> {
  const [condition, value] = createPlaceSql(place)
  const rows = await sql<NamedFile>(
    `select distinct on (file_name collate "und-x-icu") id, file_name, file_size, created_at from files
     where user_id = $1 and ${condition} and file_name collate "und-x-icu" = any($3) order by file_name collate "und-x-icu", id desc`,
    [owner, value, names],
  )
  return new Map(rows.map((row) => [row.file_name, row]))
}

/**
 * The first query looks up about this many names: each requested name with several numbers. If more names are requested, it looks up each
 * of them without a number.
 */
const namesPerQuery = 50
const maxNameNumber = 10_000

/**
 * Returns a free name for each of these names: the first of "Offer.pdf", "Offer (2).pdf", "Offer (3).pdf" and so on that no file in the
 * place has. The names are independent of each other: two of them can get the same free name.
 */
export async function findFreeNames(owner: string, place: Place, names: readonly string[]): Promise<Map<string, string>> {
  const free = new Map<string, string>()
  let remaining = [...new Set(names)]
  let first = 1
  while (remaining.length > 0 && first < maxNameNumber) {
    // at least `first`, so that `first` doubles each time, and large numbers need few queries
    const count = Math.max(first, Math.floor(namesPerQuery / remaining.length))
    const candidates = new Map(remaining.map((name) => [name, listNumberedNames(name, first, count)]))
    const taken = await findByNames(owner, place, [...candidates.values()].flat())
    for (const [name, numbered] of candidates) {
      const firstFree = numbered.find((each) => !taken.has(each))
      if (firstFree !== undefined) free.set(name, firstFree)
    }
    remaining = remaining.filter((name) => !free.has(name))
    first += count
  }
  for (const name of remaining) free.set(name, addNumber(name, Date.now())) // all lower numbers are taken
  return free
}

const listNumberedNames = (name: string, first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => (first + index === 1 ? name : addNumber(name, first + index)))

/** Returns the SQL condition on the files of a place, and the value of its parameter `$2`. */
function createPlaceSql({ folder_id, contact_id }: Place): [condition: string, value: string | null] {
  if (folder_id !== null) return ['folder_id = $2', folder_id]
  if (contact_id !== null) return ['contact_id = $2', contact_id]
  return ['folder_id is null and contact_id is null and $2::uuid is null', null] // the parameter is not needed here, but must occur
}
