import { queryOptions } from '@tanstack/react-query'
import { contactRoutes } from '#contract/contacts.ts'
import { call } from '#web/lib/client.ts'

const meta = { tables: ['crm_contacts'] }

export const contactTotal = queryOptions({
  queryKey: ['dashboard', 'total'],
  meta,
  queryFn: ({ signal }) => call(contactRoutes.count, {}, { signal }),
})

export const newestContacts = queryOptions({
  queryKey: ['dashboard', 'newest'],
  meta,
  queryFn: ({ signal }) => call(contactRoutes.list, { query: { sort: 'newest', limit: 6 } }, { signal }),
})
