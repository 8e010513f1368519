// The record kind of companies. The types in server/platform/records/kind.ts explain the options.
import { Company, companyColumns, companyFilters, CompanyRow, emptyCompany } from '#contract/companies.ts'
import { recordKinds } from '#contract/kinds.ts'
import { defineKind, createTextSort } from '#server/platform/records/kind.ts'

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
  slowFields: ['name'], // a trigger writes the new name to the rows of the company's contacts, which need it for searches and sorts
})
