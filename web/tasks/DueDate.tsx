import { IconClock } from '@tabler/icons-react'
import type { TaskStatus } from '#contract/tasks.ts'
import { relativeDay, exactDay } from '#web/lib/format.ts'
import { isOverdue } from './taskWords.ts'
import { useShownStatus } from './toggling.ts'
import classes from './tasks.module.css'

/** When a task is due, as in "Tomorrow"; the exact day shows on hover. A day that is over has a clock. */
export function DueDate({ task }: { task: { id: string; status: TaskStatus; due_date: string | null } }) {
  const { due_date } = task
  const overdue = isOverdue({ due_date, status: useShownStatus(task) })
  if (!due_date) return null
  return (
    <time className={classes['due']} dateTime={due_date} title={exactDay(due_date)} data-overdue={overdue || undefined}>
      {overdue && <IconClock size={13} stroke={1.9} aria-label="Overdue" />}
      {relativeDay(due_date)}
    </time>
  )
}
