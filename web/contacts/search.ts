import { contactSorts, type ContactSort } from '#contract/contacts.ts'
import { listSearch, type ListSearch } from '#web/records/listSearch.ts'

/** How the list is searched and sorted. */
export type Search = ListSearch<ContactSort>

export const { readSearch, fromAddress, toAddress, nextSort } = listSearch(contactSorts, 'newest')

/** The ways to sort, in the order of the menu. */
export const sortChoices = [
  { name: 'newest', label: 'Newest first', sort: 'newest', order: 'asc' },
  { name: 'name', label: 'Name, A to Z', sort: 'name', order: 'asc' },
  { name: 'name-desc', label: 'Name, Z to A', sort: 'name', order: 'desc' },
  { name: 'email', label: 'Email, A to Z', sort: 'email', order: 'asc' },
  { name: 'email-desc', label: 'Email, Z to A', sort: 'email', order: 'desc' },
  { name: 'company', label: 'Company, A to Z', sort: 'company', order: 'asc' },
  { name: 'company-desc', label: 'Company, Z to A', sort: 'company', order: 'desc' },
] as const satisfies readonly { name: string; label: string; sort: ContactSort; order: 'asc' | 'desc' }[]
