import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { cappedCount } from '#web/lib/format.ts'
import { taskCount } from './queries.ts'
import { views, type View } from './views.ts'
import classes from './TaskViews.module.css'

/** The ways to look at tasks by their day, with how many there are. Search and filters stay. */
export const TaskViews = ({ shown }: { shown: View }) => (
  <nav className={classes['views']} aria-label="Tasks by day">
    {views.map((view) => (
      <Link
        key={view.name}
        to="/crm/tasks"
        search={({ search, filter, columns }) => ({ search, filter, columns, ...(view.within.length > 0 && { view: view.name }) })}
        activeOptions={{ exact: true, includeSearch: true }}
        aria-current={view.name === shown.name ? 'page' : undefined}
        className={classes['view']}
      >
        {view.label}
        {view.within.length > 0 && <Count view={view} />}
      </Link>
    ))}
  </nav>
)

function Count({ view: { name, within } }: { view: View }) {
  const { data: found } = useQuery(taskCount(within))
  const isLate = name === 'overdue' && found !== undefined && found.count > 0
  return (
    <span className={classes['count']} data-late={isLate || undefined}>
      {found && cappedCount(found)}
    </span>
  )
}
