import { contactRoutes, type Contact, type ContactRow } from '#contract/contacts.ts'
import type { AppContext } from '#server/platform/context.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { recordHandlers, tagHandlers } from '#server/platform/records/handlers.ts'
import { cardsOf } from './cards.ts'
import { addContact, companyBeside, editContact } from './contacts.ts'
import { contacts } from './kind.ts'

export function mountContacts(router: Router, context: AppContext): void {
  const { database, now } = context
  const handlers = recordHandlers<Contact, ContactRow>(contacts, context)
  mount(router, contactRoutes, {
    ...handlers,
    ...tagHandlers(contacts, context),
    create: ({ caller, body }) => addContact(database, caller, body),
    update: ({ caller, params, body }) => editContact(database, caller, params.id, body),
    editMany: async ({ caller, body }) => {
      const fields = { ...body.fields, ...(await companyBeside(database, caller, body.fields)) }
      return handlers.editMany({ caller, body: { ...body, fields } })
    },
    exportCards: async ({ caller, body }) => ({ name: 'contacts.vcf', chunks: cardsOf(database, caller, { ...body, now: now() }) }),
  })
}
