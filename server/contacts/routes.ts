import { contactRoutes, type Contact, type ContactRow } from '#contract/contacts.ts'
import type { House } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import { recordHandlers, tagHandlers } from '#server/platform/records/handlers.ts'
import { cardsOf } from './cards.ts'
import { addContact, editContact } from './contacts.ts'
import { contacts } from './kind.ts'

export function mountContacts(door: Door, house: House): void {
  const { database, now } = house
  mount(door, contactRoutes, {
    ...recordHandlers<Contact, ContactRow>(contacts, house),
    ...tagHandlers(contacts, house),
    create: ({ who, body }) => addContact(database, who, body),
    update: ({ who, params, body }) => editContact(database, who, params.id, body),
    exportCards: async ({ who, body }) => ({ name: 'contacts.vcf', parts: cardsOf(database, who, { ...body, now: now() }) }),
  })
}
