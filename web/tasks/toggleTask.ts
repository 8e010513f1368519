import { taskRoutes, type TaskStatus } from '#contract/tasks.ts'
import { callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { createStore, useStore } from '#web/lib/store.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import { tasksTable } from './queries.ts'

export type TaskWithStatus = { id: string; status: TaskStatus }

/** The tasks whose new status is not saved yet, by id. Every screen shows the new status at once. */
const unsavedTasks = createStore<ReadonlyMap<string, TaskWithStatus>>(new Map())
/** The last save of each unsaved task, by id. */
const saves = new Map<string, Promise<void>>()

/** Returns the status of a task, or its new status while the new status is being saved. */
export const useShownStatus = ({ id, status }: TaskWithStatus): TaskStatus => useStore(unsavedTasks).get(id)?.status ?? status

/** Marks a task as completed, or a completed task as pending. After a failure, the old status is shown again, with a toast. */
export function toggleTask({ id, status }: TaskWithStatus): void {
  const shownStatus = unsavedTasks.get().get(id)?.status ?? status
  const newTask: TaskWithStatus = { id, status: shownStatus === 'completed' ? 'pending' : 'completed' }
  unsavedTasks.set(new Map([...unsavedTasks.get(), [id, newTask]]))
  saves.set(id, save(newTask, saves.get(id)))
}

/** Saves a status after the previous save of the same task has finished, so that the last status wins. */
async function save(newTask: TaskWithStatus, previousSave: Promise<void> | undefined): Promise<void> {
  const { id, status } = newTask
  await previousSave
  try {
    const { changeId } = await callForChange(taskRoutes.update, { params: { id }, body: { status } })
    const title = `Task marked as ${status}`
    toastChange(title, changeId)
  } catch (error) {
    toastError(error)
  }
  await refreshTables([tasksTable])
  if (unsavedTasks.get().get(id) === newTask) removeUnsaved(id)
}

function removeUnsaved(id: string): void {
  saves.delete(id)
  unsavedTasks.set(new Map([...unsavedTasks.get()].filter(([each]) => each !== id)))
}
