import { queryOptions } from '@tanstack/react-query'
import { contactRoutes } from '#contract/contacts.ts'
import { dealRoutes } from '#contract/deals.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys, recordQuery } from '#web/records/kind/queries.ts'

export const dealsTable = 'deals'
/** A deal shows the names of its contact and its company. */
export const linkedTables = ['crm_contacts', 'companies'] as const
const meta = { tables: [dealsTable, ...linkedTables] }

export const dealQuery = recordQuery(dealsTable, dealRoutes.get, linkedTables)

/** The contact that a deal is made with. */
export const contactOfDeal = recordQuery('crm_contacts', contactRoutes.get)

const mostInTab = 50

/** The deals with a contact, the one changed last on top. */
export const dealsWith = (contact: string) =>
  queryOptions({
    queryKey: recordKeys(dealsTable).linkedTo('contact_id', contact),
    meta,
    queryFn: ({ signal }) => {
      const filter = JSON.stringify([{ field: 'contact_id', is: [contact] }])
      return call(dealRoutes.list, { query: { filter, sort: 'changed', order: 'desc', limit: mostInTab } }, { signal })
    },
  })
