import { companyRoutes } from '#contract/companies.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'
import { firstRequestsOfList } from '#web/records/list/firstRequests.ts'
import { RowsSkeleton } from '#web/ui/PageSkeleton.tsx'

/** The list of companies before the application has started. */
export const companiesSkeleton: ScreenSkeleton = {
  path: '/crm/companies',
  includesSubpaths: true, // a company opens in a panel over the list
  title: 'Companies',
  searchLabel: 'Search companies',
  content: <RowsSkeleton />,
  firstRequests: () => firstRequestsOfList(companyRoutes),
}
