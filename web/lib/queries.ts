import { QueryClient, type Query } from '@tanstack/react-query'
import { ProblemError } from './client.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** The tables whose rows the query shows. A change in one of them invalidates the query. */
    queryMeta: { tables?: readonly string[] }
  }
}

/** Stands for every table. A query with this table is invalidated by any change. */
export const everyTable = '*'

/** The query cache of this tab. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', staleTime: 30_000, retry: shouldRetry, retryDelay: (failures) => 500 * 2 ** failures },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Invalidates the queries of these tables. Shown queries are refetched immediately, others when they are shown. */
export const refreshTables = (tables: readonly string[]): Promise<void> => queries.invalidateQueries({ predicate: showsAnyTable(tables) })

/** Returns a predicate for queries that show rows of one of these tables. */
export const showsAnyTable =
  (tables: readonly string[]) =>
  ({ meta }: Pick<Query, 'meta'>): boolean =>
    tables.includes(everyTable) || (meta?.tables?.some((table) => table === everyTable || tables.includes(table)) ?? false)

/** The time when this tab last requested or set the data of a query, by `performance.now`. */
const requestTimes = new WeakMap<Query, number>()

queries.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return
  const { action, query } = event // `action.manual` is true when `setQueryData` has set the data
  if (action.type === 'fetch' || (action.type === 'success' && action.manual)) requestTimes.set(query, performance.now())
})

/** Returns true when the data was requested after `time`. Such data includes every write that was committed before `time`. */
export const wasRequestedSince = (query: Query, time: number): boolean => (requestTimes.get(query) ?? -Infinity) >= time

function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= 2) return false
  return error instanceof ProblemError && (error.problem.code === 'offline' || error.problem.status >= 500)
}
