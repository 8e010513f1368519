import { queryOptions } from '@tanstack/react-query'
import type { Condition } from '#contract/lists.ts'
import { taskRoutes } from '#contract/tasks.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

export const tasksTable = 'tasks'
/** How many tasks these conditions leave, exact to 1,000. */
export const taskCount = (filter: readonly Condition[]) =>
  queryOptions({
    queryKey: [tasksTable, 'how many', filter],
    meta: { tables: [tasksTable] },
    queryFn: ({ signal }) => call(taskRoutes.count, { query: { filter: JSON.stringify(filter) } }, { signal }),
  })

/** What a task can belong to. */
export type TaskLink = 'contact_id' | 'deal_id'

/** How many tasks of a record are shown at once. */
export const linkedLimit = 50

/** The tasks of a contact or a deal, the next one due first. */
export const linkedTasks = (field: TaskLink, id: string) =>
  queryOptions({
    queryKey: recordKeys(tasksTable).linkedTo(field, id),
    meta: { tables: [tasksTable, 'crm_contacts', 'deals'] },
    queryFn: ({ signal }) => {
      const filter = JSON.stringify([{ field, is: [id] }])
      return call(taskRoutes.list, { query: { filter, sort: 'due_date', limit: linkedLimit } }, { signal })
    },
  })
