import type { HitKind } from '#contract/search.ts'
import { companyName } from '#server/companies/companies.ts'
import { contactName } from '#server/contacts/contacts.ts'

/** How a kind of record is found, and how it is shown, of the row `c` of its table. */
export type FoundKind = {
  kind: HitKind
  table: string
  find: string
  /** The column of the title, by which lists are sorted. */
  sorted?: 'name' | 'title'
  title: string
  detail: string
  contact_id?: string
}

/** In the order in which equally good hits come. */
export const foundKinds: readonly FoundKind[] = [
  {
    kind: 'contact',
    table: 'crm_contacts',
    find: 'crm_contacts_find',
    sorted: 'name',
    title: 'c.name',
    detail: `case when c.company <> '' then c.company else c.email end`,
  },
  { kind: 'company', table: 'companies', find: 'companies_find', sorted: 'name', title: 'c.name', detail: 'c.industry' },
  {
    kind: 'deal',
    table: 'deals',
    find: 'deals_find',
    sorted: 'title',
    title: 'c.title',
    detail: `case when c.company_id is null then ${contactName} else ${companyName} end`,
  },
  { kind: 'task', table: 'tasks', find: 'tasks_find', sorted: 'title', title: 'c.title', detail: contactName },
  {
    kind: 'note',
    table: 'notes',
    find: 'notes_find',
    title: `translate(left(c.content, 100), E'\\n\\r\\t', '   ')`,
    detail: contactName,
    contact_id: 'c.contact_id',
  },
]
