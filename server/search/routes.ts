import { searchRoutes } from '#contract/search.ts'
import type { House } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import { searchRecords } from './search.ts'

export function mountSearch(door: Door, { database }: House): void {
  mount(door, searchRoutes, {
    search: async ({ who, query }) => ({ hits: await searchRecords(database, who, query.search, query.limit) }),
  })
}
