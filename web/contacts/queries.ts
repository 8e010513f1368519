import { queryOptions } from '@tanstack/react-query'
import { contactRoutes } from '#contract/contacts.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys } from '#web/records/keys.ts'

export const contactsTable = 'crm_contacts'

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: recordKeys(contactsTable).one(id),
    meta: { tables: [contactsTable] },
    queryFn: ({ signal }) => call(contactRoutes.get, { params: { id } }, { signal }),
  })
