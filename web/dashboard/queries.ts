import { queryOptions } from '@tanstack/react-query'
import { changeRoutes } from '#contract/changes.ts'
import { dashboardRoutes } from '#contract/dashboard.ts'
import { storageRoutes } from '#contract/storage.ts'
import { call } from '#web/lib/client.ts'
import { everyTable } from '#web/lib/queries.ts'

/** The query of the due tasks, the bookings to come, the pipeline and the new contacts. */
export const overviewQuery = queryOptions({
  queryKey: ['dashboard', 'overview'],
  meta: { tables: [everyTable] },
  queryFn: ({ signal }) => call(dashboardRoutes.get, {}, { signal }),
})

/** The query of the five latest changes. */
export const recentChangesQuery = queryOptions({
  queryKey: ['dashboard', 'recent'],
  meta: { tables: [everyTable] },
  queryFn: ({ signal }) => call(changeRoutes.recent, { query: { limit: 5 } }, { signal }),
})

/** The query of the space that the files need. */
export const storageQuery = queryOptions({
  queryKey: ['files', 'storage'],
  meta: { tables: ['files'] },
  queryFn: ({ signal }) => call(storageRoutes.get, {}, { signal }),
})
