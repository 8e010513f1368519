import { contactRoutes } from '#contract/contacts.ts'
import { useDeleteRecords } from '#web/records/many/useDeleteRecords.ts'
import { contactsTable } from './queries.ts'

const kind = { one: 'contact', many: 'contacts', table: contactsTable, routes: contactRoutes }

/** Deletes contacts by their ids, with Undo. */
export const useDeleteContacts = () => useDeleteRecords(kind)
