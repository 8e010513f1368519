import { useMutation } from '@tanstack/react-query'
import { importRoutes, type Import } from '#contract/imports.ts'
import { call } from '#web/lib/client.ts'
import { showLoadFailure } from '#web/lib/lazyPart.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { loadUndo, undoChange } from '#web/lib/undo.ts'
import { toastWithoutUndo } from '#web/lib/withoutUndo.ts'

/** Undoes an import, also one that runs. Toasts show the progress and the result. */
export const useUndoImport = () =>
  useMutation({
    mutationFn: async ({ undo_id: undoId, file_name: name }: Import) => {
      if (undoId) await undoChange(undoId, `import of ${name}`)
    },
    onSettled: () => refreshTables(['imports']),
  })

/** Redoes an import that is undone. */
export const useRedoImport = () =>
  useMutation({
    mutationFn: async ({ redo_id: redoId, file_name: name }: Import) => {
      const { redoOne } = await loadUndo()
      if (redoId) await redoOne(redoId, `import of ${name}`)
    },
    onError: showLoadFailure, // other failures are shown by `redoOne`
    onSettled: () => refreshTables(['imports']),
  })

/** Stops an import. The rows that were imported stay. */
export const useStopImport = () =>
  useMutation({
    mutationFn: (id: string) => call(importRoutes.stop, { params: { id } }),
    onError: (error) => toastError(error),
    onSettled: () => refreshTables(['imports']),
  })

/** Whether an import may be removed from the history: it has ended and cannot be undone any more. */
export const isRemovable = ({ status, undo_id: undoId }: Import): boolean =>
  status !== 'uploaded' && status !== 'running' && undoId === null

/** Deletes an ended import from the history. Its records stay. */
export const useRemoveImport = () =>
  useMutation({
    mutationFn: ({ id }: Import) => call(importRoutes.delete, { params: { id } }),
    onSuccess: (_nothing, { file_name: name }) => toastWithoutUndo('Removed from the history', name),
    onError: (error) => toastError(error),
    onSettled: () => refreshTables(['imports']),
  })

/** Deletes an uploaded file that was not imported. Asks no question, because the user still has the file. */
export const useDiscardImport = () =>
  useMutation({
    mutationFn: ({ id }: Import) => call(importRoutes.delete, { params: { id } }),
    onSuccess: (_nothing, { file_name: name }) => toastWithoutUndo('Import discarded', `Nothing was imported from ${name}.`),
    onError: (error) => toastError(error),
    onSettled: () => refreshTables(['imports']),
  })
