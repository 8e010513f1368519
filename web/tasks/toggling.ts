import { taskRoutes, type TaskStatus } from '#contract/tasks.ts'
import { callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { createStore, useStore } from '#web/lib/store.ts'
import { toastError } from '#web/lib/toasts.ts'
import { sayDone } from '#web/lib/undo.ts'
import { tasksTable } from './queries.ts'

type Ticked = { id: string; status: TaskStatus }

/** What was ticked here and is not yet known to the server, by id. It shows at once wherever the task stands. */
const ticked = createStore<ReadonlyMap<string, Ticked>>(new Map())
const turns = new Map<string, Promise<void>>()

/** The status as it is shown: what was ticked a moment ago counts already. */
export const useShownStatus = ({ id, status }: Ticked): TaskStatus => useStore(ticked).get(id)?.status ?? status

/** Ticks a task off, or takes the tick back. A failure takes it back too, and a toast says why. */
export function toggleTask({ id, status }: Ticked): void {
  const shown = ticked.get().get(id)?.status ?? status
  const next: Ticked = { id, status: shown === 'completed' ? 'pending' : 'completed' }
  ticked.set(new Map([...ticked.get(), [id, next]]))
  turns.set(id, save(next, turns.get(id)))
}

/** One after the other: the last tick is the one that stays. */
async function save(next: Ticked, before: Promise<void> | undefined): Promise<void> {
  const { id, status } = next
  await before
  try {
    const { change } = await callForChange(taskRoutes.update, { params: { id }, body: { status } })
    const title = `Task marked as ${status}`
    sayDone(title, change)
  } catch (error) {
    toastError(error)
  }
  await refreshTables([tasksTable])
  if (ticked.get().get(id) === next) forget(id)
}

function forget(id: string): void {
  turns.delete(id)
  ticked.set(new Map([...ticked.get()].filter(([each]) => each !== id)))
}
