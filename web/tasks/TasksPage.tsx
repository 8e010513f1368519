import { getRouteApi, Outlet } from '@tanstack/react-router'
import { RecordsPage } from '#web/records/list/RecordsPage.tsx'
import { EmptyDueDateTab } from './EmptyDueDateTab.tsx'
import { taskKind, taskKindByDueDate } from './taskKind.tsx'
import { DueDateTabLinks } from './DueDateTabLinks.tsx'
import { findDueDateTab } from './dueDateTabs.ts'

const route = getRouteApi('/signed-in/crm/tasks')

/** The list of tasks, with a tab for each range of due dates. A task opens in a panel over the list. */
export function TasksPage() {
  const { view: tabName } = route.useSearch()
  const tab = findDueDateTab(tabName)
  const isFilteredByDueDate = tab.conditions.length > 0
  const kind = isFilteredByDueDate ? taskKindByDueDate : taskKind
  return (
    <>
      <RecordsPage
        kind={kind}
        tabConditions={tab.conditions}
        tabs={<DueDateTabLinks currentTab={tab} />}
        emptyTab={<EmptyDueDateTab tab={tab} />}
      />
      <Outlet />
    </>
  )
}
