import { queryOptions } from '@tanstack/react-query'
import { companyNameRoutes, unlinkedContactsFilter } from '#contract/companyNames.ts'
import { contactRoutes } from '#contract/contacts.ts'
import { recordKinds } from '#contract/kinds.ts'
import { call, callForChange } from '#web/lib/client.ts'
import { formatCappedCount, formatCount } from '#web/lib/format.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

const { table } = recordKinds.contact
const maxRows = 5

type NamedCompany = { id: string; name: string }
/** A number of contacts. If `more` is true, there are more than `count`, and the server stopped counting. */
type Count = { count: number; more: boolean }

/** Loads the first contacts that have the name of a company as text without a link to it, and their number. */
export const contactsToLinkQuery = (name: string) =>
  queryOptions({
    queryKey: recordKeys(table).linkedTo('company', name),
    meta: { tables: [table] }, // a change in this table refetches the query
    queryFn: async ({ signal }) => {
      const filter = JSON.stringify(unlinkedContactsFilter(name))
      const page = await call(contactRoutes.list, { query: { filter, limit: maxRows } }, { signal })
      const count = page.next === null ? undefined : await call(contactRoutes.count, { query: { filter } }, { signal })
      return { ...page, total: count ?? { count: page.rows.length, more: false } }
    },
  })

/** Offers to link the contacts that have the name of a new or renamed company as text. */
export async function offerContacts(company: NamedCompany): Promise<void> {
  // a failure of this request is ignored, because the company is already saved, and its panel makes the same offer
  const found = await queries.fetchQuery(contactsToLinkQuery(company.name)).catch(() => undefined)
  if (!found || found.total.count === 0) return
  const isOne = found.total.count === 1
  toast({
    kind: 'info',
    title: `${formatCappedCount(found.total)} ${isOne ? 'contact' : 'contacts'} to link`,
    message: `With the company “${company.name}”`,
    action: { label: isOne ? 'Link' : 'Link all', run: () => void linkAllContacts(company, found.total) },
  })
}

/** Links the company to the contacts that have its name only as text, as one change with Undo. The second parameter is their number. */
export async function linkAllContacts({ id }: NamedCompany, { count, more }: Count): Promise<void> {
  try {
    const { changeId } = await callForChange(companyNameRoutes.linkContacts, { params: { id } })
    toastChange(more ? 'Contacts linked' : `${formatCount(count, 'contact')} linked`, changeId)
  } catch (error) {
    toastError(error, 'Error linking contacts')
  }
  await refreshTables([table])
}

/** Links one contact to the company. */
export async function linkContact({ id }: NamedCompany, contactId: string): Promise<void> {
  try {
    const { changeId } = await callForChange(contactRoutes.update, { params: { id: contactId }, body: { company_id: id } })
    toastChange('Contact linked', changeId)
  } catch (error) {
    toastError(error, 'Error linking contact')
  }
  await refreshTables([table])
}
