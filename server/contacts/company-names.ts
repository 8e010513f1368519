// A contact has the name of its company as text, with or without a link to a company record. These functions add a company record for such
// a name, link the contacts that have the name, and remember names that the user refuses as companies.
import { maxLinkedContacts, unlinkedContactsFilter } from '#contract/companyNames.ts'
import type { Contact } from '#contract/contacts.ts'
import { isInvisible } from '#contract/fields.ts'
import { addCompany, findCompaniesByName, readCompanyNames } from '#server/companies/companies.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { readPage } from '#server/platform/records/page.ts'
import { readRecord } from '#server/platform/records/rows.ts'
import { updateRecord, updateRecords, type Services } from '#server/platform/records/verbs.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { contacts } from './kind.ts'

/** The maximum number of refused names that are stored for an owner. The oldest are deleted first. */
const maxRefusedNames = 1000

/**
 * Reads what a screen needs to offer a company record for the company name of a contact. `companies` is the number of company records with
 * this name, at most 2. Throws `not_found`.
 */
export async function readCompanyOfContact({ owner }: Caller, id: string) {
  const { company, company_id } = await readRecord<Contact>(contacts, owner, id)
  const name = isInvisible(company) ? '' : company // a company needs a name that can be seen
  const [row] = await sql<{ companies: number; is_refused: boolean }>(
    `select (select count(*) from (select from companies_find where user_id = $1 and app.fold(name) = app.fold($2) limit 2) named) as companies,
       exists (select from refused_company_names where user_id = $1 and name = app.fold($2)) as is_refused`,
    [owner, name],
  )
  return { name, is_linked: company_id !== null, companies: row?.companies ?? 0, is_refused: row?.is_refused ?? false }
}

/**
 * Adds a company record for the company name of a contact, and links the contact to it, as one change. If a company with this name already
 * exists, only links the contact. Throws `not_found`, and `invalid` if the contact names no company or several companies have the name.
 */
export const addCompanyOfContact = (services: Services, caller: Caller, id: string): Promise<void> =>
  services.database.transaction(caller, 'Added company', async () => {
    const { owner } = caller
    // a second request for the same name waits, and then finds the company that the first one has added
    await sql(`select pg_advisory_xact_lock(hashtextextended($1 || ' companies of contacts', 0))`, [owner])
    const { name, is_linked, companies: count } = await readCompanyOfContact(caller, id)
    if (is_linked) return
    if (name === '') throw new Refusal('invalid', { fields: { company: 'This contact has no company' } })
    if (count > 1) throw new Refusal('invalid', { fields: { company: 'Several companies have this name. Choose one of them.' } })
    const existing = count === 1 ? (await findCompaniesByName(owner, [name])).get(name) : undefined
    const company = existing ?? (await addCompany(services, caller, name))
    await updateRecord<Contact>(services, caller, contacts, id, { company_id: company.id })
  })

/** Stores that the user refused the name that a contact has as text, so that it is not offered as a company again. Throws `not_found`. */
export const refuseCompanyOfContact = ({ database }: Services, caller: Caller, id: string): Promise<void> =>
  // the label is not used, because refused names are not journaled
  database.transaction(caller, '', async () => {
    const { company } = await readRecord<Contact>(contacts, caller.owner, id)
    await sql(
      `insert into refused_company_names (user_id, name) select $1, app.fold($2) where $2 <> ''
       on conflict on constraint refused_company_names_name do nothing`,
      [caller.owner, company],
    )
    await sql(
      `delete from refused_company_names where user_id = $1
       and id in (select id from refused_company_names where user_id = $1 order by id desc offset ${maxRefusedNames})`,
      [caller.owner],
    )
  })

/**
 * Links a company to the newest contacts that have its name only as text, as one change. Throws `not_found` if there is no such company or
 * no such contact.
 */
export async function linkContacts(services: Services, caller: Caller, companyId: string): Promise<void> {
  const { database, now } = services
  const { matching, ids } = await database.read(caller, async () => {
    const name = (await readCompanyNames(caller.owner, [companyId])).get(companyId.toLowerCase())
    if (name === undefined) throw new Refusal('not_found')
    const criteria = { search: '', filter: unlinkedContactsFilter(name) }
    const request = { ...criteria, sort: 'newest', order: 'asc', limit: maxLinkedContacts, now: now() } as const // `newest` ignores `order`
    const { rows } = await readPage<{ id: string }>(contacts, caller.owner, request, 'c.id')
    return { matching: criteria, ids: rows.map(({ id }) => id) }
  })
  if (ids.length === 0) throw new Refusal('not_found')
  // the filter is checked again in the transaction of the edit, because a contact may have been edited meanwhile
  await updateRecords(services, caller, contacts, { ids, matching }, { company_id: companyId })
}
