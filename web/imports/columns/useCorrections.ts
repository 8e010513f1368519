import { useIsMutating, useMutation } from '@tanstack/react-query'
import { importRoutes, type ImportDetails } from '#contract/imports.ts'
import type { RequestInput } from '#contract/route.ts'
import { call } from '#web/lib/client.ts'
import { queries } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { importQuery } from '../queries.ts'

type Correction = RequestInput<typeof importRoutes.change>['body']

/** How the file is read: another encoding, another separator, another sheet, with or without a header. */
export type ReadSettings = Pick<Correction, 'encoding' | 'separator' | 'sheet' | 'has_header'>

/** The scope of all requests that change the columns of an import, which are sent one after the other. */
export const correctionScope = (id: string) => ({ id: `imports correct ${id}` })

/**
 * Corrects how the file of an import is read and mapped. A chosen field is shown at once; the response has the new preview. Corrections are
 * sent one after the other, and only the response to the last one is shown.
 */
export function useCorrections({ id }: ImportDetails) {
  const { queryKey } = importQuery(id)
  const mutationKey = ['imports', 'correct', id]
  const readingKey = [...mutationKey, 'reading'] // the filters with `mutationKey` include it
  const options = {
    scope: correctionScope(id),
    mutationFn: (body: Correction) => call(importRoutes.change, { params: { id }, body }),
    onMutate: () => queries.cancelQueries({ queryKey }),
    onSuccess: (details: ImportDetails) => {
      if (queries.isMutating({ mutationKey }) === 1) queries.setQueryData(queryKey, details)
    },
    onError: (error: unknown) => {
      toastError(error)
      void queries.invalidateQueries({ queryKey })
    },
  }
  const choice = useMutation({ ...options, mutationKey })
  const reading = useMutation({ ...options, mutationKey: readingKey })
  return {
    isPending: useIsMutating({ mutationKey }) > 0,
    /** Until the file is read, its columns are not known: no field can be chosen, and the import cannot start. */
    isReadingAgain: useIsMutating({ mutationKey: readingKey }) > 0,
    /** Maps a column to a field; null for no field. */
    chooseField: (index: number, field: string | null): void => {
      const details = queries.getQueryData(queryKey)
      if (!details) return
      const columns = details.table.columns.map((column, each) => (each === index ? { ...column, ...chosenByUser, field } : column))
      queries.setQueryData(queryKey, { ...details, table: { ...details.table, columns } })
      choice.mutate({ fields: columns.map((column) => column.field) })
    },
    /** Reads the file again. Its columns are then mapped again. */
    readAgain: (settings: ReadSettings): void => reading.mutate(settings),
  }
}

const chosenByUser = { certainty: 'sure', reason: 'chosen' } as const
