import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatCappedCount } from '#web/lib/format.ts'
import { taskCountQuery } from './queries.ts'
import { views, type View } from './views.ts'
import classes from './TaskViews.module.css'

/** Links to the views, with the number of tasks in each. Search and filters stay. */
export const TaskViews = ({ shown }: { shown: View }) => (
  <nav className={classes['views']} aria-label="Tasks by day">
    {views.map((view) => (
      <Link
        key={view.name}
        to="/crm/tasks"
        search={({ search, filter, columns }) => ({ search, filter, columns, ...(view.conditions.length > 0 && { view: view.name }) })}
        activeOptions={{ exact: true, includeSearch: true }}
        aria-current={view.name === shown.name ? 'page' : undefined}
        className={classes['view']}
      >
        {view.label}
        {view.conditions.length > 0 && <Count view={view} />}
      </Link>
    ))}
  </nav>
)

function Count({ view: { name, conditions: within } }: { view: View }) {
  const { data: found } = useQuery(taskCountQuery(within))
  const hasOverdue = name === 'overdue' && found !== undefined && found.count > 0
  return (
    <span className={classes['count']} data-late={hasOverdue || undefined}>
      {found && formatCappedCount(found)}
    </span>
  )
}
