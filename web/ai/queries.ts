import { queryOptions } from '@tanstack/react-query'
import { aiEndpointRoutes, aiRoutes } from '#contract/ai.ts'
import { call } from '#web/lib/client.ts'

/** The query of the AI usage of this month. It is refetched each time the page opens. */
export const aiUsageQuery = queryOptions({
  queryKey: ['ai_usage'],
  queryFn: ({ signal }) => call(aiRoutes.usage, {}, { signal }),
  staleTime: 0,
})

/** The query of the AI servers that run on the same machine as Foyer. */
export const localServersQuery = queryOptions({
  queryKey: ['ai_connections', 'local servers'],
  queryFn: ({ signal }) => call(aiEndpointRoutes.local, {}, { signal }),
})
