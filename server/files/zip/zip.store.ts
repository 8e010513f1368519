import { zipLimits } from '#contract/fileSelection.ts'
import { sql } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/refusal.ts'

export type ZipFolder = { id: string; name: string; parent_folder_id: string | null; created_at: string }
/** A folder of a zip that a user has selected. `is_selected_root`: it is a selected folder that is in none of the other folders. */
export type SelectedZipFolder = ZipFolder & { is_selected_root: boolean }
export type ZipFile = {
  id: string
  folder_id: string | null
  file_name: string
  file_size: number
  created_at: string
  object_id: string
  storage_path: string
}

/** One row more than a zip may have, so that a larger selection is noticed. */
const maxRows = zipLimits.entries + 1

/** Reads these folders and all folders in them, sorted by name. */
export const readZipFolders = (owner: string, ids: readonly string[]): Promise<SelectedZipFolder[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : sql<SelectedZipFolder>(
        `with recursive below as (
           select id, name, parent_folder_id, created_at from folders where user_id = $1 and id = any($2)
           union
           select f.id, f.name, f.parent_folder_id, f.created_at from below join folders f on f.user_id = $1 and f.parent_folder_id = below.id
         ), found as materialized (select * from below limit ${maxRows})
         select *, parent_folder_id is null or parent_folder_id not in (select id from found) as is_selected_root from found order by name collate "und-x-icu", id`,
        [owner, ids],
      )

/** The files to read: by their ids, by their folders, and by the contact to which they are attached. */
type ZipSources = { fileIds: readonly string[]; folderIds: readonly string[]; contactId: string | null }

/** Reads these files, and the files directly in the folders and on the contact, sorted by name. */
export const readZipFiles = (owner: string, { fileIds, folderIds, contactId }: ZipSources): Promise<ZipFile[]> => {
  const select = 'select id, folder_id, file_name, file_size, created_at, object_id, storage_path from files where user_id = $1 and'
  return sql<ZipFile>(
    `select * from (
       (${select} id = any($2)) union (${select} folder_id = any($3) limit ${maxRows}) union (${select} contact_id = $4 limit ${maxRows})
     ) found order by file_name collate "und-x-icu", id`,
    [owner, fileIds, folderIds, contactId],
  )
}

/** Returns the name of a contact. Throws `not_found` with the field. */
export async function readContactName(owner: string, id: string): Promise<string> {
  const [contact] = await sql<{ name: string }>('select name from crm_contacts where user_id = $1 and id = $2', [owner, id])
  if (!contact) throw new Refusal('not_found', { fields: { contact_id: 'This contact is no longer here' } })
  return contact.name
}

/** `digest` is that of the `ZipPlan`, so that a later change of the files is noticed. */
type PreparedZip = { file_ids: string[]; folder_ids: string[]; contact_id: string | null; digest: string }

/** Stores a prepared zip, and deletes the owner's zips that have expired. */
export async function insertZip(
  owner: string,
  id: string,
  zip: PreparedZip,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await Promise.all([
    sql('delete from zips where user_id = $1 and expires_at < $2', [owner, now.toISOString()]),
    sql('insert into zips (user_id, id, expires_at, file_ids, folder_ids, contact_id, digest) values ($1, $2, $3, $4, $5, $6, $7)', [
      owner,
      id,
      expiresAt.toISOString(),
      zip.file_ids,
      zip.folder_ids,
      zip.contact_id,
      zip.digest,
    ]),
  ])
}

/** Reads a prepared zip. Throws `not_found`, and `link_expired` after its time. */
export async function readZip(owner: string, id: string, now: Date): Promise<PreparedZip> {
  const [zip] = await sql<PreparedZip & { expires_at: string }>(
    'select file_ids, folder_ids, contact_id, digest, expires_at from zips where user_id = $1 and id = $2',
    [owner, id],
  )
  if (!zip) throw new Refusal('not_found')
  if (new Date(zip.expires_at) <= now) throw new Refusal('link_expired')
  return zip
}
