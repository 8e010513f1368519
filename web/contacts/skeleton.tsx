import { contactRoutes } from '#contract/contacts.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'
import { firstRequestsOfList } from '#web/records/list/firstRequests.ts'
import { RowsSkeleton } from '#web/ui/PageSkeleton.tsx'

/** The list of contacts before the application has started. */
export const contactsSkeleton: ScreenSkeleton = {
  path: '/crm/contacts',
  title: 'Contacts',
  searchLabel: 'Search contacts',
  content: <RowsSkeleton />,
  firstRequests: () => firstRequestsOfList(contactRoutes),
}
