import { noteRoutes, type Note } from '#contract/notes.ts'
import type { AppContext } from '#server/platform/context.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { recordHandlers } from '#server/platform/records/handlers.ts'
import { notes } from './kind.ts'
import { readNotes } from './store.ts'

export function mountNotes(router: Router, context: AppContext): void {
  const { database, now } = context
  const { get, create, update, delete: remove } = recordHandlers<Note, Note>(notes, context)
  mount(router, noteRoutes, {
    list: ({ caller, query }) => database.read(caller, () => readNotes(caller.owner, query, now())),
    get,
    create,
    update,
    delete: remove,
  })
}
