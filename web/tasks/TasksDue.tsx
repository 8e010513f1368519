import { useQuery } from '@tanstack/react-query'
import { cappedCount, countOf } from '#web/lib/format.ts'
import { taskCount } from './queries.ts'
import { dueNow } from './views.ts'

/** How many open tasks are due, beside the way to them; nothing where none is. */
export function TasksDue() {
  const { data: due } = useQuery(taskCount(dueNow))
  if (!due || due.count === 0) return null
  return <span title={`${countOf(due.count, 'task')} due or overdue`}>{cappedCount(due)}</span>
}
