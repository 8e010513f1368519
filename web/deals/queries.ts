import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { contactRoutes } from '#contract/contacts.ts'
import { dealRoutes } from '#contract/deals.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys } from '#web/records/keys.ts'
import { asQuery, type Narrowing } from '#web/records/listSearch.ts'

export const dealsTable = 'deals'
const meta = { tables: [dealsTable] }

export const dealQuery = (id: string) =>
  queryOptions({
    queryKey: recordKeys(dealsTable).one(id),
    meta: { tables: [dealsTable, 'crm_contacts', 'companies'] },
    queryFn: ({ signal }) => call(dealRoutes.get, { params: { id } }, { signal }),
  })

/** What the deals of each stage come to, of those that are looked for. */
export const stageTotals = ({ search, filter }: Pick<Narrowing, 'search' | 'filter'>) =>
  queryOptions({
    queryKey: [dealsTable, 'totals', { search, filter }],
    meta,
    queryFn: ({ signal }) => call(dealRoutes.totals, { query: asQuery({ search, filter }) }, { signal }),
    placeholderData: keepPreviousData,
  })

/** The contact that a deal is made with. */
export const contactOfDeal = (id: string) =>
  queryOptions({
    queryKey: recordKeys('crm_contacts').one(id),
    meta: { tables: ['crm_contacts'] },
    queryFn: ({ signal }) => call(contactRoutes.get, { params: { id } }, { signal }),
  })

const mostInTab = 50

/** The deals with a contact, the one changed last on top. */
export const dealsWith = (contact: string) =>
  queryOptions({
    queryKey: [dealsTable, 'with contact', contact],
    meta,
    queryFn: ({ signal }) => {
      const filter = JSON.stringify([{ field: 'contact_id', is: [contact] }])
      return call(dealRoutes.list, { query: { filter, sort: 'changed', order: 'desc', limit: mostInTab } }, { signal })
    },
  })
