import type { Condition } from '#contract/lists.ts'
import { parseListParameters, type ListParameters } from '#web/records/address/listSettings.ts'

const openCondition: Condition = { field: 'status', is: ['pending', 'in-progress'] }

export type ViewName = 'today' | 'overdue' | 'upcoming' | 'all'
export type View = { name: ViewName; label: string; conditions: Condition[] }

const allView: View = { name: 'all', label: 'All', conditions: [] }

/** The views of the task list, by due date. */
export const views: readonly View[] = [
  { name: 'today', label: 'Today', conditions: [{ field: 'due_date', is: ['today'] }, openCondition] },
  { name: 'overdue', label: 'Overdue', conditions: [{ field: 'due_date', is: ['overdue'] }, openCondition] },
  { name: 'upcoming', label: 'Upcoming', conditions: [{ field: 'due_date', is: ['upcoming'] }, openCondition] },
  allView,
]

/** The conditions for open tasks that are due today or overdue. */
export const dueConditions: Condition[] = [{ field: 'due_date', is: ['overdue', 'today'] }, openCondition]

/** Returns the view with this name, or the view of all tasks when no view has this name. */
export const findView = (name: unknown): View => views.find((view) => view.name === name) ?? allView

type TaskListSearch = ListParameters & { view?: ViewName | undefined }

/** Parses the search parameters of the list. Leaves out invalid parameters. */
export function parseTaskListSearch(search: Record<string, unknown>): TaskListSearch {
  const { name } = findView(search['view'])
  return { ...parseListParameters(search), ...(name !== allView.name && { view: name }) }
}
