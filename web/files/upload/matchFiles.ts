import type { AddedFile } from './readFiles.ts'
import { listUploads, type UploadItem, type UploadPlace } from './uploadList.ts'

/**
 * Returns a function that finds the upload of an earlier visit to which a file belongs, by path, size and time of its last change. Without
 * a place, uploads to all places are searched, also by name, because a file of a folder may be chosen alone.
 */
export function createMatcher(root?: UploadPlace): (added: AddedFile) => UploadItem | undefined {
  const items = new Map<string, UploadItem>()
  for (const item of listUploads()) {
    const canContinue = item.origin === 'earlier visit' && ['unfinished', 'failed', 'done'].includes(item.status)
    if (!canContinue || (root && makePlaceKey(root) !== makePlaceKey(item.root))) continue
    items.set(makeKey(item.path, item), item)
    if (!root && item.status !== 'done') items.set(makeKey(getName(item.path), item), item)
  }
  return ({ file, path }) => items.get(makeKey(path, file))
}

const makePlaceKey = ({ folder_id, contact_id }: UploadPlace): string => `${folder_id} ${contact_id}`
const makeKey = (path: string, { size, lastModified }: { size: number; lastModified: number }): string => `${size} ${lastModified} ${path}`
const getName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
