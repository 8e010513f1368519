import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatCappedCount } from '#web/lib/format.ts'
import { taskCountQuery } from './queries.ts'
import { views, type View } from './views.ts'
import classes from './TaskViews.module.css'

/** Links to the views, with the number of tasks in each view. The links keep the search and the filters of the list. */
export const TaskViews = ({ currentView }: { currentView: View }) => (
  <nav className={classes['views']} aria-label="Tasks by day">
    {views.map((view) => (
      <Link
        key={view.name}
        to="/crm/tasks"
        search={({ search, filter, columns }) => ({ search, filter, columns, ...(view.conditions.length > 0 && { view: view.name }) })}
        activeOptions={{ exact: true, includeSearch: true }}
        aria-current={view.name === currentView.name ? 'page' : undefined}
        className={classes['view']}
      >
        {view.label}
        {view.conditions.length > 0 && <Count view={view} />}
      </Link>
    ))}
  </nav>
)

function Count({ view: { name, conditions } }: { view: View }) {
  const { data: result } = useQuery(taskCountQuery(conditions))
  const hasOverdue = name === 'overdue' && result !== undefined && result.count > 0
  return (
    <span className={classes['count']} data-late={hasOverdue || undefined}>
      {result && formatCappedCount(result)}
    </span>
  )
}
