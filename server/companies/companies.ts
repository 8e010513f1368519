// Companies: the businesses that contacts work for and deals are made with.
import { companyRoutes, type Company, type CompanyRow } from '#contract/companies.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { createRecordHandlers, createTagHandlers } from '#server/platform/records/handlers.ts'
import { companies } from './kind.ts'

export const companyFeature: Feature = {
  kinds: [companies],
  mount: (router, context) =>
    mount(router, companyRoutes, {
      ...createRecordHandlers<Company, CompanyRow>(companies, context),
      ...createTagHandlers(companies, context),
    }),
  webScreens: [{ path: '/crm/companies', module: 'web/companies/CompaniesPage.tsx' }],
}

/** Reads the names of existing companies by id. */
export async function readCompanyNames(owner: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; name: string }>('select id, name from companies where user_id = $1 and id = any($2)', [owner, ids])
  return new Map(rows.map(({ id, name }) => [id, name]))
}
