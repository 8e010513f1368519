import { changeRoutes } from '#contract/changes.ts'
import { dashboardRoutes } from '#contract/dashboard.ts'
import { storageRoutes } from '#contract/storage.ts'
import { addressOf } from '#web/lib/client.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'
import page from './DashboardPage.module.css'
import pageStyles from './DashboardPage.module.css?inline'
import tile from './Tile.module.css'
import tileStyles from './Tile.module.css?inline'

/** The tiles in their order on the page. The layout sets the height. */
const tiles = [
  { name: 'tasks', layout: 'lines' },
  { name: 'bookings', layout: 'lines' },
  { name: 'pipeline', layout: 'bars' },
  { name: 'contacts', layout: 'columns' },
  { name: 'activity', layout: 'lines' },
  { name: 'storage', layout: 'single bar' },
]

/** The dashboard before the application has started. */
export const dashboardSkeleton: ScreenSkeleton = {
  path: '/dashboard',
  title: 'Dashboard',
  content: (
    <div className={page['body']}>
      <div className={page['tiles']}>
        {tiles.map(({ name, layout }) => (
          <div key={name} className={tile['tile']} data-layout={layout}>
            <div className={tile['head']} />
            <div className={tile['content']} data-layout={layout}>
              <div className={tile['loading']}>
                {Array.from({ length: layout === 'single bar' ? 1 : 3 }, (_, line) => (
                  <span key={line} />
                ))}
              </div>
            </div>
          </div>
        ))}
      </div>
    </div>
  ),
  styles: pageStyles + tileStyles,
  firstRequests: () => [
    addressOf(dashboardRoutes.get, {}),
    addressOf(changeRoutes.recent, { query: { limit: 5 } }),
    addressOf(storageRoutes.get, {}),
  ],
}
