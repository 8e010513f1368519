// Views: saved searches, filters, sorts and columns of a list. They are deleted and restored like records.
import { maxViews, viewRoutes } from '#contract/views.ts'
import { constraintName } from '#server/platform/error-code.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { deleteView, findView, insertView, listViews, updateView } from './store.ts'

export const viewFeature: Feature = {
  mount: (router, { database }) =>
    mount(router, viewRoutes, {
      list: async ({ caller }) => ({ rows: await database.read(caller, () => listViews(caller.owner)) }),
      get: async ({ caller, params }) => {
        const view = await database.read(caller, () => findView(caller.owner, params.id))
        if (!view) throw new Refusal('not_found')
        return view
      },
      create: async ({ caller, body }) => {
        const view = await database.transaction(caller, 'Saved view', () => insertView(caller.owner, body))
        if (!view) throw new Refusal('too_many', { fields: { name: `There are ${maxViews} views already. Delete one first.` } })
        return view
      },
      update: async ({ caller, params, body }) => {
        const view = await database
          .transaction(caller, 'Updated view', () => updateView(caller.owner, params.id, body))
          .catch(refuseTakenName)
        if (!view) throw new Refusal('not_found')
        return view
      },
      delete: ({ caller, params }) =>
        database.transaction(caller, 'Deleted 1 view', async () => {
          if (!(await deleteView(caller.owner, params.id))) throw new Refusal('not_found')
        }),
    }),
  trashTables: [{ table: 'views', titleOf: ({ name }) => String(name) }],
}

function refuseTakenName(error: unknown): never {
  if (constraintName(error) === 'views_name') {
    throw new Refusal('invalid', { fields: { name: 'Another view has this name. Choose a different one.' } }, error)
  }
  throw error
}
