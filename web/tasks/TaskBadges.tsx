import { IconClock } from '@tabler/icons-react'
import type { TaskPriority } from '#contract/tasks.ts'
import { formatExactDay, formatRelativeDay } from '#web/lib/format.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { useNow } from '#web/ui/useNow.ts'
import { isOverdue, priorityBadges, statusBadges } from './taskLabels.ts'
import { useShownStatus, type TaskWithStatus } from './toggleTask.ts'
import classes from './tasks.module.css'

export const StatusBadge = ({ task }: { task: TaskWithStatus }) => <Badge {...statusBadges[useShownStatus(task)]} />

export const PriorityBadge = ({ priority }: { priority: TaskPriority }) => <Badge {...priorityBadges[priority]} />

/** The due date of a task: "Tomorrow". The tooltip shows the full date. An overdue task also shows a clock. */
export function DueDate({ task }: { task: TaskWithStatus & { due_date: string | null } }) {
  const { due_date } = task
  const now = useNow()
  const isTaskOverdue = isOverdue({ due_date, status: useShownStatus(task) }, now)
  if (!due_date) return null
  return (
    <time className={classes['due']} dateTime={due_date} title={formatExactDay(due_date)} data-overdue={isTaskOverdue || undefined}>
      {isTaskOverdue && <IconClock size={13} stroke={1.9} aria-label="Overdue" />}
      {formatRelativeDay(due_date, now)}
    </time>
  )
}
