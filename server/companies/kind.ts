import { companyFilters, emptyCompany, type companyColumns } from '#contract/companies.ts'
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
  exportColumns: {
    name: 'c.name',
    industry: 'c.industry',
    website: 'c.website',
    phone: 'c.phone',
    email: 'c.email',
    employees_count: 'c.employees_count',
    tags: 'c.tags',
    created_at: 'c.created_at',
  } satisfies Record<(typeof companyColumns)[number], string>,
  sorts: {
    name: namedSort('name'),
    industry: namedSort('industry'),
    employees_count: { column: 'employees_count', type: 'int', empty: 'is null' },
  },
  filters: companyFilters,
  links: {},
}
