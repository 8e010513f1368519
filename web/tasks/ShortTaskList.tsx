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
  /** Returns the text after the title, such as the name of the linked record. */
  getDetail?: ((task: TaskRow) => string) | undefined
}

/** A short list of tasks, each with a checkbox, a link and its due date. */
export function ShortTaskList({ tasks, getDetail }: ShortTaskListProps) {
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list)
  return (
    <ul ref={list}>
      {tasks.map((task) => (
        <TaskItem key={task.id} task={task} getDetail={getDetail} />
      ))}
    </ul>
  )
}

function TaskItem({ task, getDetail }: { task: TaskRow } & Pick<ShortTaskListProps, 'getDetail'>) {
  const isCompleted = useShownStatus(task) === 'completed'
  return (
    <li className={classes['line']} data-done={isCompleted || undefined}>
      <TaskCheckbox task={task} />
      <span className={classes['text']}>
        <Link to="/crm/tasks/$id" params={{ id: task.id }} className={classes['title']} title={task.title}>
          {task.title}
        </Link>{' '}
        <span className={classes['about']}>{getDetail?.(task)}</span>
      </span>
      <DueDate task={task} />
    </li>
  )
}
