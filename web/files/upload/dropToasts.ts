// A drop is a group of files that were dropped or chosen together.
import { toast } from '#web/lib/toasts.ts'
import { findEntry } from '#web/lib/undoSteps.ts'
import { isInProgress } from './queue.ts'
import { uploads, type UploadItem } from './uploadList.ts'

/** The ids of the drops whose files are all uploaded or have failed. */
let endedDrops = new Set<string>()

/** Shows a notification when all files of a drop are uploaded or have failed. Returns a function that stops these notifications. */
export function announceDrops(): () => void {
  announceEndedDrops()
  return uploads.subscribe(announceEndedDrops)
}

function announceEndedDrops(): void {
  const items = uploads.get()
  const unfinishedDropIds = new Set(items.filter((item) => isInProgress(item) || item.status === 'unfinished').map(({ dropId }) => dropId))
  const ended = new Set(items.map(({ dropId }) => dropId).filter((dropId) => !unfinishedDropIds.has(dropId)))
  for (const id of ended) {
    const drop = items.filter(({ dropId }) => dropId === id)
    if (!endedDrops.has(id)) announceEnd(id, drop)
  }
  endedDrops = ended
}

function announceEnd(dropId: string, items: readonly UploadItem[]): void {
  const failed = items.filter(({ status }) => status === 'failed')
  const doneCount = items.filter(({ status }) => status === 'done').length
  if (failed.length > 0) {
    const summary = `${failed.length} of ${items.length} files were not uploaded. The list of uploads says why.`
    return toast({ kind: 'error', title: 'Upload failed', message: items.length === 1 ? failed[0]?.failure?.message : summary })
  }
  if (doneCount === 0) return
  const changeId = findEntry(dropId)?.changeIds.length ? dropId : undefined
  toast({ kind: 'success', title: 'Success!', message: `${doneCount} file(s) uploaded successfully.`, changeId })
}
