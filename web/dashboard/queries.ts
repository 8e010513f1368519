import { queryOptions } from '@tanstack/react-query'
import { contactRoutes } from '#contract/contacts.ts'
import { call } from '#web/lib/client.ts'

export const contactTotal = queryOptions({
  queryKey: ['crm_contacts', 'dashboard', 'total'],
  queryFn: ({ signal }) => call(contactRoutes.count, {}, { signal }),
})

export const newestContacts = queryOptions({
  queryKey: ['crm_contacts', 'dashboard', 'newest'],
  queryFn: ({ signal }) => call(contactRoutes.list, { query: { sort: 'newest', limit: 6 } }, { signal }),
})
