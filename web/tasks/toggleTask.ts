import { taskRoutes, type TaskStatus } from '#contract/tasks.ts'
import { callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { createStore, useStore } from '#web/lib/store.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import { tasksTable } from './queries.ts'

export type TaskWithStatus = { id: string; status: TaskStatus }

/** Tasks whose new status is not saved yet, by id. Every screen shows the new status at once. */
const unsavedTasks = createStore<ReadonlyMap<string, TaskWithStatus>>(new Map())
/** The last save of each task with an unsaved status. */
const saves = new Map<string, Promise<void>>()

/** The status of a task, or its new status while that is being saved. */
export const useShownStatus = ({ id, status }: TaskWithStatus): TaskStatus => useStore(unsavedTasks).get(id)?.status ?? status

/** Marks a task as completed, or a completed one as pending. A failure restores the status and shows a toast. */
export function toggleTask({ id, status }: TaskWithStatus): void {
  const shown = unsavedTasks.get().get(id)?.status ?? status
  const next: TaskWithStatus = { id, status: shown === 'completed' ? 'pending' : 'completed' }
  unsavedTasks.set(new Map([...unsavedTasks.get(), [id, next]]))
  saves.set(id, save(next, saves.get(id)))
}

/** Waits for the previous save of the same task, so that the last status wins. */
async function save(next: TaskWithStatus, previous: Promise<void> | undefined): Promise<void> {
  const { id, status } = next
  await previous
  try {
    const { change } = await callForChange(taskRoutes.update, { params: { id }, body: { status } })
    const title = `Task marked as ${status}`
    toastChange(title, change)
  } catch (error) {
    toastError(error)
  }
  await refreshTables([tasksTable])
  if (unsavedTasks.get().get(id) === next) removeUnsaved(id)
}

function removeUnsaved(id: string): void {
  saves.delete(id)
  unsavedTasks.set(new Map([...unsavedTasks.get()].filter(([each]) => each !== id)))
}
