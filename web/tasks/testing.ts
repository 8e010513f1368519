import { TaskRow, type Task } from '#contract/tasks.ts'
import { getToday } from '#web/lib/format.ts'

const makeId = (number: number): string => `01930000-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`

/** Returns the date `days` days after today, or before today if `days` is negative, in the time zone of the profile: "2026-11-21". */
function makeDate(days: number): string {
  const date = new Date(getToday())
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

const links = {
  contact_id: '01930000-0000-7000-8000-000000000001',
  contact_name: 'Imara Vantongeren',
  deal_id: '01930000-0000-7000-8000-0000000000a2',
  deal_title: 'Waiting room',
}

/** A task with all fields. It was due yesterday. */
export const drawings: Task = {
  id: makeId(1),
  title: 'Send the drawings',
  description: 'With the lowered desk.',
  status: 'in-progress',
  priority: 'high',
  due_date: makeDate(-1),
  ...links,
  completed_at: null,
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
  version: 3,
}

/** A pending task without links. It is due today. */
export const van: Task = {
  ...drawings,
  id: makeId(2),
  title: 'Book the van',
  description: '',
  status: 'pending',
  priority: 'medium',
  due_date: makeDate(0),
  contact_id: null,
  contact_name: '',
  deal_id: null,
  deal_title: '',
}

/** A completed task. */
export const invoice: Task = {
  ...van,
  id: makeId(3),
  title: 'Write the invoice',
  status: 'completed',
  completed_at: '2026-11-02T09:00:00.000Z',
}

const toRow = (task: Task): TaskRow => TaskRow.parse(task)

/** Creates the response with these tasks as the only page of the list. */
export const makePage = (tasks: Task[]): { rows: TaskRow[]; next: string | null } => ({ rows: tasks.map(toRow), next: null })
