// Tasks: work to do, with a due date.
import { taskRoutes, type Task, type TaskRow } from '#contract/tasks.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { createRecordHandlers } from '#server/platform/records/handlers.ts'
import { tasks } from './kind.ts'

export const taskFeature: Feature = {
  kinds: [tasks],
  mount: (router, context) => mount(router, taskRoutes, createRecordHandlers<Task, TaskRow>(tasks, context)),
  webScreens: [{ path: '/crm/tasks', module: 'web/tasks/TasksPage.tsx' }],
}

/** The SQL columns of a row of the task list, for the table alias `c`. */
export const taskRowColumns = tasks.rowColumns
