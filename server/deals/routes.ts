import { dealRoutes, type Deal, type DealRow } from '#contract/deals.ts'
import type { House } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import { recordHandlers, tagHandlers } from '#server/platform/records/handlers.ts'
import { deals } from './kind.ts'
import { totalStages } from './store.ts'

export function mountDeals(door: Door, house: House): void {
  const { database, now } = house
  mount(door, dealRoutes, {
    ...recordHandlers<Deal, DealRow>(deals, house),
    ...tagHandlers(deals, house),
    totals: async ({ who, query }) => ({
      stages: await database.read(who, () => totalStages(who.owner, { ...query, now: now() })),
    }),
  })
}
