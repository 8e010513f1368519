// Contacts: the people whom a business knows. What makes two of them one, and how edits of several hands come together.
import { emptyContact, type Contact, type ContactFields, type ContactPatch, type NewContact } from '#contract/contacts.ts'
import { ownerCountry } from '#server/accounts/accounts.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { conflictOf } from '#server/platform/journal/conflict.ts'
import { relabel } from '#server/platform/journal/label.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { phoneKey } from './phones.ts'
import * as store from './store.ts'

/** Adds a contact. One that seems to be here already is refused with the matches, unless the person insists. */
export async function addContact(owner: string, { id, allow_duplicate, ...given }: NewContact): Promise<Contact> {
  const fields: ContactFields = { ...emptyContact, ...given }
  const contact: store.ContactWrite = { ...fields, phone_key: '', mobile_phone_key: '', ...(await phoneKeys(owner, given)) }
  if (!allow_duplicate) await refuseDuplicate(owner, contact)
  const added = await writing(() => store.insertContact(owner, id ?? newId(), contact))
  if (!added) throw new Error('The contact was not added')
  return added
}

/**
 * Changes the named fields. Fields that others changed since `version` and this edit leaves alone merge silently; the same
 * field changed on both sides is a conflict that shows both values.
 */
export async function editContact(owner: string, id: string, { version, ...fields }: ContactPatch): Promise<Contact> {
  const patch = { ...fields, ...(await phoneKeys(owner, fields)) }
  if (Object.keys(patch).length === 0) return readContact(owner, id)
  if (patch.reports_to_id === id) {
    throw new Refusal('invalid', { fields: { reports_to_id: 'A contact cannot report to itself' } })
  }
  const edited = await writing(() => store.updateContact(owner, id, patch, version))
  if (edited) return edited
  const current = await readContact(owner, id)
  const conflict = await conflictOf({ owner, table: 'crm_contacts', id, version: version ?? current.version, fields, current })
  if (conflict) throw new Refusal('conflict', { conflict })
  return (await writing(() => store.updateContact(owner, id, patch, current.version))) ?? editContact(owner, id, { version, ...fields })
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

async function refuseDuplicate(owner: string, contact: store.ContactWrite): Promise<void> {
  const keys = [contact.email.toLowerCase(), contact.phone_key, contact.mobile_phone_key].filter((key) => key !== '')
  if (keys.length === 0) return
  const [, matches] = await Promise.all([store.lockKeys(owner, keys), store.findMatches(owner, contact)])
  if (matches.length > 0) throw new Refusal('duplicate', { matches })
}

/** The keys of the numbers that are being written. */
async function phoneKeys(owner: string, { phone, mobile_phone }: Partial<ContactFields>) {
  const keys: { phone_key?: string; mobile_phone_key?: string } = {}
  const country = phone || mobile_phone ? await ownerCountry(owner) : ''
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
