import { Company, companyColumns, companyFilters, CompanyRow, emptyCompany } from '#contract/companies.ts'
import { recordKinds } from '#contract/kinds.ts'
import { defineKind, namedSort } from '#server/platform/records/kind.ts'

export const companies = defineKind({
  ...recordKinds.company,
  Full: Company,
  Row: CompanyRow,
  exported: companyColumns,
  empty: emptyCompany,
  titleOf: ({ name }) => String(name),
  searchResult: { sorted: 'name', title: 'c.name', detail: 'c.industry' },
  sorts: {
    name: namedSort('name'),
    industry: namedSort('industry'),
    employees_count: { column: 'employees_count', type: 'int', empty: 'is null' },
  },
  filters: companyFilters,
  links: {},
})
