import { recordKinds } from '#contract/kinds.ts'
import { companyRoutes } from '#contract/companies.ts'

/** Where companies stand and how they are deleted. */
export const companyPlace = {
  ...recordKinds.company,
  path: '/crm/companies',
  routes: companyRoutes,
} as const
