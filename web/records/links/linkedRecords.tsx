import { companyRoutes } from '#contract/companies.ts'
import { contactRoutes } from '#contract/contacts.ts'
import { dealRoutes } from '#contract/deals.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import type { Linked } from '#web/records/kind/kind.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'

/** A record to link to: its name, and what tells it from others of that name. */
type Linkable = { id: string; name: string; about: string }

type LinkedKind = {
  table: string
  /** "contacts" */
  plural: string
  /** Where one of them stands. */
  to: '/crm/contacts/$id' | '/crm/companies/$id' | '/crm/deals/$id'
  search: (text: string, signal: AbortSignal) => Promise<Linkable[]>
  get: (id: string, signal: AbortSignal) => Promise<Linkable>
}

type Person = { id: string; first_name: string; last_name: string; company: string; email: string }

const asPerson = ({ id, first_name, last_name, company, email }: Person): Linkable => ({
  id,
  name: `${first_name} ${last_name}`.trim(),
  about: company || email,
})
const asCompany = ({ id, name, industry }: { id: string; name: string; industry: string }): Linkable => ({ id, name, about: industry })
const asDeal = ({ id, title, company_name }: { id: string; title: string; company_name: string }): Linkable => ({
  id,
  name: title,
  about: company_name,
})

const limit = 20

/** The kinds of record that others link to: how they are found by typing. */
export const linkedKinds: Record<Linked, LinkedKind> = {
  contact: {
    table: 'crm_contacts',
    plural: 'contacts',
    to: '/crm/contacts/$id',
    search: async (search, signal) =>
      (await call(contactRoutes.list, { query: { search, sort: 'name', limit } }, { signal })).rows.map(asPerson),
    get: async (id, signal) => asPerson(await call(contactRoutes.get, { params: { id } }, { signal })),
  },
  company: {
    table: 'companies',
    plural: 'companies',
    to: '/crm/companies/$id',
    search: async (search, signal) =>
      (await call(companyRoutes.list, { query: { search, sort: 'name', limit } }, { signal })).rows.map(asCompany),
    get: async (id, signal) => asCompany(await call(companyRoutes.get, { params: { id } }, { signal })),
  },
  deal: {
    table: 'deals',
    plural: 'deals',
    to: '/crm/deals/$id',
    search: async (search, signal) =>
      (await call(dealRoutes.list, { query: { search, sort: 'title', limit } }, { signal })).rows.map(asDeal),
    get: async (id, signal) => asDeal(await call(dealRoutes.get, { params: { id } }, { signal })),
  },
}

/** Those of a kind whose words match, to choose one from. */
export const linkChoices = (noun: Linked, text: string) => ({
  queryKey: recordKeys(linkedKinds[noun].table).choices(text),
  meta: { tables: [linkedKinds[noun].table] },
  queryFn: ({ signal }: { signal: AbortSignal }) => linkedKinds[noun].search(text, signal),
})

/** How one of them is called. */
export const linkName = (noun: Linked, id: string) => ({
  queryKey: recordKeys(linkedKinds[noun].table).nameOf(id),
  meta: { tables: [linkedKinds[noun].table] },
  queryFn: ({ signal }: { signal: AbortSignal }) => linkedKinds[noun].get(id, signal),
})

const pauseMs = 200

/** The records of a kind that answer what was typed, once the typing pauses. Those from before stay until then; `search` is what was asked for. */
export function useLinkChoices(to: Linked, typed: string, enabled = true) {
  const [search] = useDebouncedValue(typed, pauseMs)
  const found = useQuery({ ...linkChoices(to, search), enabled, placeholderData: keepPreviousData })
  return { found, search }
}

/** Shows the name of a record of a kind, of which only the id is known. */
export const nameIn = (noun: Linked) => (id: string) => <NameOf noun={noun} id={id} />

function NameOf({ noun, id }: { noun: Linked; id: string }) {
  const { data } = useQuery(linkName(noun, id))
  return data?.name ?? `Another ${noun}`
}
