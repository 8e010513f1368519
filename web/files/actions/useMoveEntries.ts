import { useMutation, useQueryClient } from '@tanstack/react-query'
import { fileSelectionRoutes } from '#contract/fileSelection.ts'
import { recordKinds } from '#contract/kinds.ts'
import { callForChange, trackWrite } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import { removeFromLists } from '#web/records/bulk/removeFromLists.ts'
import { useToastAfterClose } from '#web/records/form/useToastAfterClose.ts'
import { splitByKind } from '../kind/entries.ts'
import { toFileSelection, type Selected } from '../kind/selected.ts'
import { describeEntries } from './describeEntries.ts'

/** The folder into which something is moved. The id of the root folder is null. */
export type MoveTarget = { id: string | null; name: string }
/** The contact to which files are attached. */
type AttachTarget = { contactId: string; name: string }

type Move = {
  selected: Selected
  target: MoveTarget | AttachTarget
  /** Removes the entries from the lists before the server has responded, except when everything in a list is selected. */
  isOptimistic?: boolean
}

const failureTitle = 'Error moving files'

/** Moves folders and files into a folder, or files to a contact, as one change, and shows a toast with Undo. */
export function useMoveEntries() {
  const queries = useQueryClient()
  const toastAfterClose = useToastAfterClose(failureTitle)
  return useMutation({
    mutationFn: ({ selected, target }: Move) => trackWrite(sendMove(selected, target)),
    onMutate: async ({ selected: { entries, everything }, isOptimistic = false }) => {
      if (!isOptimistic || everything) return undefined
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
      if (isOptimistic) toastError(error, failureTitle)
      else toastAfterClose(error) // the move was sent by a dialog
    },
    onSuccess: ({ changeId }, { selected, target }) => {
      if (changeId === undefined) toast({ kind: 'info', title: 'Nothing to move', message: `Everything is in ${target.name} already.` })
      else toastChange(`${describeEntries(selected)} ${'contactId' in target ? 'attached' : 'moved'} to ${target.name}`, changeId)
    },
    onSettled: () => refreshTables([recordKinds.folder.table, recordKinds.file.table]),
  })
}

function sendMove(selected: Selected, target: Move['target']): Promise<{ changeId: string | undefined }> {
  const place = 'contactId' in target ? { folder_id: null, contact_id: target.contactId } : { folder_id: target.id }
  return callForChange(fileSelectionRoutes.move, { body: { ...toFileSelection(selected), ...place } })
}
