import { dealFilters, emptyDeal, type dealColumns } from '#contract/deals.ts'
import { companyName } from '#server/companies/companies.ts'
import { contactName } from '#server/contacts/contacts.ts'
import { namedSort, type RecordKind } from '#server/platform/records/kind.ts'

const names = `${contactName} as contact_name, ${companyName} as company_name`
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
    contact_name: contactName,
    company_name: companyName,
    tags: 'c.tags',
    description: 'c.description',
    created_at: 'c.created_at',
  } satisfies Record<(typeof dealColumns)[number], string>,
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
