import { ContactPatch, contactRoutes, NewContact, type Contact } from '#contract/contacts.ts'
import { callForChange } from '#web/lib/client.ts'
import { queries } from '#web/lib/queries.ts'
import { toast } from '#web/lib/toasts.ts'
import { remember } from '#web/lib/undo.ts'
import type { ContactValues } from './contactValues.ts'
import { contactKeys } from './queries.ts'

/** Adds a contact and says so. Throws a `ProblemError`: `duplicate` with the matches unless `allowDuplicate`, `invalid` with the fields. */
export async function addContact(values: Partial<ContactValues>, allowDuplicate: boolean): Promise<Contact> {
  const body = NewContact.parse({ ...values, ...(allowDuplicate && { allow_duplicate: true }) })
  const { answer, change } = await callForChange(contactRoutes.create, { body })
  saved(answer, 'Contact created', change)
  return answer
}

/**
 * Changes some fields of a contact and says so. `version` is the one that the edit started from.
 * Throws a `ProblemError`: `conflict` with both values of each field, `invalid` with the fields.
 */
export async function updateContact(id: string, changes: Partial<ContactValues>, version: number): Promise<Contact> {
  const body = ContactPatch.parse({ ...changes, version })
  const { answer, change } = await callForChange(contactRoutes.update, { params: { id }, body })
  saved(answer, 'Contact updated', change)
  return answer
}

function saved(contact: Contact, title: string, change: string | undefined): void {
  remember(change, title)
  toast({ kind: 'success', title, change })
  queries.setQueryData(contactKeys.one(contact.id), contact)
  void queries.invalidateQueries({ queryKey: contactKeys.all })
  void queries.invalidateQueries({ queryKey: ['journal'] })
}
