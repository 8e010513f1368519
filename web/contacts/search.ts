import * as z from 'zod/mini'
import { contactSorts, type ContactSort } from '#contract/contacts.ts'

/** How the list is searched and sorted. It stands in the address, so that Back, a reload and a sent link find the same list. */
type InAddress = { search?: string | undefined; sort?: ContactSort | undefined; order?: Order | undefined }
type Order = 'asc' | 'desc'

const Text = z.union([z.string(), z.number()]) // the router reads 42 as a number
const Sort = z.enum(contactSorts)
const Order = z.enum(['asc', 'desc'])

export type Search = { search: string; sort: ContactSort; order: Order }

/** What the address says, without what cannot be read and what goes without saying. */
export function readSearch({ search, sort, order }: Record<string, unknown>): InAddress {
  const text = String(Text.safeParse(search).data ?? '').slice(0, 200)
  return toAddress(fromAddress({ search: text, sort: Sort.safeParse(sort).data, order: Order.safeParse(order).data }))
}

export const fromAddress = ({ search = '', sort = 'newest', order = 'asc' }: InAddress): Search => ({
  search,
  sort,
  order: sort === 'newest' ? 'asc' : order,
})

export const toAddress = ({ search, sort, order }: Search): InAddress => ({
  ...(search.trim() && { search }),
  ...(sort !== 'newest' && { sort }),
  ...(sort !== 'newest' && order === 'desc' && { order }),
})

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

/** Where a click on a column's head leads: A to Z, then Z to A, then back to newest first. */
export function nextSort({ sort, order }: Search, column: string): Pick<Search, 'sort' | 'order'> {
  const chosen = contactSorts.find((each) => each === column) ?? 'newest'
  if (chosen !== sort) return { sort: chosen, order: 'asc' }
  return order === 'asc' ? { sort: chosen, order: 'desc' } : { sort: 'newest', order: 'asc' }
}
