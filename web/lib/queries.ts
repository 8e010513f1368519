import { QueryClient, type Query } from '@tanstack/react-query'
import { ProblemError } from './client.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** The tables whose rows the query shows. A change in one of them invalidates it. */
    queryMeta: { tables?: readonly string[] }
  }
}

/** Stands for every table, for queries that any change invalidates. */
export const anyTable = '*'

/** The query cache of this tab. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', staleTime: 30_000, retry: shouldRetry, retryDelay: (failures) => 500 * 2 ** failures },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Refetches the shown queries of these tables; queries that are not shown are refetched when they are shown. */
export const refreshTables = (tables: readonly string[]): Promise<void> => queries.invalidateQueries({ predicate: showsAny(tables) })

/** Whether a query shows rows of one of these tables. */
export const showsAny =
  (tables: readonly string[]) =>
  ({ meta }: Pick<Query, 'meta'>): boolean =>
    tables.includes(anyTable) || (meta?.tables?.some((table) => table === anyTable || tables.includes(table)) ?? false)

/** When the data of a query was last requested or set by this tab, by `performance.now`. */
const requestedAt = new WeakMap<Query, number>()

queries.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return
  const { action, query } = event
  if (action.type === 'fetch' || (action.type === 'success' && action.manual)) requestedAt.set(query, performance.now())
})

/** Whether the data of a query was requested since, and therefore shows everything that was committed before. */
export const wasRequestedSince = (query: Query, time: number): boolean => (requestedAt.get(query) ?? -Infinity) >= time

function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= 2) return false
  return error instanceof ProblemError && (error.problem.code === 'offline' || error.problem.status >= 500)
}
