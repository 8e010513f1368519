import { dealRoutes } from '#contract/deals.ts'
import { dealsTable } from './queries.ts'

/** Where deals stand and how they are deleted. */
export const dealPlace = { one: 'deal', many: 'deals', table: dealsTable, path: '/crm/deals', routes: dealRoutes } as const
