import { IconLayoutKanban, IconList } from '@tabler/icons-react'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { RecordsPage } from '#web/records/list/RecordsPage.tsx'
import { BoardPage } from './board/BoardPage.tsx'
import { dealKind } from './kind/dealKind.tsx'
import classes from './deals.module.css'

const route = getRouteApi('/signed-in/crm/deals')

/** The page of deals, as a board of stages or, with the URL parameter `as=list`, as a list. */
export function DealsPage() {
  const { as } = route.useSearch()
  return (
    <>
      {as === 'list' ? <RecordsPage kind={dealKind} actions={<BoardOrListSwitch />} /> : <BoardPage actions={<BoardOrListSwitch />} />}
      <Outlet />
    </>
  )
}

function BoardOrListSwitch() {
  const { as } = route.useSearch()
  return (
    <nav className={classes['switch']} aria-label="View">
      <Link
        to="/crm/deals"
        search={(parameters) => ({ ...parameters, as: undefined })}
        activeOptions={{ exact: true }}
        aria-current={as !== 'list' ? 'page' : undefined}
        aria-label="Board"
        title="Board"
        data-on={as !== 'list' || undefined}
      >
        <IconLayoutKanban size={18} stroke={1.7} />
      </Link>
      <Link
        to="/crm/deals"
        search={(parameters) => ({ ...parameters, as: 'list' as const })}
        activeOptions={{ exact: true }}
        aria-current={as === 'list' ? 'page' : undefined}
        aria-label="List"
        title="List"
        data-on={as === 'list' || undefined}
      >
        <IconList size={18} stroke={1.7} />
      </Link>
    </nav>
  )
}
