import { taskRoutes, type Task, type TaskRow } from '#contract/tasks.ts'
import type { House } from '#server/platform/feature.ts'
import { mount, type Door } from '#server/platform/http/mount.ts'
import { recordHandlers } from '#server/platform/records/handlers.ts'
import { tasks } from './kind.ts'
import { editTask } from './tasks.ts'

export function mountTasks(door: Door, house: House): void {
  mount(door, taskRoutes, {
    ...recordHandlers<Task, TaskRow>(tasks, house),
    update: ({ who, params, body }) => editTask(house.database, who, params.id, body),
  })
}
