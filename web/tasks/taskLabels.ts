import { taskPriorities, taskStatuses, type TaskPriority, type TaskStatus } from '#contract/tasks.ts'
import { countDaysUntil } from '#web/lib/format.ts'

export const statusBadges: Record<TaskStatus, { label: string; colour: string; dot: 'full' | 'half' | 'ring' }> = {
  pending: { label: 'Pending', colour: 'var(--f-stage-lead)', dot: 'ring' },
  'in-progress': { label: 'In progress', colour: 'var(--f-stage-qualified)', dot: 'half' },
  completed: { label: 'Completed', colour: 'var(--f-stage-won)', dot: 'full' },
}
export const priorityBadges: Record<TaskPriority, { label: string; colour: string }> = {
  low: { label: 'Low', colour: 'var(--f-stage-lead)' },
  medium: { label: 'Medium', colour: 'var(--f-stage-negotiation)' },
  high: { label: 'High', colour: 'var(--f-stage-lost)' },
}

export const statusChoices = taskStatuses.map((value) => ({ value, label: statusBadges[value].label }))
export const priorityChoices = taskPriorities.map((value) => ({ value, label: priorityBadges[value].label }))

/** Returns true when an open task was due before today. */
export const isOverdue = ({ status, due_date }: { status: TaskStatus; due_date: string | null }, now: number): boolean =>
  status !== 'completed' && due_date !== null && countDaysUntil(due_date, now) < 0

/** Describes the change of a status in the timeline of a linked record: "completed". Returns undefined for other fields. */
export function describeStatusChange({ name, before, after }: { name: string; before?: unknown; after?: unknown }): string | undefined {
  if (name !== 'status') return undefined
  if (after === 'completed') return 'completed'
  if (before === 'completed') return 'reopened'
  const status = taskStatuses.find((each) => each === after)
  return status && `set to ${statusBadges[status].label}`
}
