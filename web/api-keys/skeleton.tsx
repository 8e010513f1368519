import { apiKeyRoutes } from '#contract/apiKeys.ts'
import { addressOf } from '#web/lib/client.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'

/** The API keys before the application has started. */
export const apiKeysSkeleton: ScreenSkeleton = {
  path: '/api-keys',
  title: 'API Keys',
  content: undefined,
  firstRequests: () => [addressOf(apiKeyRoutes.list, {})],
}
