import { ContactFields, type Contact } from '#contract/contacts.ts'
import type { FormKind } from '#web/records/form/useRecordEditor.ts'
import { contactLabels, ContactValues, valuesOf } from './contactValues.ts'
import { addContact, updateContact } from './saving.ts'

/** What the editor must know of contacts. */
export const contactKind: FormKind<Contact> = {
  name: 'contact',
  labels: contactLabels,
  values: ContactValues,
  accepts: ContactFields,
  valuesOf,
  save: (contact, changes, version, allowDuplicate) =>
    contact ? updateContact(contact.id, changes, version) : addContact(changes, allowDuplicate),
}
