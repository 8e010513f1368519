import { queryOptions } from '@tanstack/react-query'
import { analysisFunctionRoutes } from '#contract/aiFunctions.ts'
import { call, ProblemError } from '#web/lib/client.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import { fileKind } from '../kind/fileKind.ts'

/** A model on a small machine needs minutes for a long file. */
const timeoutSeconds = 600
const keptMs = 60 * 60 * 1000

/**
 * Asks the AI for an analysis of a file, and shows the outcome in a toast. The analysis is kept while the application is open, because it
 * costs tokens. Nobody waits for it after its dialog is closed, so the request is then stopped.
 */
export const analysisQuery = (id: string) =>
  queryOptions({
    queryKey: [...recordKeys(fileKind.table).one(id), 'analysis'],
    queryFn: async ({ signal }) => {
      try {
        const analysis = await call(analysisFunctionRoutes.analyzeFile, { body: { fileId: id } }, { signal, timeoutSeconds })
        toast({ kind: 'success', title: 'Analysis complete', message: `${analysis.fileName} has been analyzed by AI` })
        return analysis
      } catch (error) {
        if (!signal.aborted && !isAiOff(error)) toastError(error, 'Error analyzing file')
        throw error
      }
    },
    staleTime: Infinity,
    gcTime: keptMs,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** Whether the AI is not connected, which is not a failure of the analysis. */
export const isAiOff = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && ['ai_off', 'ai_key_lost'].includes(error.problem.code)
