import { contactRoutes, type Contact, type ContactRow } from '#contract/contacts.ts'
import type { House } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import { recordHandlers, tagHandlers } from '#server/platform/records/handlers.ts'
import { cardsOf } from './cards.ts'
import { addContact, companyBeside, editContact } from './contacts.ts'
import { contacts } from './kind.ts'

export function mountContacts(door: Door, house: House): void {
  const { database, now } = house
  const handlers = recordHandlers<Contact, ContactRow>(contacts, house)
  mount(door, contactRoutes, {
    ...handlers,
    ...tagHandlers(contacts, house),
    create: ({ who, body }) => addContact(database, who, body),
    update: ({ who, params, body }) => editContact(database, who, params.id, body),
    editMany: async ({ who, body }) => {
      const fields = { ...body.fields, ...(await companyBeside(database, who, body.fields)) }
      return handlers.editMany({ who, body: { ...body, fields } })
    },
    exportCards: async ({ who, body }) => ({ name: 'contacts.vcf', parts: cardsOf(database, who, { ...body, now: now() }) }),
  })
}
