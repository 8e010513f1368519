import { taskRoutes, type Task, type TaskRow } from '#contract/tasks.ts'
import type { AppContext } from '#server/platform/context.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { recordHandlers } from '#server/platform/records/handlers.ts'
import { tasks } from './kind.ts'
import { editTask } from './tasks.ts'

export function mountTasks(router: Router, context: AppContext): void {
  mount(router, taskRoutes, {
    ...recordHandlers<Task, TaskRow>(tasks, context),
    update: ({ caller, params, body }) => editTask(context.database, caller, params.id, body),
  })
}
