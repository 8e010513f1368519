import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatCappedCount } from '#web/lib/format.ts'
import { taskCountQuery } from './queries.ts'
import { dueDateTabs, type DueDateTab } from './dueDateTabs.ts'
import tabs from '#web/ui/TabLinks.module.css'
import classes from './DueDateTabLinks.module.css'

/** Links to the tabs, with the number of tasks in each tab. The links keep the search text and the filters of the list. */
export const DueDateTabLinks = ({ currentTab }: { currentTab: DueDateTab }) => (
  <nav className={tabs['tabs']} aria-label="Tasks by day">
    {dueDateTabs.map((tab) => (
      <Link
        key={tab.name}
        to="/crm/tasks"
        search={({ search, filter, columns }) => ({ search, filter, columns, view: tab.name })}
        activeOptions={{ exact: true, includeSearch: true }}
        aria-current={tab.name === currentTab.name ? 'page' : undefined}
        className={tabs['tab']}
      >
        {tab.label}
        {tab.conditions.length > 0 && <TaskCount tab={tab} />}
      </Link>
    ))}
  </nav>
)

function TaskCount({ tab: { name, conditions } }: { tab: DueDateTab }) {
  const { data: result } = useQuery(taskCountQuery(conditions))
  const hasOverdue = name === 'overdue' && result !== undefined && result.count > 0
  return (
    <span className={classes['count']} data-late={hasOverdue || undefined}>
      {result && formatCappedCount(result)}
    </span>
  )
}
