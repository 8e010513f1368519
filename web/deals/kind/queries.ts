import { queryOptions } from '@tanstack/react-query'
import { dealRoutes } from '#contract/deals.ts'
import { recordKinds } from '#contract/kinds.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

export const dealsTable = recordKinds.deal.table

const maxDealsInTab = 50

/** The query of the deals of a contact, last changed first. */
export const dealsOfContactQuery = (contactId: string) =>
  queryOptions({
    queryKey: recordKeys(dealsTable).linkedTo('contact_id', contactId),
    meta: { tables: [dealsTable, 'crm_contacts', 'companies'] }, // a change in one of these tables refetches the query
    queryFn: ({ signal }) => {
      const filter = JSON.stringify([{ field: 'contact_id', is: [contactId] }])
      return call(dealRoutes.list, { query: { filter, sort: 'changed', order: 'desc', limit: maxDealsInTab } }, { signal })
    },
  })
