// Notes: texts about a contact.
import { noteFunctionRoutes } from '#contract/aiFunctions.ts'
import { noteRoutes, type Note } from '#contract/notes.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { createRecordHandlers } from '#server/platform/records/handlers.ts'
import { improveNote } from './improve.ts'
import { notes } from './kind.ts'
import { readNotes } from './store.ts'

export const noteFeature: Feature = {
  kinds: [notes],
  mount: (router, context) => {
    const { get, create, update, delete: remove } = createRecordHandlers<Note, Note>(notes, context)
    mount(router, noteRoutes, {
      list: ({ caller, query }) => context.database.read(caller, () => readNotes(caller.owner, query, context.now())),
      get,
      create,
      update,
      delete: remove,
    })
    mount(router, noteFunctionRoutes, {
      improveNote: async ({ caller, body, signal }) => ({ improvedContent: await improveNote(context, caller, body.content, signal) }),
    })
  },
}
