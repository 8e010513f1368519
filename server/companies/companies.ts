// Companies: the businesses that contacts work for and deals are made with.
import { companyRoutes, type Company, type CompanyRow } from '#contract/companies.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Feature } from '#server/platform/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { recordHandlers, tagHandlers } from '#server/platform/records/handlers.ts'
import { companies } from './kind.ts'

export const companyFeature: Feature = {
  kinds: [companies],
  mount: (router, context) =>
    mount(router, companyRoutes, { ...recordHandlers<Company, CompanyRow>(companies, context), ...tagHandlers(companies, context) }),
  screens: [{ path: '/crm/companies', module: 'web/companies/CompaniesPage.tsx' }],
}

/** The name of a company; undefined where there is none of this id. */
export async function readCompanyName(owner: string, id: string): Promise<string | undefined> {
  const [company] = await sql<{ name: string }>('select name from companies where user_id = $1 and id = $2', [owner, id])
  return company?.name
}
