import { queryOptions } from '@tanstack/react-query'
import { companyRoutes } from '#contract/companies.ts'
import { contactRoutes } from '#contract/contacts.ts'
import { dealRoutes } from '#contract/deals.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys, recordQuery } from '#web/records/kind/queries.ts'

export const companiesTable = 'companies'

export const companyQuery = recordQuery(companiesTable, companyRoutes.get)

const few = 5
const of = (company: string): string => JSON.stringify([{ field: 'company_id', is: [company] }])

/** The deals of a company that were changed last. */
export const dealsOf = (company: string) =>
  queryOptions({
    queryKey: recordKeys('deals').linkedTo('company_id', company),
    meta: { tables: ['deals'] },
    queryFn: ({ signal }) =>
      call(dealRoutes.list, { query: { filter: of(company), sort: 'changed', order: 'desc', limit: few } }, { signal }),
  })

/** Some of the people at a company, by name. */
export const contactsOf = (company: string) =>
  queryOptions({
    queryKey: recordKeys('crm_contacts').linkedTo('company_id', company),
    meta: { tables: ['crm_contacts'] },
    queryFn: ({ signal }) => call(contactRoutes.list, { query: { filter: of(company), sort: 'name', limit: few } }, { signal }),
  })
