import { Deal, dealColumns, dealFilters, DealRow, emptyDeal } from '#contract/deals.ts'
import { companyName } from '#server/companies/companies.ts'
import { contactName } from '#server/contacts/contacts.ts'
import { recordKinds } from '#contract/kinds.ts'
import { defineKind, namedSort } from '#server/platform/records/kind.ts'

/** How the database has deals. */
export const deals = defineKind({
  ...recordKinds.deal,
  Kept: Deal,
  Row: DealRow,
  exported: dealColumns,
  computed: { contact_name: contactName, company_name: companyName },
  empty: emptyDeal,
  nameOf: ({ title }) => String(title),
  found: { sorted: 'title', title: 'c.title', detail: `case when c.company_id is null then ${contactName} else ${companyName} end` },
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
  told: ['stage'],
})
