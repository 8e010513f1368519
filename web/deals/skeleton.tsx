import { dealRoutes } from '#contract/deals.ts'
import { stages } from '#contract/stages.ts'
import { viewRoutes } from '#contract/views.ts'
import { addressOf } from '#web/lib/client.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'
import { firstPageAddress } from '#web/records/list/firstRequests.ts'
import classes from './skeleton.module.css'
import styles from './skeleton.module.css?inline' // the same CSS as text, which becomes a part of the document

/** The board of deals before the application has started. */
export const dealsSkeleton: ScreenSkeleton = {
  path: '/crm/deals',
  includesSubpaths: true, // a deal opens in a panel over the board
  title: 'Deals',
  searchLabel: 'Search deals',
  content: (
    <div className={classes['board']}>
      {stages.map((stage) => (
        <div key={stage} className={classes['column']}>
          <span className={classes['title']} />
          <span className={classes['card']} />
          <span className={classes['card']} />
        </div>
      ))}
    </div>
  ),
  styles,
  firstRequests: () => [
    addressOf(dealRoutes.totals, { query: {} }),
    addressOf(viewRoutes.list, {}),
    ...stages.map((stage) =>
      firstPageAddress(dealRoutes.list, { filter: [{ field: 'stage', is: [stage] }], sort: 'changed', order: 'desc' }),
    ),
  ],
}
