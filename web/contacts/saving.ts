import { ContactPatch, contactRoutes, NewContact, type Contact } from '#contract/contacts.ts'
import { callForChange } from '#web/lib/client.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import type { FieldValues } from '#web/records/form/fields.ts'
import { recordKeys } from '#web/records/keys.ts'
import { toast } from '#web/lib/toasts.ts'
import { remember } from '#web/lib/undo.ts'
import { contactsTable } from './queries.ts'

/** Adds a contact and says so. Throws a `ProblemError`: `duplicate` with the matches unless `allowDuplicate`, `invalid` with the fields. */
export async function addContact(values: FieldValues, allowDuplicate: boolean): Promise<Contact> {
  const body = NewContact.parse({ ...values, ...(allowDuplicate && { allow_duplicate: true }) })
  const { answer, change } = await callForChange(contactRoutes.create, { body })
  saved(answer, 'Contact created', change)
  return answer
}

/**
 * Changes some fields of a contact and says so. `version` is the one that the edit started from.
 * Throws a `ProblemError`: `conflict` with both values of each field, `invalid` with the fields.
 */
export async function updateContact(id: string, changes: FieldValues, version: number): Promise<Contact> {
  const body = ContactPatch.parse({ ...changes, version })
  const { answer, change } = await callForChange(contactRoutes.update, { params: { id }, body })
  saved(answer, 'Contact updated', change)
  return answer
}

function saved(contact: Contact, title: string, change: string | undefined): void {
  remember(change, title)
  toast({ kind: 'success', title, change })
  queries.setQueryData(recordKeys(contactsTable).one(contact.id), contact)
  void refreshTables([contactsTable])
}
