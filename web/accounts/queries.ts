import { queryOptions } from '@tanstack/react-query'
import { accountSettingsRoutes } from '#contract/accountSettings.ts'
import { accountRoutes } from '#contract/accounts.ts'
import { storageRoutes } from '#contract/storage.ts'
import { takeoutRoutes } from '#contract/takeout.ts'
import { call } from '#web/lib/client.ts'
import { everyTable } from '#web/lib/queries.ts'

/** The query of the server settings for sign-up and mail. */
export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: ({ signal }) => call(accountRoutes.instance, {}, { signal }),
  staleTime: Infinity,
})

/** The query of the sessions of the signed-in user, one for each device. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call(accountSettingsRoutes.sessions, {}, { signal }),
})

/** The query of the size of the download of everything. It is read again each time that its dialog opens. */
export const takeoutSizeQuery = queryOptions({
  queryKey: ['takeout'],
  queryFn: ({ signal }) => call(takeoutRoutes.size, {}, { signal }),
  staleTime: 0,
})

/** The query of the space that the records and their history need. */
export const recordSpaceQuery = queryOptions({
  queryKey: ['storage', 'records'],
  meta: { tables: [everyTable] },
  queryFn: ({ signal }) => call(storageRoutes.get, {}, { signal }),
})
