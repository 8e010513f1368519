import { companyRoutes, type Company, type CompanyRow } from '#contract/companies.ts'
import type { AppContext } from '#server/platform/context.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { recordHandlers, tagHandlers } from '#server/platform/records/handlers.ts'
import { companies } from './kind.ts'

export function mountCompanies(router: Router, context: AppContext): void {
  mount(router, companyRoutes, { ...recordHandlers<Company, CompanyRow>(companies, context), ...tagHandlers(companies, context) })
}
