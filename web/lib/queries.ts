import { QueryClient, type Query } from '@tanstack/react-query'
import { ProblemError } from './client.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** The tables whose rows an answer shows: a change in one of them makes it old. */
    queryMeta: { tables?: readonly string[] }
  }
}

/** Stands for every table: what shows a history gets older with any change. */
export const anyTable = '*'

/** What this tab knows of the server. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', staleTime: 30_000, retry: isWorthAnotherTry, retryDelay: (failures) => 500 * 2 ** failures },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Fetches again what shows rows of these tables, and lets everything else of them be fetched anew when it is shown. */
export const refreshTables = (tables: readonly string[]): Promise<void> => queries.invalidateQueries({ predicate: showsAny(tables) })

/** Whether a query shows rows of one of these tables. */
export const showsAny =
  (tables: readonly string[]) =>
  ({ meta }: Pick<Query, 'meta'>): boolean =>
    tables.includes(anyTable) || (meta?.tables?.some((table) => table === anyTable || tables.includes(table)) ?? false)

function isWorthAnotherTry(failures: number, error: Error): boolean {
  if (failures >= 2) return false
  return error instanceof ProblemError && (error.problem.code === 'offline' || error.problem.status >= 500)
}
