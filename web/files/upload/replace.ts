import { startUploads } from './queue.ts'
import { listUploads, type UploadItem } from './uploadList.ts'

/**
 * Starts uploads that replace the existing files with their names. Of several files of a drop with the same name and place, such as
 * "jan/scan.pdf" and "feb/scan.pdf" on a contact, only one replaces: the server would replace its file by the next one. The others get a
 * free name.
 */
export function startReplacing(items: readonly UploadItem[]): void {
  // an upload about which the user is asked may have the choice of an earlier visit
  const replacing = listUploads().filter(({ ifExists, status }) => ifExists === 'replace' && status !== 'asking')
  const replaced = new Set(replacing.map(getTarget))
  for (const item of items) {
    const target = getTarget(item)
    startUploads([item.id], { ifExists: replaced.has(target) ? 'keep_both' : 'replace' })
    replaced.add(target)
  }
}

/** Returns a text that is equal for the uploads of a drop that go to the same place under the same name. */
const getTarget = ({ dropId, place, name }: UploadItem): string => JSON.stringify([dropId, place.folder_id, place.contact_id, name])
