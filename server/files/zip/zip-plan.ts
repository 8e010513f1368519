import { createHash } from 'node:crypto'
import { zipLimits, type FileSelection } from '#contract/fileSelection.ts'
import { cleanFileName } from '#contract/fileNames.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { cleanZipName, createZipNames } from './zip-names.ts'
import { maxZipPathBytes } from '#server/platform/zip/zip.ts'
import { readContactName, readZipFiles, readZipFolders, type SelectedZipFolder, type ZipFile, type ZipFolder } from './zip.store.ts'

/** What a zip is made of: files and folders, or the attachments of a contact. */
export type ZipSelection = FileSelection & { contact_id: string | null }

/**
 * An entry of a zip. Its path is `folderPath`, which is empty or ends with "/", and then `name`. A folder has no `file`. V8 keeps joined
 * strings as their parts until they are read, so the paths of deep folders take little memory until `folderPath` is read.
 */
type PlannedEntry = {
  /** The index, in the list of entries, of the folder that contains this entry. -1 at the top. */
  parent: number
  folderPath: string
  name: string
  /** The length of the path in UTF-8. */
  pathBytes: number
  modifiedAt: Date
  file?: ZipFile
}

/** The content of a zip. `digest` changes with the paths and the bytes of its entries. */
export type ZipPlan = { name: string; entries: PlannedEntry[]; digest: string }

/**
 * Reads what belongs to a zip, and gives each entry a path that differs from all others in more than upper and lower case. Throws
 * `not_found` if a selected file or folder does not exist, `too_many` and `too_large` above `zipLimits`.
 */
export async function planZip(owner: string, selection: ZipSelection): Promise<ZipPlan> {
  const { folder_ids: folderIds, file_ids: fileIds, contact_id: contactId } = selection
  const [folders, contactName] = await Promise.all([
    readZipFolders(owner, folderIds),
    contactId === null ? undefined : readContactName(owner, contactId),
  ])
  refuseLargeZip(folders, [])
  const files = await readZipFiles(owner, { fileIds, folderIds: folders.map(({ id }) => id), contactId })
  refuseLargeZip(folders, files)
  refuseMissing(fileIds, files)
  refuseMissing(folderIds, folders)
  const entries = listEntries(folders, files)
  if (entries.some(({ pathBytes }) => pathBytes > maxZipPathBytes))
    throw new Refusal('too_large', { fields: { folder_ids: 'These folders are too deep inside each other for a zip' } })
  return { name: createZipName(folders, fileIds, contactName), entries, digest: computeDigest(entries) }
}

function refuseLargeZip(folders: readonly ZipFolder[], files: readonly ZipFile[]): void {
  if (folders.length + files.length > zipLimits.entries)
    throw new Refusal('too_many', { fields: { file_ids: 'A zip has at most 10,000 files and folders. Select fewer' } })
  if (files.reduce((sum, { file_size }) => sum + file_size, 0) > zipLimits.bytes)
    throw new Refusal('too_large', { fields: { file_ids: 'The files of a zip have at most 20 GiB. Select fewer' } })
}

function refuseMissing(ids: readonly string[], rows: readonly { id: string }[]): void {
  const existingIds = new Set(rows.map(({ id }) => id))
  if (ids.some((id) => !existingIds.has(id))) throw new Refusal('not_found')
}

/**
 * Lists the folders and files in their order, each folder before what is in it. The selected files and folders are at the top of the zip.
 */
export function listEntries(folders: readonly ZipFolder[], files: readonly ZipFile[]): PlannedEntry[] {
  const folderIds = new Set(folders.map(({ id }) => id))
  /** Returns the id of a folder that is in the zip, and otherwise an empty id, which stands for the top of the zip. */
  const parentOf = (id: string | null): string => (id !== null && folderIds.has(id) ? id : '')
  const foldersIn = Map.groupBy(folders, ({ parent_folder_id }) => parentOf(parent_folder_id))
  const filesIn = Map.groupBy(files, ({ folder_id }) => parentOf(folder_id))
  const entries: PlannedEntry[] = []
  const unlistedFolders = [{ id: '', parent: -1, folderPath: '', bytes: 0 }]
  for (let next = unlistedFolders.pop(); next; next = unlistedFolders.pop()) {
    const { id, parent, folderPath, bytes } = next
    const takeName = createZipNames()
    for (const folder of foldersIn.get(id) ?? []) {
      const name = takeName(folder.name, (unnumbered, count) => `${unnumbered} (${count})`)
      const pathBytes = bytes + Buffer.byteLength(name)
      unlistedFolders.push({ id: folder.id, parent: entries.length, folderPath: `${folderPath}${name}/`, bytes: pathBytes + 1 })
      entries.push({ parent, folderPath, name, pathBytes, modifiedAt: new Date(folder.created_at) })
    }
    for (const file of filesIn.get(id) ?? []) {
      const name = takeName(file.file_name)
      const pathBytes = bytes + Buffer.byteLength(name)
      entries.push({ parent, folderPath, name, pathBytes, modifiedAt: new Date(file.created_at), file })
    }
  }
  return entries
}

/** Returns the name of the contact or of the only selected folder with ".zip", or "Files.zip" for other selections. */
function createZipName(folders: readonly SelectedZipFolder[], fileIds: readonly string[], contactName: string | undefined): string {
  const [first, ...others] = folders.filter(({ is_selected_root }) => is_selected_root)
  const name = contactName ?? (first && others.length === 0 && fileIds.length === 0 ? first.name : 'Files')
  return cleanFileName(`${cleanZipName(name)}.zip`)
}

function computeDigest(entries: readonly PlannedEntry[]): string {
  const hash = createHash('sha256')
  for (const { parent, name, file } of entries) hash.update(JSON.stringify([parent, name, file?.object_id, file?.file_size]))
  return hash.digest('base64url')
}
