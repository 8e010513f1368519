import { useMutation, useQueryClient } from '@tanstack/react-query'
import { fileSelectionRoutes } from '#contract/fileSelection.ts'
import { recordKinds } from '#contract/kinds.ts'
import { callForChange, trackWrite } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import { removeFromLists } from '#web/records/bulk/removeFromLists.ts'
import { splitByKind, type Entry } from '../kind/entries.ts'
import { describeEntries } from './describeEntries.ts'

/** The folder into which something is moved. The id of the root folder is null. */
export type MoveTarget = { id: string | null; name: string }
/** The contact to which files are attached. */
export type AttachTarget = { contactId: string; name: string }

type Move = {
  entries: readonly Entry[]
  target: MoveTarget | AttachTarget
  /** Removes the entries from the lists immediately. Otherwise they stay until the server has answered. */
  isOptimistic?: boolean
}

/** Moves folders and files into a folder, or files to a contact, as one change, and shows a toast with Undo. */
export function useMoveEntries() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ entries, target }: Move) => trackWrite(sendMove(entries, target)),
    onMutate: async ({ entries, isOptimistic = false }) => {
      if (!isOptimistic) return undefined
      const { folderIds, fileIds } = splitByKind(entries)
      const restoreFolders = await removeFromLists(queries, recordKinds.folder.table, new Set(folderIds))
      const restoreFiles = await removeFromLists(queries, recordKinds.file.table, new Set(fileIds))
      return () => {
        restoreFiles()
        restoreFolders()
      }
    },
    onError: (error, { isOptimistic = false }, restoreLists) => {
      restoreLists?.()
      if (isOptimistic) toastError(error, 'Error moving files') // the dialog shows the error itself
    },
    onSuccess: ({ changeId }, { entries, target }) => {
      if (changeId === undefined) toast({ kind: 'info', title: 'Nothing to move', message: `Everything is in ${target.name} already.` })
      else toastChange(`${describeEntries(entries)} ${'contactId' in target ? 'attached' : 'moved'} to ${target.name}`, changeId)
    },
    onSettled: () => refreshTables([recordKinds.folder.table, recordKinds.file.table]),
  })
}

function sendMove(entries: readonly Entry[], target: Move['target']): Promise<{ changeId: string | undefined }> {
  const { folderIds, fileIds } = splitByKind(entries)
  const place = 'contactId' in target ? { folder_id: null, contact_id: target.contactId } : { folder_id: target.id }
  return callForChange(fileSelectionRoutes.move, { body: { folder_ids: folderIds, file_ids: fileIds, ...place } })
}
