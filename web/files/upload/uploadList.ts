import type { TakenName } from '#contract/files.ts'
import type { NewUpload } from '#contract/uploads.ts'
import { createStore } from '#web/lib/store.ts'

/** Where the files go: into a folder, to a contact, or into the root folder when both are null. */
export type UploadPlace = { folder_id: string | null; contact_id: string | null }

/**
 * - `preparing`: the folder or a free name is not known yet.
 * - `asking`: the name is taken, and the user is asked what to do.
 * - `unfinished`: a reload has interrupted the upload, or another browser began it; this browser has no access to the file. An upload that
 *   had failed before has a failure.
 */
type UploadStatus = 'preparing' | 'asking' | 'waiting' | 'running' | 'paused' | 'done' | 'failed' | 'unfinished'

/** Why an upload failed. `offline` and `unreadable` are known only to the browser. */
export type UploadFailure = { reason: 'offline' | 'unreadable' | 'other'; message: string }

/** The upload of one file, in any status. */
export type UploadItem = {
  /** The id of the upload on the server. */
  id: string
  /** The id of the drop: all files that were dropped, chosen or pasted together. */
  dropId: string
  /** The place to which the files of the drop were added. */
  root: UploadPlace
  /** The place of the file itself, which may be a folder below `root`. */
  place: UploadPlace
  /** The path in the dropped folder, or only the name: "Photos/wall.jpg". */
  path: string
  name: string
  size: number
  /** The time of the last change of the file, in ms since 1970. */
  lastModified: number
  ifExists: NewUpload['if_exists']
  /** The file with the same name that the place has already; only with the status `asking`. */
  taken?: TakenName | undefined
  status: UploadStatus
  /** The bytes that were sent, including those of parts that are not complete. */
  sentBytes: number
  /** The progress on the screen: the highest `sentBytes` so far, because the progress must not go back while a part is sent again. */
  shownBytes: number
  /** Missing when the browser has no access to the file after a reload. */
  file?: File | undefined
  /** True when the server may already know the upload. */
  hasStarted: boolean
  failure?: UploadFailure | undefined
  /** Set for an unfinished upload that began in an earlier visit of this browser or in another browser. */
  origin?: 'earlier visit' | 'other browser' | undefined
  /** True when the browser can read the file of an earlier visit again, with a handle that it has stored. */
  hasHandle?: boolean
  /**
   * For an upload of another browser: the parts that this tab has sent. All others are sent again, because nothing shows that their bytes
   * are those of the same file.
   */
  ownParts?: Set<number>
}

/** Returns true for an upload that another browser began and that the user has not continued here. It may be running there. */
export const belongsToOtherBrowser = ({ origin, status }: UploadItem): boolean => origin === 'other browser' && status === 'unfinished'

/** All uploads of this tab, in the order in which they were added. It changes at most ten times a second. */
export const uploads = createStore<readonly UploadItem[]>([])

const publishEveryMs = 100
const items = new Map<string, UploadItem>()
let timer: ReturnType<typeof setTimeout> | undefined
let lastPublished = 0

export const findUpload = (id: string): UploadItem | undefined => items.get(id)

/** Returns the uploads with their current state, which `uploads` may show a moment later. */
export const listUploads = (): UploadItem[] => [...items.values()]

export function addToList(added: readonly UploadItem[]): void {
  for (const item of added) items.set(item.id, item)
  schedulePublish()
}

/** Changes fields of an upload; `shownBytes` never decreases unless it is in the change. Does nothing when the upload was removed. */
export function updateUpload(id: string, change: Partial<UploadItem>): void {
  const item = items.get(id)
  if (!item) return
  const shownBytes = Math.max(item.shownBytes, change.sentBytes ?? 0)
  items.set(id, { ...item, shownBytes, ...change })
  schedulePublish()
}

export function removeFromList(ids: Iterable<string>): void {
  for (const id of ids) items.delete(id)
  schedulePublish()
}

/** Removes all uploads. Unlike other changes, `uploads` shows this at once, because the page may be left immediately after it. */
export function clearList(): void {
  items.clear()
  clearTimeout(timer)
  publish()
}

function schedulePublish(): void {
  timer ??= setTimeout(publish, Math.max(0, lastPublished + publishEveryMs - performance.now()))
}

function publish(): void {
  timer = undefined
  lastPublished = performance.now()
  uploads.set(listUploads())
}
