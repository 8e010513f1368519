import { dealFilters, emptyDeal } from '#contract/deals.ts'
import { namedSort, type RecordKind } from '#server/platform/records/kind.ts'

const names = `coalesce((select p.name from crm_contacts p where p.user_id = c.user_id and p.id = c.contact_id), '') as contact_name,
  coalesce((select f.name from companies f where f.user_id = c.user_id and f.id = c.company_id), '') as company_name`
const shown = 'c.title, c.value, c.stage, c.probability, c.expected_close_date, c.contact_id, c.company_id, c.tags, c.created_at'

/** How the database has deals. */
export const deals: RecordKind = {
  one: 'deal',
  many: 'deals',
  table: 'deals',
  find: 'deals_find',
  writable: Object.keys(emptyDeal),
  empty: emptyDeal,
  columns: `${shown}, c.description, c.id, c.updated_at, c.version, ${names}`,
  rowColumns: `${shown}, c.id, c.updated_at, c.version, ${names}`,
  exportColumns: {
    title: 'c.title',
    stage: 'c.stage',
    value: 'c.value',
    probability: 'c.probability',
    expected_close_date: 'c.expected_close_date',
    contact_name: `(select p.name from crm_contacts p where p.user_id = c.user_id and p.id = c.contact_id)`,
    company_name: `(select f.name from companies f where f.user_id = c.user_id and f.id = c.company_id)`,
    tags: 'c.tags',
    description: 'c.description',
    created_at: 'c.created_at',
  },
  sorts: {
    title: namedSort('title'),
    value: { column: 'value', type: 'numeric', empty: 'is null' },
    expected_close_date: { column: 'expected_close_date', type: 'date', empty: 'is null' },
    changed: { column: 'updated_at', type: 'timestamptz', empty: 'is null' },
  },
  filters: dealFilters,
  links: {
    deals_contact: { field: 'contact_id', to: 'contact' },
    deals_company: { field: 'company_id', to: 'company' },
  },
}
