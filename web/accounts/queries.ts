import { queryOptions } from '@tanstack/react-query'
import { accountRoutes, type Profile } from '#contract/accounts.ts'
import { call } from '#web/lib/client.ts'
import { formatFor } from '#web/lib/format.ts'
import { queries } from '#web/lib/queries.ts'
import { sessionQuery } from '#web/lib/session.ts'

/** What the sign-in page must know of this server. */
export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: ({ signal }) => call(accountRoutes.instance, {}, { signal }),
  staleTime: Infinity,
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call(accountRoutes.sessions, {}, { signal }),
})

/** After a save: every screen shows the new profile, and times are told in its zone. */
export function keepProfile(profile: Profile): void {
  formatFor(profile)
  queries.setQueryData(sessionQuery.queryKey, (known) => known && { ...known, profile })
}

export function keepEmail(email: string): void {
  queries.setQueryData(sessionQuery.queryKey, (known) => known && { ...known, user: { ...known.user, email } })
}
