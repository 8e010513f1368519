import { changeRoutes } from '#contract/changes.ts'
import { dashboardRoutes } from '#contract/dashboard.ts'
import { storageRoutes } from '#contract/storage.ts'
import { addressOf } from '#web/lib/client.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'
import page from './DashboardPage.module.css'
import pageStyles from './DashboardPage.module.css?inline'
import tile from './Tile.module.css'
import tileStyles from './Tile.module.css?inline'

type TileSkeletonProps = { layout: 'lines' | 'double lines' | 'bars' | 'columns' | 'single bar'; isWide?: boolean }

const TileSkeleton = ({ layout, isWide = false }: TileSkeletonProps) => (
  <section className={tile['tile']} data-wide={isWide || undefined}>
    <div className={tile['head']} />
    <div className={tile['content']} data-layout={layout}>
      <div className={tile['loading']}>
        {Array.from({ length: layout === 'single bar' ? 1 : 5 }, (_, line) => (
          <span key={line} />
        ))}
      </div>
    </div>
  </section>
)

/** The dashboard before the application has started: its tiles in the same order. */
export const dashboardSkeleton: ScreenSkeleton = {
  path: '/dashboard',
  title: 'Dashboard',
  content: (
    <div className={page['body']}>
      <div className={page['columns']}>
        <div className={page['tiles']}>
          <TileSkeleton layout="lines" isWide />
          <TileSkeleton layout="lines" isWide />
          <TileSkeleton layout="bars" />
          <TileSkeleton layout="columns" />
          <TileSkeleton layout="single bar" isWide />
        </div>
        <div className={page['beside']}>
          <TileSkeleton layout="double lines" />
        </div>
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
