import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { changeRoutes } from '#contract/changes.ts'
import { contactRoutes } from '#contract/contacts.ts'
import { call } from '#web/lib/client.ts'
import type { Search } from './search.ts'

const table = 'crm_contacts'

/** Where the queries of this feature keep what they got. */
export const contactKeys = {
  all: [table],
  pages: [table, 'pages'],
  counts: [table, 'count'],
  one: (id: string) => [table, 'one', id],
} as const

/** The first page is there sooner, the next ones last longer. */
const firstPage = { after: '', limit: 100 }
const nextLimit = 200

/** The list, page after page. While another search is under way the last rows stay. */
export const contactPages = (search: Search) =>
  infiniteQueryOptions({
    queryKey: [...contactKeys.pages, search],
    queryFn: ({ pageParam, signal }) => call(contactRoutes.list, { query: { ...search, ...pageParam } }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => (next === null ? undefined : { after: next, limit: nextLimit }),
    placeholderData: keepPreviousData,
  })

/** How many a search finds, exact to 1,000. */
export const contactCount = (search: string) =>
  queryOptions({
    queryKey: [...contactKeys.counts, search],
    queryFn: ({ signal }) => call(contactRoutes.count, { query: { search } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const contactQuery = (id: string) =>
  queryOptions({ queryKey: contactKeys.one(id), queryFn: ({ signal }) => call(contactRoutes.get, { params: { id } }, { signal }) })

/** A few contacts to choose one from. */
export const contactChoices = (search: string) =>
  queryOptions({
    queryKey: [table, 'choices', search],
    queryFn: ({ signal }) => call(contactRoutes.list, { query: { search, sort: 'name', limit: 20 } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** What happened to a contact, newest first. A contact without a history has nothing to tell. */
export const contactTimeline = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['journal', 'timeline', id],
    queryFn: ({ pageParam, signal }) => call(changeRoutes.timeline, { query: { record: id, limit: 20, after: pageParam } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })
