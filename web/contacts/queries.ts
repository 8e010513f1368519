import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { contactRoutes } from '#contract/contacts.ts'
import { call } from '#web/lib/client.ts'

export const contactsTable = 'crm_contacts'
const meta = { tables: [contactsTable] }

/** Where the queries of this feature keep what they got. */
export const contactKeys = {
  one: (id: string) => [contactsTable, 'one', id],
} as const

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
