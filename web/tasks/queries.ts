import { queryOptions } from '@tanstack/react-query'
import type { Condition } from '#contract/lists.ts'
import { taskRoutes } from '#contract/tasks.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

export const tasksTable = 'tasks'

/** The query of the number of tasks that match the conditions. The server counts up to 1,000. */
export const taskCountQuery = (filter: readonly Condition[]) =>
  queryOptions({
    queryKey: [tasksTable, 'number matching', filter],
    meta: { tables: [tasksTable] },
    queryFn: ({ signal }) => call(taskRoutes.count, { query: { filter: JSON.stringify(filter) } }, { signal }),
  })

/** The maximum number of completed tasks that are shown below the tasks of today. */
export const maxDoneTasks = 50

/** The query of the tasks that were completed on a day such as "2026-11-21" or later, sorted by due date. */
export const doneTasksQuery = (day: string) =>
  queryOptions({
    queryKey: [tasksTable, 'completed since', day],
    meta: { tables: [tasksTable, 'crm_contacts', 'deals'] },
    queryFn: ({ signal }) => {
      const filter = JSON.stringify([
        { field: 'status', is: ['completed'] },
        { field: 'completed_at', from: day },
      ])
      return call(taskRoutes.list, { query: { filter, sort: 'due_date', limit: maxDoneTasks } }, { signal })
    },
  })

/** A field that links a task to another record. */
export type TaskLinkField = 'contact_id' | 'deal_id'

/** The maximum number of tasks that are shown with a contact or a deal. */
export const maxLinkedTasks = 50

/** The query of the tasks of a contact or a deal, sorted by due date. */
export const linkedTasksQuery = (field: TaskLinkField, id: string) =>
  queryOptions({
    queryKey: recordKeys(tasksTable).linkedTo(field, id),
    meta: { tables: [tasksTable, 'crm_contacts', 'deals'] },
    queryFn: ({ signal }) => {
      const filter = JSON.stringify([{ field, is: [id] }])
      return call(taskRoutes.list, { query: { filter, sort: 'due_date', limit: maxLinkedTasks } }, { signal })
    },
  })
