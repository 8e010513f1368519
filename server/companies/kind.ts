import { Company, companyColumns, companyFilters, CompanyRow, emptyCompany } from '#contract/companies.ts'
import { recordKinds } from '#contract/kinds.ts'
import { defineKind, createTextSort } from '#server/platform/records/kind.ts'

export const companies = defineKind({
  ...recordKinds.company,
  Full: Company,
  Row: CompanyRow,
  exportColumnNames: companyColumns,
  empty: emptyCompany,
  titleOf: ({ name }) => String(name),
  searchResult: { sortColumn: 'name', title: 'c.name', detail: 'c.industry' },
  sorts: {
    name: createTextSort('name'),
    industry: createTextSort('industry'),
    employees_count: { column: 'employees_count', type: 'int', empty: 'is null' },
  },
  filters: companyFilters,
  links: {},
})
