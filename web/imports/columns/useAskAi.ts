import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { importRoutes, type ImportDetails } from '#contract/imports.ts'
import { call } from '#web/lib/client.ts'
import { formatCount } from '#web/lib/format.ts'
import { queries } from '#web/lib/queries.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { importQuery } from '../queries.ts'
import { correctionScope } from './useCorrections.ts'

/** A model on a small machine needs minutes. */
const timeoutSeconds = 600

/** Asks the AI about the unsure columns of an import, after the pending corrections are saved. Leaving the page stops the request. */
export function useAskAi({ id }: ImportDetails, { onDone }: { onDone: () => void }) {
  const { queryKey } = importQuery(id)
  const request = useRef<AbortController>(undefined)
  useEffect(() => () => request.current?.abort(), [])
  const mutation = useMutation({
    scope: correctionScope(id),
    mutationFn: async ({ signal }: AbortController) => {
      const details = await call(importRoutes.askAi, { params: { id } }, { signal, timeoutSeconds })
      signal.throwIfAborted()
      return details
    },
    onMutate: () => queries.cancelQueries({ queryKey }),
    onSuccess: (details) => {
      onDone()
      queries.setQueryData(queryKey, details)
      announce(countSuggestions(details))
    },
    onError: (error, { signal }) => {
      if (!signal.aborted) toastError(error, 'Error asking the AI')
      void queries.invalidateQueries({ queryKey })
    },
  })
  return {
    isAsking: mutation.isPending,
    ask: (): void => mutation.mutate((request.current = new AbortController())),
    stop: (): void => request.current?.abort(),
  }
}

const countSuggestions = ({ table }: ImportDetails): number =>
  table.columns.filter(({ field, reason }) => reason === 'ai' && field !== null).length

function announce(count: number): void {
  if (count === 0) return toast({ kind: 'info', title: 'No suggestions', message: 'The AI found no fields for these columns.' })
  const message = `${formatCount(count, 'column has', 'columns have')} a field that the AI suggests. Please check.`
  toast({ kind: 'success', title: 'AI suggestions', message })
}
