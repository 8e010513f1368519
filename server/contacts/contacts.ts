// Contacts: the people whom a business knows. What makes two of them one, and how edits of several hands come together.
import {
  contactRoutes,
  emptyContact,
  type Contact,
  type ContactFields,
  type ContactPatch,
  type ContactRow,
  type NewContact,
} from '#contract/contacts.ts'
import { readCompanyName } from '#server/companies/companies.ts'
import { ownerCountry } from '#server/accounts/accounts.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { Feature } from '#server/platform/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { editRecord, recordHandlers, tagHandlers } from '#server/platform/records/handlers.ts'
import { insertRecord, insertUnder, writing } from '#server/platform/records/rows.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { cardsOf } from './cards.ts'
import { contacts, type ContactWrite } from './kind.ts'
import { handlePhoneKeyJobs } from './phone-keys.job.ts'
import { namesCountry, phoneKey } from './phones.ts'
import { findMatches, insertUnlessHere } from './store.ts'

export const contactFeature: Feature = {
  kinds: [contacts],
  mount: (router, context) => {
    const { database, now } = context
    const handlers = recordHandlers<Contact, ContactRow>(contacts, context)
    mount(router, contactRoutes, {
      ...handlers,
      ...tagHandlers(contacts, context),
      create: ({ caller, body }) => addContact(database, caller, body),
      update: ({ caller, params, body }) => editContact(database, caller, params.id, body),
      editMany: async ({ caller, body }) => {
        const fields = { ...body.fields, ...(await companyBeside(database, caller, body.fields)) }
        return handlers.editMany({ caller, body: { ...body, fields } })
      },
      exportCards: async ({ caller, body }) => ({ name: 'contacts.vcf', chunks: cardsOf(database, caller, { ...body, now: now() }) }),
    })
  },
  jobs: (_context, tableOwner) => [handlePhoneKeyJobs(tableOwner)],
  screens: [{ path: '/crm/contacts', module: 'web/contacts/ContactsPage.tsx' }],
}

/** Adds a contact. One that seems to be here already is refused with the matches, unless the person insists. */
export async function addContact(database: Database, caller: Caller, { id, allow_duplicate, ...given }: NewContact): Promise<Contact> {
  const contact: ContactWrite = {
    ...emptyContact,
    phone_key: '',
    mobile_phone_key: '',
    ...given,
    ...(given.company === undefined && (await companyBeside(database, caller, given))),
    ...(await phoneKeys(database, caller, given)),
  }
  refuseOwnSuperior(id, contact.reports_to_id)
  const insert = allow_duplicate ? insertAnyway : insertUnlessHere
  const added = await writing(contacts, () =>
    database.batch(caller, 'Added contact', () => insertUnder(id, (own) => insert(caller.owner, own, contact))),
  )
  if (added) return added
  const matches = await database.read(caller, () => findMatches(caller.owner, contact))
  if (matches.length > 0) throw new Refusal('duplicate', { matches })
  return addContact(database, caller, { id, allow_duplicate, ...given }) // what stood in the way has just gone
}

const insertAnyway = (owner: string, id: string, contact: ContactWrite) => insertRecord<Contact>(contacts, owner, id, contact)

/** Changes the named fields, on top of what others changed meanwhile; see `editRecord`. */
export async function editContact(database: Database, caller: Caller, id: string, patch: ContactPatch): Promise<Contact> {
  refuseOwnSuperior(id, patch.reports_to_id)
  const beside = { ...(await companyBeside(database, caller, patch)), ...(await phoneKeys(database, caller, patch)) }
  return editRecord<Contact>(contacts, database, caller, id, patch, { beside })
}

/** What goes along with an edit of the company, of which a contact has a text and a link: a link brings its name, another text ends the link. */
async function companyBeside(
  database: Database,
  caller: Caller,
  { company, company_id }: Pick<Partial<ContactFields>, 'company' | 'company_id'>,
): Promise<Pick<Partial<ContactFields>, 'company' | 'company_id'>> {
  if (company !== undefined) return company_id === undefined ? { company_id: null } : {}
  const name = company_id ? await database.read(caller, () => readCompanyName(caller.owner, company_id)) : undefined
  return name === undefined ? {} : { company: name }
}

function refuseOwnSuperior(id: string | undefined, superior: string | null | undefined): void {
  if (!superior || superior.toLowerCase() !== id?.toLowerCase()) return
  throw new Refusal('invalid', { fields: { reports_to_id: 'A contact cannot report to itself' } })
}

/** The keys of the numbers that are being written. */
async function phoneKeys(database: Database, caller: Caller, { phone, mobile_phone }: Partial<ContactFields>) {
  const keys: { phone_key?: string; mobile_phone_key?: string } = {}
  const isNational = [phone, mobile_phone].some((number) => number && !namesCountry(number))
  const country = isNational ? await database.read(caller, () => ownerCountry(caller.owner)) : ''
  if (phone !== undefined) keys.phone_key = phoneKey(phone, country)
  if (mobile_phone !== undefined) keys.mobile_phone_key = phoneKey(mobile_phone, country)
  return keys
}
