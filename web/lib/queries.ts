import { QueryClient } from '@tanstack/react-query'
import { ProblemError } from './client.ts'

/** What this tab knows of the server. Keys begin with the table they show: `['crm_contacts', 'list', ...]`. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', staleTime: 30_000, retry: isWorthAnotherTry, retryDelay: (failures) => 500 * 2 ** failures },
    mutations: { networkMode: 'always', retry: false },
  },
})

function isWorthAnotherTry(failures: number, error: Error): boolean {
  if (failures >= 2) return false
  return error instanceof ProblemError && (error.problem.code === 'offline' || error.problem.status >= 500)
}
