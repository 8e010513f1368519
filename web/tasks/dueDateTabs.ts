import type { Condition } from '#contract/lists.ts'
import { parseListParameters, type ListParameters } from '#web/records/address/listSettings.ts'

const openTasksCondition: Condition = { field: 'status', is: ['pending', 'in-progress'] }

export type DueDateTabName = 'today' | 'overdue' | 'upcoming' | 'all'
/** A tab of the task list. It shows the tasks that match the conditions. */
export type DueDateTab = { name: DueDateTabName; label: string; conditions: Condition[] }

const allTab: DueDateTab = { name: 'all', label: 'All', conditions: [] }

/** The conditions for open tasks that are due today or overdue. */
export const dueConditions: Condition[] = [{ field: 'due_date', is: ['overdue', 'today'] }, openTasksCondition]

const todayTab: DueDateTab = { name: 'today', label: 'Today', conditions: dueConditions }

/** The tabs of the task list. The tab of today also shows what is overdue, because that is to be done today too. */
export const dueDateTabs: readonly DueDateTab[] = [
  todayTab,
  { name: 'overdue', label: 'Overdue', conditions: [{ field: 'due_date', is: ['overdue'] }, openTasksCondition] },
  { name: 'upcoming', label: 'Upcoming', conditions: [{ field: 'due_date', is: ['upcoming'] }, openTasksCondition] },
  allTab,
]

/** Returns the tab with the name `view`. Without a name, returns the tab All if there is a search or a filter, otherwise the tab Today. */
export const findDueDateTab = ({ view, search, filter }: TaskListParameters): DueDateTab =>
  dueDateTabs.find(({ name }) => name === view) ?? (search || filter ? allTab : todayTab)

/** The URL parameters of the task list. `view` is the name of the open tab. */
type TaskListParameters = ListParameters & { view?: DueDateTabName | undefined }

/** Parses the URL parameters of the list. Leaves out invalid parameters. */
export function parseTaskListParameters({ view, ...parameters }: Record<string, unknown>): TaskListParameters {
  const listParameters = parseListParameters(parameters)
  const namedTab = dueDateTabs.find(({ name }) => name === view)
  return { ...listParameters, view: (namedTab ?? findDueDateTab(listParameters)).name }
}
