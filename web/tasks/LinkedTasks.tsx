import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TaskRow } from '#contract/tasks.ts'
import { describeError } from '#web/lib/toasts.ts'
import { maxLinkedTasks, linkedTasksQuery, type TaskLinkField } from './queries.ts'
import { ShortTaskList } from './ShortTaskList.tsx'
import classes from './tasks.module.css'

type LinkedTasksProps = {
  field: TaskLinkField
  id: string
  /** Returns the text after the title of a task. */
  getDetail?: (task: TaskRow) => string
  /** The text while there are no tasks. */
  emptyText: string
}

/** The tasks of a contact or a deal: first the open tasks, then the completed tasks, both sorted by due date. */
export function LinkedTasks({ field, id, getDetail, emptyText }: LinkedTasksProps) {
  const { data, error, isFetching, refetch } = useQuery(linkedTasksQuery(field, id))
  if (!data && error)
    return (
      <div className={classes['failed']} role="alert">
        <p>The tasks could not be loaded. {describeError(error)}</p>
        <Button variant="default" onClick={() => void refetch()} loading={isFetching}>
          Try again
        </Button>
      </div>
    )
  if (!data) return <output className={classes['waiting']} aria-label="Loading" />
  if (data.rows.length === 0) return <p className={classes['none']}>{emptyText}</p>
  return (
    <>
      <ShortTaskList tasks={sortOpenFirst(data.rows)} getDetail={getDetail} />
      {data.rows.length === maxLinkedTasks && (
        <Link to="/crm/tasks" search={{ filter: [{ field, is: [id] }] }} className="link">
          All tasks
        </Link>
      )}
    </>
  )
}

const sortOpenFirst = (tasks: readonly TaskRow[]): TaskRow[] =>
  tasks.toSorted((one, other) => Number(one.status === 'completed') - Number(other.status === 'completed'))
