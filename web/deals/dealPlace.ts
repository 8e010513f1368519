import { recordKinds } from '#contract/kinds.ts'
import { dealRoutes } from '#contract/deals.ts'

/** Where deals stand and how they are deleted. */
export const dealPlace = { ...recordKinds.deal, path: '/crm/deals', routes: dealRoutes } as const
