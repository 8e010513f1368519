import { Company, companyColumns, companyFilters, CompanyRow, emptyCompany } from '#contract/companies.ts'
import { recordKinds } from '#contract/kinds.ts'
import { sql } from '#server/platform/database/database.ts'
import { defineKind, createTextSort, type Fields } from '#server/platform/records/kind.ts'

export const companies = defineKind({
  ...recordKinds.company,
  FullRecord: Company,
  Row: CompanyRow,
  exportColumnNames: companyColumns,
  emptyRecord: emptyCompany,
  titleOf: ({ name }) => String(name),
  searchResult: { sortColumn: 'name', title: 'c.name', detail: 'c.industry' },
  sorts: {
    name: createTextSort('name'),
    industry: createTextSort('industry'),
    employees_count: { column: 'employees_count', type: 'int', emptyCondition: 'is null' },
  },
  filters: companyFilters,
  foldedColumns: ['name'],
  linksByConstraint: {},
  afterEdit: { fields: ['name'], run: renameInContacts },
})

/**
 * Writes the new name of companies to their linked contacts. Contacts store the name of their company, so that searches and sorts find it
 * in their own row.
 */
function renameInContacts(owner: string, ids: readonly string[], { name }: Fields): Promise<unknown> {
  // locked in the order of their ids, which prevents deadlocks
  const linked = 'select id from crm_contacts where user_id = $1 and company_id = any($2) and company <> $3 order by id for no key update'
  return sql(`update crm_contacts c set company = $3 from (${linked}) linked where c.user_id = $1 and c.id = linked.id`, [owner, ids, name])
}
