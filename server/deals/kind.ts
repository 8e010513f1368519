// The record kind of deals. The types in server/platform/records/kind.ts explain the options.
import { Deal, dealColumns, dealFilters, DealRow, emptyDeal } from '#contract/deals.ts'
import { recordKinds } from '#contract/kinds.ts'
import { defineKind, createTitleSql, createTextSort, type Link } from '#server/platform/records/kind.ts'

const contact: Link = { field: 'contact_id', to: recordKinds.contact, titleField: 'contact_name' }
const company: Link = { field: 'company_id', to: recordKinds.company, titleField: 'company_name' }

export const deals = defineKind({
  ...recordKinds.deal,
  FullRecord: Deal,
  Row: DealRow,
  exportColumnNames: dealColumns,
  emptyRecord: emptyDeal,
  titleOf: ({ title }) => String(title),
  searchResult: {
    sortColumn: 'title',
    title: 'c.title',
    detail: `case when c.company_id is null then ${createTitleSql(contact)} else ${createTitleSql(company)} end`,
  },
  sorts: {
    title: createTextSort('title'),
    value: { column: 'value', type: 'numeric', emptyCondition: 'is null' },
    expected_close_date: { column: 'expected_close_date', type: 'date', emptyCondition: 'is null' },
    changed: { column: 'updated_at', type: 'timestamptz', emptyCondition: 'is null' },
  },
  filters: dealFilters,
  linksByConstraint: { deals_contact: contact, deals_company: company },
  timelineFields: ['stage'],
})
