import { taskRoutes } from '#contract/tasks.ts'
import { addressOf } from '#web/lib/client.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'
import { firstRequestsOfList } from '#web/records/list/firstRequests.ts'
import { RowsSkeleton } from '#web/ui/PageSkeleton.tsx'
import { dueConditions, dueDateTabs } from './dueDateTabs.ts'

/** The addresses that the entry in the sidebar requests on every screen. */
export const tasksEntryRequests = (): string[] => [addressOf(taskRoutes.count, { query: { filter: JSON.stringify(dueConditions) } })]

/** The list of tasks before the application has started, with the tab Today open. */
export const tasksSkeleton: ScreenSkeleton = {
  path: '/crm/tasks',
  includesSubpaths: true,
  title: 'Tasks',
  tabs: dueDateTabs.map(({ label }) => label),
  searchLabel: 'Search tasks',
  content: <RowsSkeleton />,
  // the last request counts all tasks, because the page has another message when there are no tasks at all
  firstRequests: () => [
    ...firstRequestsOfList(taskRoutes, { filter: dueConditions, sort: 'due_date' }),
    addressOf(taskRoutes.count, { query: { filter: '[]' } }),
  ],
}
