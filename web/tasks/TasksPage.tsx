import { getRouteApi, Outlet } from '@tanstack/react-router'
import { RecordsPage } from '#web/records/list/RecordsPage.tsx'
import { EmptyView } from './EmptyView.tsx'
import { taskKind, taskKindByDueDate } from './taskKind.tsx'
import { TaskViews } from './TaskViews.tsx'
import { findView } from './views.ts'

const route = getRouteApi('/signed-in/crm/tasks')

/** The list of tasks, with views by due date. A task opens in a panel over the list. */
export function TasksPage() {
  const view = findView(route.useSearch().view)
  const kind = view.conditions.length > 0 ? taskKindByDueDate : taskKind
  return (
    <>
      <RecordsPage
        kind={kind}
        tabConditions={view.conditions}
        tabs={<TaskViews currentView={view} />}
        emptyTab={<EmptyView view={view} />}
      />
      <Outlet />
    </>
  )
}
