import type { Condition } from '#contract/lists.ts'
import { readListAddress, type ListAddress } from '#web/records/listSearch.ts'

const open: Condition = { field: 'status', is: ['pending', 'in-progress'] }

type ViewName = 'today' | 'overdue' | 'upcoming' | 'all'
export type View = { name: ViewName; label: string; within: Condition[] }

const all: View = { name: 'all', label: 'All', within: [] }

/** The ways to look at tasks by their day. */
export const views: readonly View[] = [
  { name: 'today', label: 'Today', within: [{ field: 'due_date', is: ['today'] }, open] },
  { name: 'overdue', label: 'Overdue', within: [{ field: 'due_date', is: ['overdue'] }, open] },
  { name: 'upcoming', label: 'Upcoming', within: [{ field: 'due_date', is: ['upcoming'] }, open] },
  all,
]

/** Open tasks whose day is here or over. */
export const dueNow: Condition[] = [{ field: 'due_date', is: ['overdue', 'today'] }, open]

/** All of them, where the name says nothing. */
export const viewNamed = (name: unknown): View => views.find((view) => view.name === name) ?? all

type TasksAddress = ListAddress & { view?: ViewName | undefined }

/** What the address of the list says, without what cannot be read. */
export function readTasksAddress(address: Record<string, unknown>): TasksAddress {
  const { name } = viewNamed(address['view'])
  return { ...readListAddress(address), ...(name !== all.name && { view: name }) }
}
