import { contactRoutes } from '#contract/contacts.ts'
import { readCursor } from '#server/platform/database/keyset.ts'
import type { House } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import { addContact, deletedLabel, editContact, readContact, removeContacts } from './contacts.ts'
import { countContacts, listContacts } from './list.store.ts'

export function mountContacts(door: Door, { database }: House): void {
  mount(door, contactRoutes, {
    list: ({ who, query }) => database.read(who, () => listContacts(who.owner, { ...query, after: readCursor(query.after) })),
    count: ({ who, query }) => database.read(who, () => countContacts(who.owner, query.search)),
    get: ({ who, params }) => database.read(who, () => readContact(who.owner, params.id)),
    create: ({ who, body }) => addContact(database, who, body),
    update: ({ who, params, body }) => editContact(database, who, params.id, body),
    delete: ({ who, params }) => database.transaction(who, deletedLabel(1), () => removeContacts(who.owner, [params.id])),
    bulk: ({ who, body }) => {
      const ids = [...new Set(body.ids)]
      return database.transaction(who, deletedLabel(ids.length), () => removeContacts(who.owner, ids))
    },
  })
}
