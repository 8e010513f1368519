import { selectionLimits, type FileSelection, type Matching } from '#contract/fileSelection.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { relabel } from '#server/platform/journal/label.ts'
import { deleteRows, findSelectedIds, readSelectedIds, type Selection } from '#server/platform/records/bulk.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { deleteOrStartJob, toDeletedRecords, type DeletedRecords } from '#server/platform/records/large-delete.ts'
import { countRows } from '#server/platform/records/page.ts'
import { updateRecords, type Services } from '#server/platform/records/verbs.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { Place } from './files.store.ts'
import { files, folderInItself, folders } from './kind.ts'

/** The maximum number of selected ids of a small transaction. A larger selection uses the queue of large transactions. */
const maxSmallIds = 50

/**
 * Moves files and folders into a folder, or files to a contact, as one change; without both, into the root folder. An attachment that is
 * moved into a folder leaves its contact. Throws `not_found` for a missing folder or contact, and if none of the selected files or none of
 * the selected folders exists; `too_many` for a selection that is too large; `invalid` for a folder that would be in itself; `duplicate`
 * for a folder whose name the target has.
 */
export const moveSelection = (
  services: Services,
  caller: Caller,
  { folder_id: target, contact_id, ...selection }: FileSelection & Place,
): Promise<void> =>
  withTargetErrors(() =>
    runOnSelection(services, caller, selection, 'Moved', {
      onFolders: (ids) => {
        // the bulk edit below would silently leave out the target folder; it refuses a target inside a moved folder
        if (ids.some((id) => id === target)) throw new Refusal('invalid', { fields: { folder_id: folderInItself } })
        return updateRecords(services, caller, folders, toSelection(ids), { parent_folder_id: target })
      },
      onFiles: (ids) => updateRecords(services, caller, files, toSelection(ids), { folder_id: target, contact_id }),
    }),
  )

/**
 * Deletes files, and folders with everything in them, as one change, or in a job if very much is in them: see `deleteOrStartJob`.
 * Throws `not_found` like `moveSelection`.
 */
export function deleteSelection(services: Services, caller: Caller, selection: FileSelection): Promise<void> {
  const records: DeletedRecords[] = []
  const remove = (kind: RecordKind) => (ids: string[]) => {
    records.push(toDeletedRecords(kind, ids))
    return deleteRows(kind, caller.owner, ids)
  }
  const onStart = (): void => void (records.length = 0) // after a deadlock the transaction runs again
  return deleteOrStartJob(services.database, caller, records, () =>
    runOnSelection(services, caller, selection, 'Deleted', { onStart, onFiles: remove(files), onFolders: remove(folders) }),
  )
}

/** `onStart` is called at the start of the transaction, which may run more than once. */
type Work = Record<'onFiles' | 'onFolders', (ids: string[]) => Promise<void>> & { onStart?: () => void }

const toSelection = (ids: string[]): Selection => ({ ids, limit: selectionLimits.matching })

/** Runs the work in one transaction, on the files before the folders, because the delete of a folder also deletes the files in it. */
function runOnSelection(
  { database, now }: Services,
  caller: Caller,
  selection: FileSelection,
  verb: string,
  { onStart, onFiles, onFolders }: Work,
): Promise<void> {
  const work = async (): Promise<void> => {
    onStart?.()
    const { fileIds, folderIds } = await findSelection(caller.owner, selection, now())
    if (fileIds.length > 0) await onFiles(fileIds)
    if (folderIds.length > 0) await onFolders(folderIds)
    await relabel(`${verb} ${formatCounts(fileIds.length, folderIds.length)}`)
  }
  const { file_ids, folder_ids, matching } = selection
  const isSmall = !matching && file_ids.length + folder_ids.length <= maxSmallIds
  return isSmall ? database.transaction(caller, verb, work) : database.longTransaction(caller, verb, 'large', work)
}

type FoundSelection = { fileIds: string[]; folderIds: string[] }

/** Returns the ids of a selection that exist. Throws `not_found` like `moveSelection` and if nothing matches, and `too_many`. */
export async function findSelection(owner: string, { file_ids, folder_ids, matching }: FileSelection, now: Date): Promise<FoundSelection> {
  const read = async (kind: RecordKind, ids: string[], criteria: Matching['files']): Promise<string[]> => {
    if (criteria) return readSelectedIds(kind, owner, { matching: criteria, limit: selectionLimits.matching }, now)
    return ids.length === 0 ? [] : findSelectedIds(kind, owner, toSelection(ids), now)
  }
  const [fileIds, folderIds] = await Promise.all([read(files, file_ids, matching?.files), read(folders, folder_ids, matching?.folders)])
  if (fileIds.length + folderIds.length === 0) throw new Refusal('not_found')
  return { fileIds, folderIds }
}

/** Returns the numbers of files and of folders that match, each up to one more than a selection may have. */
export async function countSelection(
  { database, now }: Services,
  caller: Caller,
  { files: fileCriteria, folders: folderCriteria }: Matching,
): Promise<{ file_count: number; folder_count: number }> {
  const count = async (kind: RecordKind, criteria: Matching['files']): Promise<number> =>
    criteria ? (await countRows(kind, caller.owner, { ...criteria, now: now() }, selectionLimits.matching + 1)).count : 0
  const [fileCount, folderCount] = await database.read(caller, () =>
    Promise.all([count(files, fileCriteria), count(folders, folderCriteria)]),
  )
  return { file_count: fileCount, folder_count: folderCount }
}

/** Returns a text such as "1 folder", "2 files" or "2 files and 1 folder". */
function formatCounts(fileCount: number, folderCount: number): string {
  const format = (count: number, noun: string): string[] => (count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`])
  return [...format(fileCount, 'file'), ...format(folderCount, 'folder')].join(' and ')
}

/** The verbs report an error under these fields; the error of a move names the field of its request instead. */
const moveFields: Readonly<Record<string, string>> = {
  'fields.parent_folder_id': 'folder_id',
  'fields.folder_id': 'folder_id',
  'fields.contact_id': 'contact_id',
  'fields.name': 'folder_ids',
}

async function withTargetErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal) || !error.extras.fields) throw error
    const entries = Object.entries(error.extras.fields).map(([field, message]) => [moveFields[field] ?? field, message])
    throw new Refusal(error.code, { ...error.extras, fields: Object.fromEntries(entries) }, error)
  }
}
