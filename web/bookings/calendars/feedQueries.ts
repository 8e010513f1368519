import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { calendarFeedRoutes } from '#contract/calendarFeed.ts'
import { call } from '#web/lib/client.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastWithoutUndo } from '#web/lib/withoutUndo.ts'

/** Loads the secret address of the feed, from which other calendars read the bookings. */
export const feedQuery = queryOptions({
  queryKey: ['calendar_feeds'],
  meta: { tables: ['calendar_feeds'] },
  queryFn: ({ signal }) => call(calendarFeedRoutes.get, {}, { signal }),
})

/** Turns the feed on, or replaces its address. `title` is the title of the toast. */
export function useRenewFeed(title: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(calendarFeedRoutes.renew, {}),
    onError: (error) => toastError(error),
    onSuccess: (feed) => {
      queries.setQueryData(feedQuery.queryKey, feed)
      toastWithoutUndo(title)
    },
  })
}

export function useTurnOffFeed() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(calendarFeedRoutes.delete, {}),
    onError: (error) => toastError(error),
    onSuccess: () => {
      queries.setQueryData(feedQuery.queryKey, { address: null })
      toastWithoutUndo('Calendar feed turned off')
    },
  })
}
