import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { TaskRow } from '#contract/tasks.ts'
import { useFocusAfterRemoval } from '#web/ui/domHooks.ts'
import { DueDate } from './DueDate.tsx'
import { TaskTick } from './TaskTick.tsx'
import { useShownStatus } from './toggling.ts'
import classes from './tasks.module.css'

type About = (task: TaskRow) => string
type FewTasksProps = {
  tasks: readonly TaskRow[]
  /** What a task says beside its title: what it belongs to. */
  about?: About | undefined
}

/** A few tasks, each to tick, to open, and with its day. */
export function FewTasks({ tasks, about }: FewTasksProps) {
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list)
  return (
    <ul ref={list}>
      {tasks.map((task) => (
        <Line key={task.id} task={task} about={about} />
      ))}
    </ul>
  )
}

function Line({ task, about }: { task: TaskRow; about: About | undefined }) {
  const done = useShownStatus(task) === 'completed'
  return (
    <li className={classes['line']} data-done={done || undefined}>
      <TaskTick task={task} />
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
