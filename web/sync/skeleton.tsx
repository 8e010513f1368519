import { crmConnectionRoutes } from '#contract/crmConnections.ts'
import { addressOf } from '#web/lib/client.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'

/** The CRM integration before the application has started. */
export const crmSkeleton: ScreenSkeleton = {
  path: '/crm',
  title: 'CRM Integration',
  content: undefined,
  firstRequests: () => [addressOf(crmConnectionRoutes.list, {})],
}
