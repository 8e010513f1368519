import { searchRoutes } from '#contract/search.ts'
import type { House } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { searchRecords } from './search.ts'

export function mountSearch(door: Door, { database }: House, kinds: readonly RecordKind[]): void {
  mount(door, searchRoutes, {
    search: async ({ who, query }) => ({ hits: await searchRecords(database, who, kinds, query) }),
  })
}
