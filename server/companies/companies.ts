// Companies: the businesses that contacts work for and deals are made with.
import { companyRoutes, type Company, type CompanyRow } from '#contract/companies.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { createRecordHandlers, createSumHandlers, createTagHandlers } from '#server/platform/records/handlers.ts'
import { createRecord, type Services } from '#server/platform/records/verbs.ts'
import { companies } from './kind.ts'

export const companyFeature: Feature = {
  kinds: [companies],
  mount: (router, context) =>
    mount(router, companyRoutes, {
      ...createRecordHandlers<Company, CompanyRow>(companies, context),
      ...createTagHandlers(companies, context),
      ...createSumHandlers(companies, context),
    }),
  webScreens: [{ path: '/crm/companies', module: 'web/companies/CompaniesPage.tsx' }],
}

/** Adds a company of which only the name is known. */
export const addCompany = (services: Services, caller: Caller, name: string): Promise<Company> =>
  createRecord<Company>(services, caller, companies, { name })

/** Reads the names of existing companies by id. */
export async function readCompanyNames(owner: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; name: string }>('select id, name from companies where user_id = $1 and id = any($2)', [owner, ids])
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * Returns SQL for a column of the company whose name equals a text, without regard to case and accents (`app.fold`). The value is null if
 * no company or several companies have the name. `text` is SQL, and `$1` is the owner. `limit 2` is enough to know whether there are
 * several.
 */
export const namedCompanySql = (column: 'id' | 'name', text: string): string =>
  `(select case when count(*) = 1 then (array_agg(${column}))[1] end from
     (select id, name from companies_find where user_id = $1 and app.fold(name) = app.fold(${text}) limit 2) named)`

/** A company whose name equals `text`, without regard to case and accents. */
export type NamedCompany = { text: string; id: string; name: string }

/**
 * Finds the company of each text: the one whose name equals the text, without regard to case and accents. A text that is the name of
 * several companies is not in the result.
 */
export async function findCompaniesByName(owner: string, texts: readonly string[]): Promise<Map<string, NamedCompany>> {
  const rows = await sql<NamedCompany & { count: number }>(
    `select typed.text, min(c.name) as name, min(c.id::text) as id, count(*) as count from unnest($2::text[]) typed (text)
     cross join lateral (select id, name from companies_find c where user_id = $1 and app.fold(name) = app.fold(typed.text) limit 2) c
     group by typed.text`,
    [owner, [...new Set(texts)]],
  )
  return new Map(rows.flatMap(({ count, ...company }) => (count === 1 ? [[company.text, company]] : [])))
}
