import { leadFormRoutes } from '#contract/leadForms.ts'
import { addressOf } from '#web/lib/client.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'

/** The lead forms before the application has started. */
export const leadFormsSkeleton: ScreenSkeleton = {
  path: '/lead-forms',
  title: 'Lead Forms',
  content: undefined,
  firstRequests: () => [addressOf(leadFormRoutes.list, { query: { limit: 200 } })],
}
