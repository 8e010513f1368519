import type { Condition } from '#contract/lists.ts'
import { parseListParameters, type ListParameters } from '#web/records/address/listSearch.ts'

const open: Condition = { field: 'status', is: ['pending', 'in-progress'] }

export type ViewName = 'today' | 'overdue' | 'upcoming' | 'all'
export type View = { name: ViewName; label: string; within: Condition[] }

const all: View = { name: 'all', label: 'All', within: [] }

/** The views of the task list, by due date. */
export const views: readonly View[] = [
  { name: 'today', label: 'Today', within: [{ field: 'due_date', is: ['today'] }, open] },
  { name: 'overdue', label: 'Overdue', within: [{ field: 'due_date', is: ['overdue'] }, open] },
  { name: 'upcoming', label: 'Upcoming', within: [{ field: 'due_date', is: ['upcoming'] }, open] },
  all,
]

/** Open tasks that are due today or overdue. */
export const dueNow: Condition[] = [{ field: 'due_date', is: ['overdue', 'today'] }, open]

/** The view of this name; the view of all tasks when there is none. */
export const viewNamed = (name: unknown): View => views.find((view) => view.name === name) ?? all

type TasksAddress = ListParameters & { view?: ViewName | undefined }

/** The search parameters of the list; unreadable ones are left out. */
export function readTasksAddress(address: Record<string, unknown>): TasksAddress {
  const { name } = viewNamed(address['view'])
  return { ...parseListParameters(address), ...(name !== all.name && { view: name }) }
}
