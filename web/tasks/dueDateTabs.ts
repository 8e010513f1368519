import type { Condition } from '#contract/lists.ts'
import { parseListParameters, type ListParameters } from '#web/records/address/listSettings.ts'

const openCondition: Condition = { field: 'status', is: ['pending', 'in-progress'] }

export type DueDateTabName = 'today' | 'overdue' | 'upcoming' | 'all'
/** A tab of the task list. It shows the tasks that match the conditions. */
export type DueDateTab = { name: DueDateTabName; label: string; conditions: Condition[] }

const allTab: DueDateTab = { name: 'all', label: 'All', conditions: [] }

/** The tabs of the task list. */
export const dueDateTabs: readonly DueDateTab[] = [
  { name: 'today', label: 'Today', conditions: [{ field: 'due_date', is: ['today'] }, openCondition] },
  { name: 'overdue', label: 'Overdue', conditions: [{ field: 'due_date', is: ['overdue'] }, openCondition] },
  { name: 'upcoming', label: 'Upcoming', conditions: [{ field: 'due_date', is: ['upcoming'] }, openCondition] },
  allTab,
]

/** The conditions for open tasks that are due today or overdue. */
export const dueConditions: Condition[] = [{ field: 'due_date', is: ['overdue', 'today'] }, openCondition]

/** Returns the tab with this name, or the tab of all tasks when no tab has this name. */
export const findDueDateTab = (name: unknown): DueDateTab => dueDateTabs.find((tab) => tab.name === name) ?? allTab

/** The URL parameters of the task list. `view` is the name of the open tab; without it, the tab of all tasks is open. */
type TaskListParameters = ListParameters & { view?: DueDateTabName | undefined }

/** Parses the URL parameters of the list. Leaves out invalid parameters. */
export function parseTaskListParameters(parameters: Record<string, unknown>): TaskListParameters {
  const { name } = findDueDateTab(parameters['view'])
  return { ...parseListParameters(parameters), ...(name !== allTab.name && { view: name }) }
}
