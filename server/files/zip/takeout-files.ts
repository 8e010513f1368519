import type { AppContext, TakeoutFiles } from '#server/platform/feature/context.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { maxZipPathBytes, type ZipEntry } from '#server/platform/zip/zip.ts'
import { readAttachedContacts, readOwnedFiles, readOwnedFolders } from './takeout-files.store.ts'
import { listEntries } from './zip-plan.ts'
import type { ZipFile, ZipFolder } from './zip.store.ts'

/** Lists all files of an owner in their folders, and attachments in a folder for each contact. */
export async function listTakeoutFiles({ storage }: AppContext, owner: string): Promise<TakeoutFiles> {
  const [folders, files, contacts] = await Promise.all([readOwnedFolders(owner), readOwnedFiles(owner), readAttachedContacts(owner)])
  const attachments = files.flatMap((file) => (file.contact_id === null ? [] : [{ ...file, folder_id: file.contact_id }]))
  const listed = listStoredFiles(storage, [
    { root: 'files', folders, files: files.filter(({ contact_id }) => contact_id === null) },
    { root: 'attachments', folders: contacts, files: attachments },
  ])
  return { table: 'files', ...listed }
}

type Tree = { root: string; folders: readonly ZipFolder[]; files: readonly ZipFile[] }

/** Lists stored files as entries of the download of everything, with names that every system can unpack. `root`: the folder of the tree. */
export function listStoredFiles(storage: Storage, trees: readonly Tree[]): Omit<TakeoutFiles, 'table'> {
  const plannedEntries = trees.flatMap(({ root, folders, files }) =>
    listEntries(folders, files).map((entry) => ({ ...entry, path: `${root}/${entry.folderPath}${entry.name}` })),
  )
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
  return { entries, paths }
}
