import { searchRoutes } from '#contract/search.ts'
import type { AppContext } from '#server/platform/context.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { searchRecords } from './search.ts'

export function mountSearch(router: Router, { database }: AppContext, kinds: readonly RecordKind[]): void {
  mount(router, searchRoutes, {
    search: async ({ caller, query }) => ({ hits: await searchRecords(database, caller, kinds, query) }),
  })
}
