import { fileRoutes, takenNamesLimit, type TakenName } from '#contract/files.ts'
import { folderRoutes, maxFolderPaths } from '#contract/folders.ts'
import { uploadRoutes } from '#contract/uploads.ts'
import { call } from '#web/lib/client.ts'
import { newId } from '#web/lib/ids.ts'
import { startUploads } from './queue.ts'
import { withRetries } from './retry.ts'
import { updateUpload, type UploadItem, type UploadPlace } from './uploadList.ts'

/** Creates the folders that are missing, and returns the files with their folders. */
export async function createFolders(
  { folder_id }: UploadPlace,
  items: readonly UploadItem[],
  folders: readonly string[],
  signal: AbortSignal,
): Promise<UploadItem[]> {
  const ids = new Map<string, string>()
  for (let start = 0; start < folders.length; start += maxFolderPaths) {
    const paths = folders.slice(start, start + maxFolderPaths)
    const body = { parent_folder_id: folder_id, paths }
    const options = { signal, idempotencyKey: newId() }
    const { rows } = await withRetries(signal, () => call(folderRoutes.createPaths, { body }, options))
    for (const [index, { id }] of rows.entries()) ids.set(paths[index] ?? '', id)
  }
  return items.map((item) => {
    const folder = ids.get(item.path.slice(0, Math.max(0, item.path.lastIndexOf('/'))))
    if (folder === undefined) return item
    const place = { folder_id: folder, contact_id: null }
    updateUpload(item.id, { place })
    return { ...item, place }
  })
}

/** Starts the files whose name is free, and asks about the others. */
export async function startFreeNames(items: readonly UploadItem[], signal: AbortSignal): Promise<void> {
  const byPlace = Map.groupBy(items, ({ place }) => place.folder_id ?? place.contact_id)
  for (const inPlace of byPlace.values())
    for (let start = 0; start < inPlace.length; start += takenNamesLimit) {
      const some = inPlace.slice(start, start + takenNamesLimit)
      const taken = await findTakenNames(some, signal)
      startUploads(some.flatMap(({ id, name }) => (taken.has(name) ? [] : [id])))
      for (const item of some) await askAboutName(item, taken.get(item.name), signal)
    }
}

async function findTakenNames(items: readonly UploadItem[], signal: AbortSignal): Promise<Map<string, TakenName>> {
  const body = { ...items[0]?.place, names: items.map(({ name }) => name) }
  const { rows } = await withRetries(signal, () => call(fileRoutes.takenNames, { body }, { signal }))
  return new Map(rows.map((row) => [row.file_name, row]))
}

async function askAboutName({ id, origin }: UploadItem, taken: TakenName | undefined, signal: AbortSignal): Promise<void> {
  if (!taken) return
  // the page may have been reloaded before it could save that the upload had started, and then the file with this name is its own
  const mayBeOwn = origin === 'earlier visit'
  if (mayBeOwn && (await call(uploadRoutes.get, { params: { id } }, { signal }).catch(() => undefined))) {
    return startUploads([id], { hasStarted: true })
  }
  updateUpload(id, { status: 'asking', taken })
}
