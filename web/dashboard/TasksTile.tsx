import { Link } from '@tanstack/react-router'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Dashboard } from '#contract/dashboard.ts'
import { formatNumber } from '#web/lib/format.ts'
import { ShortTaskList } from '#web/tasks/ShortTaskList.tsx'
import { Tile } from './Tile.tsx'
import classes from './Tile.module.css'

/** The tasks that are due today or overdue. */
export function TasksTile({ query }: { query: UseQueryResult<Dashboard> }) {
  return (
    <Tile
      title="Tasks due"
      getSummary={({ tasks: { due, overdue } }) => (due + overdue > 0 ? formatNumber(due + overdue) : undefined)}
      link={
        <Link to="/crm/tasks" search={{ view: 'today' }}>
          All due
        </Link>
      }
      query={query}
      layout="lines"
      isWide
    >
      {({ tasks: { rows } }) =>
        rows.length > 0 ? (
          <ShortTaskList tasks={rows} getDetail={({ deal_title, contact_name }) => deal_title || contact_name} />
        ) : (
          <p className={classes['nothing']}>Nothing is due today. Tasks show here on their day, and after it until they are done.</p>
        )
      }
    </Tile>
  )
}
