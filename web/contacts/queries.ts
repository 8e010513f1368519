import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { contactRoutes } from '#contract/contacts.ts'
import { call } from '#web/lib/client.ts'
import type { Search } from './search.ts'

export const contactsTable = 'crm_contacts'
const meta = { tables: [contactsTable] }

/** Where the queries of this feature keep what they got. */
export const contactKeys = {
  pages: [contactsTable, 'pages'],
  counts: [contactsTable, 'count'],
  one: (id: string) => [contactsTable, 'one', id],
} as const

/** The first page is there sooner, the next ones last longer. */
const firstPage = { after: '', limit: 100 }
const nextLimit = 200

/** The list, page after page. While another search is under way the last rows stay. */
export const contactPages = (search: Search) =>
  infiniteQueryOptions({
    queryKey: [...contactKeys.pages, search],
    meta,
    queryFn: ({ pageParam, signal }) => call(contactRoutes.list, { query: { ...search, ...pageParam } }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => (next === null ? undefined : { after: next, limit: nextLimit }),
    placeholderData: keepPreviousData,
  })

/** How many a search finds, exact to 1,000. */
export const contactCount = (search: string) =>
  queryOptions({
    queryKey: [...contactKeys.counts, search],
    meta,
    queryFn: ({ signal }) => call(contactRoutes.count, { query: { search } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const contactQuery = (id: string) =>
  queryOptions({ queryKey: contactKeys.one(id), meta, queryFn: ({ signal }) => call(contactRoutes.get, { params: { id } }, { signal }) })

/** A few contacts to choose one from. */
export const contactChoices = (search: string) =>
  queryOptions({
    queryKey: [contactsTable, 'choices', search],
    meta,
    queryFn: ({ signal }) => call(contactRoutes.list, { query: { search, sort: 'name', limit: 20 } }, { signal }),
    placeholderData: keepPreviousData,
  })
