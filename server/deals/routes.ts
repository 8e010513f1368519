import { dealRoutes, type Deal, type DealRow } from '#contract/deals.ts'
import type { AppContext } from '#server/platform/context.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { recordHandlers, tagHandlers } from '#server/platform/records/handlers.ts'
import { deals } from './kind.ts'
import { totalStages } from './store.ts'

export function mountDeals(router: Router, context: AppContext): void {
  const { database, now } = context
  mount(router, dealRoutes, {
    ...recordHandlers<Deal, DealRow>(deals, context),
    ...tagHandlers(deals, context),
    totals: async ({ caller, query }) => ({
      stages: await database.read(caller, () => totalStages(caller.owner, { ...query, now: now() })),
    }),
  })
}
