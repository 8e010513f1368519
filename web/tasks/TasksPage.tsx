import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { RecordsPage } from '#web/records/list/RecordsPage.tsx'
import { DoneToday } from './DoneToday.tsx'
import { EmptyDueDateTab } from './EmptyDueDateTab.tsx'
import { taskKind, taskKindByDueDate } from './taskKind.tsx'
import { DueDateTabLinks } from './DueDateTabLinks.tsx'
import { taskCountQuery } from './queries.ts'
import { findDueDateTab } from './dueDateTabs.ts'

const route = getRouteApi('/signed-in/crm/tasks')

/** The list of tasks, with a tab for each range of due dates. A task opens in a panel over the list. */
export function TasksPage() {
  const tab = findDueDateTab(route.useSearch())
  const { data: total, isPending } = useQuery(taskCountQuery([]))
  // if there is no task at all, the list has no conditions: its message then explains what tasks are, and does not say that none is due
  const conditions = tab.name === 'today' && total?.count === 0 ? [] : tab.conditions
  const isFilteredByDueDate = tab.conditions.length > 0
  const kind = isFilteredByDueDate ? taskKindByDueDate : taskKind
  return (
    <>
      <RecordsPage
        kind={kind}
        tabConditions={conditions}
        tabs={<DueDateTabLinks currentTab={tab} />}
        emptyTab={isPending ? <></> : <EmptyDueDateTab tab={tab} />} // no message until it is known whether there are tasks
      />
      {tab.name === 'today' && <DoneToday />}
      <Outlet />
    </>
  )
}
