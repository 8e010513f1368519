import type { Condition } from '#contract/lists.ts'
import { readListAddress, type ListAddress } from '#web/records/address/listSearch.ts'

const open: Condition = { field: 'status', is: ['pending', 'in-progress'] }

type ViewName = 'today' | 'overdue' | 'upcoming' | 'all'
export type View = {
  name: ViewName
  label: string
  within: Condition[]
  /** What it says while nothing is in it, and which view to go on with. */
  nothing?: { title: string; words: string; action: string; goOn: ViewName }
}

const all: View = { name: 'all', label: 'All', within: [] }

/** The ways to look at tasks by their day. */
export const views: readonly View[] = [
  {
    name: 'today',
    label: 'Today',
    within: [{ field: 'due_date', is: ['today'] }, open],
    nothing: {
      title: 'Nothing is due today',
      words: 'Tasks show here on the day they are due.',
      action: 'See what comes next',
      goOn: 'upcoming',
    },
  },
  {
    name: 'overdue',
    label: 'Overdue',
    within: [{ field: 'due_date', is: ['overdue'] }, open],
    nothing: {
      title: 'Nothing is overdue',
      words: 'Tasks that are not done on their day show here until they are.',
      action: 'See what is due today',
      goOn: 'today',
    },
  },
  {
    name: 'upcoming',
    label: 'Upcoming',
    within: [{ field: 'due_date', is: ['upcoming'] }, open],
    nothing: {
      title: 'Nothing is planned',
      words: 'Give a task a due date after today, and it shows here.',
      action: 'See all tasks',
      goOn: 'all',
    },
  },
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
