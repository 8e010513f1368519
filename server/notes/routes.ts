import { noteRoutes, type Note } from '#contract/notes.ts'
import type { House } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import { recordHandlers } from '#server/platform/records/handlers.ts'
import { notes } from './kind.ts'
import { readNotes } from './store.ts'

export function mountNotes(door: Door, house: House): void {
  const { database, now } = house
  const { get, create, update, delete: remove } = recordHandlers<Note, Note>(notes, house)
  mount(door, noteRoutes, {
    list: ({ who, query }) => database.read(who, () => readNotes(who.owner, query, now())),
    get,
    create,
    update,
    delete: remove,
  })
}
