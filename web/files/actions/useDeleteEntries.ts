import { useMutation, useQueryClient } from '@tanstack/react-query'
import { fileRoutes } from '#contract/files.ts'
import { fileSelectionRoutes } from '#contract/fileSelection.ts'
import { folderRoutes } from '#contract/folders.ts'
import { recordKinds } from '#contract/kinds.ts'
import { callForChange, trackWrite } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { followChange, toastChange } from '#web/lib/undo.ts'
import { removeFromLists } from '#web/records/bulk/removeFromLists.ts'
import { splitByKind } from '../kind/entries.ts'
import { toFileSelection, type Selected } from '../kind/selected.ts'
import { describeEntries } from './describeEntries.ts'

const tables = [recordKinds.folder.table, recordKinds.file.table]

/**
 * Deletes folders and files. Removes them from the lists immediately, except when everything in a list is selected, because only a part of
 * that list may be loaded. If the request fails, restores the lists and shows a toast.
 */
export function useDeleteEntries() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (selected: Selected) => trackWrite(deleteEntries(selected)),
    onMutate: async ({ entries, everything }) => {
      if (everything) return undefined
      const { folderIds, fileIds } = splitByKind(entries)
      const restoreFolders = await removeFromLists(queries, recordKinds.folder.table, new Set(folderIds))
      const restoreFiles = await removeFromLists(queries, recordKinds.file.table, new Set(fileIds))
      return () => {
        restoreFiles()
        restoreFolders()
      }
    },
    onError: (error, { entries }, restoreLists) => {
      restoreLists?.()
      toastError(error, entries.some(({ kind }) => kind === 'folder') ? 'Error deleting folder' : 'Error deleting file')
    },
    onSuccess: ({ changeId, isRunning }, selected, restoreLists) => {
      const title = `${describeEntries(selected)} deleted`
      if (!isRunning) return toastChange(title, changeId)
      restoreLists?.() // a job deletes the entries after the response, so they still exist
      void followChange(changeId, { doneTitle: title })
    },
    onSettled: () => refreshTables(tables),
  })
}

function deleteEntries(selected: Selected): Promise<{ changeId: string | undefined; isRunning: boolean }> {
  const [first, ...others] = selected.entries
  if (!first || others.length > 0 || selected.everything)
    return callForChange(fileSelectionRoutes.delete, { body: toFileSelection(selected) })
  return callForChange(first.kind === 'folder' ? folderRoutes.delete : fileRoutes.delete, { params: { id: first.id } })
}
