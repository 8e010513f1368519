// Tasks: what is to be done by when.
import { taskRoutes, type Task, type TaskRow, type TaskStatus } from '#contract/tasks.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { Feature } from '#server/platform/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { editRecord, recordHandlers } from '#server/platform/records/handlers.ts'
import { readRecord } from '#server/platform/records/rows.ts'
import { tasks } from './kind.ts'

export const taskFeature: Feature = {
  kinds: [tasks],
  mount: (router, context) =>
    mount(router, taskRoutes, {
      ...recordHandlers<Task, TaskRow>(tasks, context),
      update: ({ caller, params, body }) => editTask(context.database, caller, params.id, body),
    }),
  screens: [{ path: '/crm/tasks', module: 'web/tasks/TasksPage.tsx' }],
}

/** What a row of tasks shows, of `c`. */
export const taskRowColumns = tasks.rowColumns

type TaskEdit = { status?: TaskStatus | undefined; version?: number | undefined }

/** Changes the named fields; see `editRecord`. The history says "Completed task" and "Reopened task" where that is what was done. */
async function editTask(database: Database, caller: Caller, id: string, patch: TaskEdit): Promise<Task> {
  const label = patch.status && deedOf(await database.read(caller, () => readRecord<Task>(tasks, caller.owner, id)), patch.status)
  return editRecord<Task>(tasks, database, caller, id, patch, { label })
}

function deedOf(before: Task, status: TaskStatus): string | undefined {
  if (status === before.status) return undefined
  if (status === 'completed') return 'Completed task'
  return before.status === 'completed' ? 'Reopened task' : undefined
}
