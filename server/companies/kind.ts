import { companyFilters, emptyCompany } from '#contract/companies.ts'
import { namedSort, type RecordKind } from '#server/platform/records/kind.ts'

const shown = ['name', 'industry', 'website', 'phone', 'email', 'employees_count', 'tags', 'created_at']

/** How the database has companies. */
export const companies: RecordKind = {
  one: 'company',
  many: 'companies',
  table: 'companies',
  find: 'companies_find',
  writable: Object.keys(emptyCompany),
  empty: emptyCompany,
  columns: `${shown.join(', ')}, id, updated_at, version`,
  rowColumns: `${shown.map((column) => `c.${column}`).join(', ')}, c.id, c.version`,
  exportColumns: Object.fromEntries(shown.map((column) => [column, `c.${column}`])),
  sorts: {
    name: namedSort('name'),
    industry: namedSort('industry'),
    employees_count: { column: 'employees_count', type: 'int', empty: 'is null' },
  },
  filters: companyFilters,
  links: {},
}
