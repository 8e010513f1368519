import { cleanFileName } from '#contract/fileNames.ts'
import type { AddedFile } from './readFiles.ts'
import { listUploads, type UploadItem, type UploadPlace } from './uploadList.ts'

/**
 * Returns a function that finds the unfinished upload to which a file belongs. With `root`, it searches the uploads that earlier visits
 * added to this place, by path, size and time of the last change. Without `root`, it searches the uploads to all places. It then compares
 * the name if no path matches, because the user may choose one file of a folder. It also finds uploads of other browsers, by name and size.
 */
export function createMatcher(root?: UploadPlace): (added: AddedFile) => UploadItem | undefined {
  const items = new Map<string, UploadItem>()
  const ofOtherBrowsers = new Map<string, UploadItem>()
  for (const item of listUploads()) {
    if (!['unfinished', 'failed', 'done'].includes(item.status)) continue
    if (!root && item.origin === 'other browser') ofOtherBrowsers.set(`${item.size} ${item.name}`, item)
    if (item.origin !== 'earlier visit' || (root && makePlaceKey(root) !== makePlaceKey(item.root))) continue
    items.set(makeKey(item.path, item), item)
    if (root || item.status === 'done') continue
    const nameKey = makeKey(getName(item.path), item)
    const known = items.get(nameKey)
    if (!known || known.status === 'done') items.set(nameKey, item) // otherwise `known` stays, because this name may be its whole path
  }
  return ({ file, path }) => items.get(makeKey(path, file)) ?? ofOtherBrowsers.get(`${file.size} ${cleanFileName(file.name)}`)
}

const makePlaceKey = ({ folder_id, contact_id }: UploadPlace): string => `${folder_id} ${contact_id}`
const makeKey = (path: string, { size, lastModified }: { size: number; lastModified: number }): string => `${size} ${lastModified} ${path}`
const getName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
