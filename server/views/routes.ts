import { mostViews, viewRoutes } from '#contract/views.ts'
import { constraintOf } from '#server/platform/failure.ts'
import type { House } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { deleteView, findView, insertView, listViews, updateView } from './store.ts'

export function mountViews(door: Door, { database }: House): void {
  mount(door, viewRoutes, {
    list: async ({ who }) => ({ rows: await database.read(who, () => listViews(who.owner)) }),
    get: async ({ who, params }) => {
      const view = await database.read(who, () => findView(who.owner, params.id))
      if (!view) throw new Refusal('not_found')
      return view
    },
    create: async ({ who, body }) => {
      const view = await database.transaction(who, 'Saved view', () => insertView(who.owner, body))
      if (!view) throw new Refusal('too_many', { fields: { name: `There are ${mostViews} views already. Delete one first.` } })
      return view
    },
    update: async ({ who, params, body }) => {
      const view = await database.transaction(who, 'Updated view', () => updateView(who.owner, params.id, body)).catch(refuseTakenName)
      if (!view) throw new Refusal('not_found')
      return view
    },
    delete: ({ who, params }) =>
      database.transaction(who, 'Deleted 1 view', async () => {
        if (!(await deleteView(who.owner, params.id))) throw new Refusal('not_found')
      }),
  })
}

function refuseTakenName(error: unknown): never {
  if (constraintOf(error) === 'views_name') {
    throw new Refusal('invalid', { fields: { name: 'Another view has this name. Choose a different one.' } }, error)
  }
  throw error
}
