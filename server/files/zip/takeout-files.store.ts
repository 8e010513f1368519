import { sql } from '#server/platform/database/database.ts'
import type { ZipFile, ZipFolder } from './zip.store.ts'

/** Reads all folders of an owner, sorted by name. */
export const readOwnedFolders = (owner: string): Promise<ZipFolder[]> =>
  sql<ZipFolder>(`select id, name, parent_folder_id, created_at from folders where user_id = $1 order by name collate "und-x-icu", id`, [
    owner,
  ])

/** Reads all files of an owner, sorted by name. */
export const readOwnedFiles = (owner: string): Promise<(ZipFile & { contact_id: string | null })[]> =>
  sql<ZipFile & { contact_id: string | null }>(
    `select id, folder_id, contact_id, file_name, file_size, created_at, object_id, storage_path from files where user_id = $1
     order by file_name collate "und-x-icu", id`,
    [owner],
  )

/** Reads the contacts with attachments as folders, sorted by name. */
export const readAttachedContacts = (owner: string): Promise<ZipFolder[]> =>
  sql<ZipFolder>(
    `select id, name, null as parent_folder_id, created_at from crm_contacts c
     where user_id = $1 and exists (select from files f where f.user_id = c.user_id and f.contact_id = c.id)
     order by name collate "und-x-icu", id`,
    [owner],
  )
