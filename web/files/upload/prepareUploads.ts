import { fileRoutes, maxTakenNames, type TakenName } from '#contract/files.ts'
import { folderRoutes, maxFolderPaths } from '#contract/folders.ts'
import { uploadRoutes } from '#contract/uploads.ts'
import { call, callForChange } from '#web/lib/client.ts'
import { formatCount } from '#web/lib/format.ts'
import { newId } from '#web/lib/ids.ts'
import { storeInStep } from '#web/lib/undo.ts'
import { startUploads } from './queue.ts'
import { withRetries } from './retry.ts'
import { updateUpload, type UploadItem, type UploadPlace } from './uploadList.ts'

/**
 * Finds or creates the folders with these paths, such as "Photos/before", in the folder `folder_id`. Returns the uploads with the folders
 * to which their files go. The new folders are undone together with the files of the drop.
 */
export async function createFolders(
  { folder_id }: UploadPlace,
  dropId: string,
  items: readonly UploadItem[],
  folders: readonly string[],
  signal: AbortSignal,
): Promise<UploadItem[]> {
  /** The ids of the folders by their paths. */
  const ids = new Map<string, string>()
  for (let start = 0; start < folders.length; start += maxFolderPaths) {
    const paths = folders.slice(start, start + maxFolderPaths)
    const body = { parent_folder_id: folder_id, paths }
    const options = { signal, idempotencyKey: newId() }
    const { response, changeId } = await withRetries(signal, () => callForChange(folderRoutes.createPaths, { body }, options))
    const { rows } = response
    if (changeId) storeInStep(dropId, changeId, `${formatCount(start + rows.length, 'folder')} uploaded`)
    for (const [index, { id }] of rows.entries()) ids.set(paths[index] ?? '', id)
  }
  return items.map((item) => {
    const folderPath = item.path.slice(0, Math.max(0, item.path.lastIndexOf('/'))) // "Photos" for "Photos/wall.jpg"
    const folder = ids.get(folderPath)
    if (folder === undefined) return item
    const place = { folder_id: folder, contact_id: null }
    updateUpload(item.id, { place })
    return { ...item, place }
  })
}

/** Starts the uploads whose names are free, and lets the dialog ask about the others. */
export async function startUploadsWithFreeNames(items: readonly UploadItem[], signal: AbortSignal): Promise<void> {
  const itemsByPlace = Map.groupBy(items, ({ place }) => place.folder_id ?? place.contact_id)
  for (const itemsOfPlace of itemsByPlace.values())
    for (let start = 0; start < itemsOfPlace.length; start += maxTakenNames) {
      const batch = itemsOfPlace.slice(start, start + maxTakenNames)
      const taken = await findTakenNames(batch, signal)
      startUploads(batch.flatMap(({ id, name }) => (taken.has(name) ? [] : [id])))
      for (const item of batch) await askAboutName(item, taken.get(item.name), signal)
    }
}

async function findTakenNames(items: readonly UploadItem[], signal: AbortSignal): Promise<Map<string, TakenName>> {
  const body = { ...items[0]?.place, names: items.map(({ name }) => name) }
  const { rows } = await withRetries(signal, () => call(fileRoutes.takenNames, { body }, { signal }))
  return new Map(rows.map((row) => [row.file_name, row]))
}

async function askAboutName({ id, origin }: UploadItem, taken: TakenName | undefined, signal: AbortSignal): Promise<void> {
  if (!taken) return
  // A moment after the start of an upload, the browser saves that the upload has started. If the page was reloaded in this moment, the file
  // with this name may come from this same upload.
  const mayBeFromThisUpload = origin === 'earlier visit'
  if (mayBeFromThisUpload && (await call(uploadRoutes.get, { params: { id } }, { signal }).catch(() => undefined))) {
    return startUploads([id], { hasStarted: true })
  }
  updateUpload(id, { status: 'asking', taken })
}
