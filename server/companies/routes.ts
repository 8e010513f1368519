import { companyRoutes, type Company, type CompanyRow } from '#contract/companies.ts'
import type { House } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import { recordHandlers, tagHandlers } from '#server/platform/records/handlers.ts'
import { companies } from './kind.ts'

export function mountCompanies(door: Door, house: House): void {
  mount(door, companyRoutes, { ...recordHandlers<Company, CompanyRow>(companies, house), ...tagHandlers(companies, house) })
}
