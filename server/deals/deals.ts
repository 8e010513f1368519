// Deals: what other rooms may know of them.
import { openStages, type StageTotal } from '#contract/deals.ts'
import { sumStages } from './store.ts'

/** The title of the deal that the row `c` is linked to; empty without a link. */
export const dealTitle = `coalesce((select d.title from deals d where d.user_id = c.user_id and d.id = c.deal_id), '')`

/** What the deals of each open stage come to, every open stage in its order. */
export const totalOpenStages = (owner: string): Promise<StageTotal[]> =>
  sumStages(openStages, 'deals where user_id = $1 and stage = any($2)', [owner, openStages])
