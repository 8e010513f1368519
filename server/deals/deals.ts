// Deals: possible sales, by stage.
import { dealRoutes, type Deal, type DealRow, type StageTotal } from '#contract/deals.ts'
import { openStages } from '#contract/stages.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { createRecordHandlers, createSumHandlers, createTagHandlers } from '#server/platform/records/handlers.ts'
import { deals } from './kind.ts'
import { readTotalsOfStages, sumStages } from './store.ts'

export const dealFeature: Feature = {
  kinds: [deals],
  mount: (router, context) =>
    mount(router, dealRoutes, {
      ...createRecordHandlers<Deal, DealRow>(deals, context),
      ...createTagHandlers(deals, context),
      ...createSumHandlers(deals, context),
      totals: async ({ caller, query }) => ({
        stages: await context.database.read(caller, () => readTotalsOfStages(caller.owner, { ...query, now: context.now() })),
      }),
    }),
  webScreens: [{ path: '/crm/deals', module: 'web/deals/DealsPage.tsx' }],
}

/** Reads the totals of every open stage, in the order of the stages. */
export const readTotalsOfOpenStages = (owner: string): Promise<StageTotal[]> =>
  sumStages(openStages, 'deals where user_id = $1 and stage = any($2)', [owner, openStages])
