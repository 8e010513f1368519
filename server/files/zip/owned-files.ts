import type { AppContext, OwnedFiles } from '#server/platform/feature/context.ts'
import { maxZipPathBytes, type ZipEntry } from '#server/platform/zip/zip.ts'
import { readAttachedContacts, readOwnedFiles, readOwnedFolders } from './owned-files.store.ts'
import { listEntries } from './zip-plan.ts'

/** Lists all files of an owner in their folders, and attachments in a folder for each contact. */
export async function listOwnedFiles({ storage }: AppContext, owner: string): Promise<OwnedFiles> {
  const [folders, files, contacts] = await Promise.all([readOwnedFolders(owner), readOwnedFiles(owner), readAttachedContacts(owner)])
  const attachments = files.flatMap((file) => (file.contact_id === null ? [] : [{ ...file, folder_id: file.contact_id }]))
  const plannedEntries = [
    ...listEntries(
      folders,
      files.filter(({ contact_id }) => contact_id === null),
    ).map((entry) => ({ ...entry, path: `files/${entry.folderPath}${entry.name}` })),
    ...listEntries(contacts, attachments).map((entry) => ({ ...entry, path: `attachments/${entry.folderPath}${entry.name}` })),
  ]
  const paths = new Map<string, string>()
  const entries = plannedEntries.flatMap(({ path: plannedPath, pathBytes, modifiedAt, file }): ZipEntry[] => {
    const isTooLong = pathBytes > maxZipPathBytes
    if (!file) return isTooLong ? [] : [{ path: plannedPath, modifiedAt }]
    // only these values stay in memory during the download, and not the whole row
    const { id, file_size: size, storage_path: key } = file
    const path = isTooLong ? `files in deep folders/${id}` : plannedPath
    paths.set(id, path)
    // errors of the storage are not converted: a missing object must be an error of the server, and not `not_found`
    const read = () => storage.read(key, { start: 0, end: size - 1 })
    return [{ path, modifiedAt, content: { size, read } }]
  })
  return { table: 'files', entries, paths }
}
