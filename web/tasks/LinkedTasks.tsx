import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TaskRow } from '#contract/tasks.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
import { linkedLimit, linkedTasks, type TaskLink } from './queries.ts'
import { FewTasks } from './FewTasks.tsx'
import classes from './tasks.module.css'

type LinkedTasksProps = {
  field: TaskLink
  id: string
  /** What a task says beside its title. */
  about?: (task: TaskRow) => string
  /** What stands there while there are none. */
  none: string
}

/** The tasks of a contact or a deal: the open ones, the next one due first, then what is done. */
export function LinkedTasks({ field, id, about, none }: LinkedTasksProps) {
  const { data, error, isFetching, refetch } = useQuery(linkedTasks(field, id))
  if (!data && error)
    return (
      <div className={classes['failed']} role="alert">
        <p>The tasks could not be loaded. {sentenceOf(error)}</p>
        <Button variant="default" onClick={() => void refetch()} loading={isFetching}>
          Try again
        </Button>
      </div>
    )
  if (!data) return <output className={classes['waiting']} aria-label="Loading" />
  if (data.rows.length === 0) return <p className={classes['none']}>{none}</p>
  return (
    <>
      <FewTasks tasks={openFirst(data.rows)} about={about} />
      {data.rows.length === linkedLimit && (
        <Link to="/crm/tasks" search={{ filter: [{ field, is: [id] }] }} className="link">
          All tasks
        </Link>
      )}
    </>
  )
}

const openFirst = (tasks: readonly TaskRow[]): TaskRow[] =>
  tasks.toSorted((one, other) => Number(one.status === 'completed') - Number(other.status === 'completed'))
