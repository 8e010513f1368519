import { queryOptions } from '@tanstack/react-query'
import { analysisFunctionRoutes } from '#contract/aiFunctions.ts'
import { call, ProblemError } from '#web/lib/client.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import { fileKind } from '../kind/fileKind.ts'

/** A model on a small machine needs minutes for a long file. */
const timeoutSeconds = 600
/** The time for which an analysis stays in memory after its dialog was closed. */
const cacheMs = 60 * 60 * 1000

/**
 * Asks the AI for an analysis of a file, and shows the outcome in a toast. The result is cached, because an analysis costs tokens. Closing
 * the dialog stops a running request.
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
    staleTime: 'static', // with Infinity, a refresh of all data would send the request again
    gcTime: cacheMs,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** Whether the AI is not connected, which is not a failure of the analysis. */
export const isAiOff = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && ['ai_off', 'ai_key_lost'].includes(error.problem.code)
