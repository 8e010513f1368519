// Contacts: the people whom a business knows. What makes two of them one, and how edits of several hands come together.
import { emptyContact, type Contact, type ContactFields, type ContactPatch, type NewContact } from '#contract/contacts.ts'
import { ownerCountry } from '#server/accounts/accounts.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Who } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { editRow } from '#server/platform/journal/edit.ts'
import { relabel } from '#server/platform/journal/label.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { namesCountry, phoneKey } from './phones.ts'
import * as store from './store.ts'

/** Adds a contact. One that seems to be here already is refused with the matches, unless the person insists. */
export async function addContact(database: Database, who: Who, { id, allow_duplicate, ...given }: NewContact): Promise<Contact> {
  const fields: ContactFields = { ...emptyContact, ...given }
  refuseOwnSuperior(id, fields.reports_to_id)
  const contact: store.ContactWrite = { ...fields, phone_key: '', mobile_phone_key: '', ...(await phoneKeys(database, who, given)) }
  const insert = allow_duplicate ? store.insertContact : store.insertUnlessHere
  const added = await writing(() => database.atOnce(who, 'Added contact', () => insert(who.owner, id ?? newId(), contact)))
  if (added) return added
  const matches = await database.read(who, () => store.findMatches(who.owner, contact))
  if (matches.length > 0) throw new Refusal('duplicate', { matches })
  return addContact(database, who, { id, allow_duplicate, ...given }) // what stood in the way has just gone
}

/**
 * Changes the named fields. Fields that others changed since `version` and this edit leaves alone merge silently; the same
 * field changed on both sides is a conflict that shows both values.
 */
export async function editContact(database: Database, who: Who, id: string, { version, ...fields }: ContactPatch): Promise<Contact> {
  const { owner } = who
  const patch = { ...fields, ...(await phoneKeys(database, who, fields)) }
  if (Object.keys(patch).length === 0) return database.read(who, () => readContact(owner, id))
  refuseOwnSuperior(id, patch.reports_to_id)
  return editRow({
    database,
    who,
    table: 'crm_contacts',
    id,
    version,
    fields,
    read: () => readContact(owner, id),
    update: (base) => writing(() => database.atOnce(who, 'Updated contact', () => store.updateContact(owner, id, patch, base))),
  })
}

/** One contact of the owner, or `not_found`. */
export async function readContact(owner: string, id: string): Promise<Contact> {
  const contact = await store.findContact(owner, id)
  if (!contact) throw new Refusal('not_found')
  return contact
}

/** Deletes those of the ids that are there, as one change; `not_found` when none is. */
export async function removeContacts(owner: string, ids: string[]): Promise<void> {
  const deleted = await store.deleteContacts(owner, ids)
  if (deleted === 0) throw new Refusal('not_found')
  if (deleted !== ids.length) await relabel(deletedLabel(deleted))
}

export const deletedLabel = (count: number): string => (count === 1 ? 'Deleted 1 contact' : `Deleted ${count} contacts`)

/** How a deleted contact is named in the trash. */
export const contactTitle = ({ first_name, last_name }: Record<string, unknown>): string =>
  [first_name, last_name].filter((name) => typeof name === 'string' && name !== '').join(' ')

function refuseOwnSuperior(id: string | undefined, superior: string | null | undefined): void {
  if (!superior || superior.toLowerCase() !== id?.toLowerCase()) return
  throw new Refusal('invalid', { fields: { reports_to_id: 'A contact cannot report to itself' } })
}

/** The keys of the numbers that are being written. */
async function phoneKeys(database: Database, who: Who, { phone, mobile_phone }: Partial<ContactFields>) {
  const keys: { phone_key?: string; mobile_phone_key?: string } = {}
  const isNational = [phone, mobile_phone].some((number) => number && !namesCountry(number))
  const country = isNational ? await database.read(who, () => ownerCountry(who.owner)) : ''
  if (phone !== undefined) keys.phone_key = phoneKey(phone, country)
  if (mobile_phone !== undefined) keys.mobile_phone_key = phoneKey(mobile_phone, country)
  return keys
}

/** Names the field when a write points at a contact that is not there, or takes an id that is. */
async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
    if (constraint === 'crm_contacts_reports_to') {
      throw new Refusal('invalid', { fields: { reports_to_id: 'This contact is no longer here' } }, error)
    }
    if (constraint === 'crm_contacts_pkey') throw new Refusal('invalid', { fields: { id: 'This id is taken' } }, error)
    throw error
  }
}
