import { infiniteQueryOptions } from '@tanstack/react-query'
import { changeRoutes } from '#contract/changes.ts'
import { call } from '#web/lib/client.ts'
import { anyTable } from '#web/lib/queries.ts'

/** What happened to a record, newest first. */
export const timelinePages = (record: string) =>
  infiniteQueryOptions({
    queryKey: ['timeline', record],
    meta: { tables: [anyTable] },
    queryFn: ({ pageParam, signal }) => call(changeRoutes.timeline, { query: { record, limit: 20, after: pageParam } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })
