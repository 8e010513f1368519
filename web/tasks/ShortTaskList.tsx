import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { TaskRow } from '#contract/tasks.ts'
import { useFocusAfterRemoval } from '#web/ui/domHooks.ts'
import { DueDate } from './TaskBadges.tsx'
import { TaskCheckbox } from './TaskToggles.tsx'
import { useShownStatus } from './toggleTask.ts'
import classes from './tasks.module.css'

type ShortTaskListProps = {
  tasks: readonly TaskRow[]
  /** The text after the title, such as the linked record. */
  about?: ((task: TaskRow) => string) | undefined
}

/** A short list of tasks, each with a checkbox, a link and its due date. */
export function ShortTaskList({ tasks, about }: ShortTaskListProps) {
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list)
  return (
    <ul ref={list}>
      {tasks.map((task) => (
        <TaskItem key={task.id} task={task} about={about} />
      ))}
    </ul>
  )
}

function TaskItem({ task, about }: { task: TaskRow } & Pick<ShortTaskListProps, 'about'>) {
  const done = useShownStatus(task) === 'completed'
  return (
    <li className={classes['line']} data-done={done || undefined}>
      <TaskCheckbox task={task} />
      <span className={classes['words']}>
        <Link to="/crm/tasks/$id" params={{ id: task.id }} className={classes['title']} title={task.title}>
          {task.title}
        </Link>{' '}
        <span className={classes['about']}>{about?.(task)}</span>
      </span>
      <DueDate task={task} />
    </li>
  )
}
