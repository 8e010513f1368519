import { contactRoutes } from '#contract/contacts.ts'
import { recordKinds } from '#contract/kinds.ts'
import { useDeleteRecords } from '#web/records/bulk/useDeleteRecords.ts'

const kind = { ...recordKinds.contact, routes: contactRoutes }

/** Deletes contacts by their ids, with Undo. */
export const useDeleteContacts = () => useDeleteRecords(kind)
