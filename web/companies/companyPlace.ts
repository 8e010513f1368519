import { companyRoutes } from '#contract/companies.ts'
import { companiesTable } from './queries.ts'

/** Where companies stand and how they are deleted. */
export const companyPlace = {
  one: 'company',
  many: 'companies',
  table: companiesTable,
  path: '/crm/companies',
  routes: companyRoutes,
} as const
