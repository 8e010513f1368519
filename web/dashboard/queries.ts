import { queryOptions } from '@tanstack/react-query'
import { changeRoutes } from '#contract/changes.ts'
import { dashboardRoutes } from '#contract/dashboard.ts'
import { call } from '#web/lib/client.ts'
import { everyTable } from '#web/lib/queries.ts'

/** The query of due tasks, pipeline and new contacts. */
export const overviewQuery = queryOptions({
  queryKey: ['dashboard', 'overview'],
  meta: { tables: [everyTable] },
  queryFn: ({ signal }) => call(dashboardRoutes.get, {}, { signal }),
})

export const recentChangesQuery = queryOptions({
  queryKey: ['dashboard', 'recent'],
  meta: { tables: [everyTable] },
  queryFn: ({ signal }) => call(changeRoutes.recent, { query: { limit: 5 } }, { signal }),
})
