import { contactRoutes } from '#contract/contacts.ts'
import { recordQuery } from '#web/records/kind/queries.ts'

export const contactsTable = 'crm_contacts'

export const contactQuery = (id: string) => recordQuery({ table: contactsTable, routes: contactRoutes }, id)
