import { ProblemError } from './client.ts'
import { createStore } from './store.ts'

export type Toast = {
  id: number
  title: string
  message?: string | undefined
  kind: 'success' | 'error' | 'info'
  /** The id of the change, or of the step with several changes, that the Undo button of the toast undoes. */
  changeId?: string | undefined
  /** The button of a toast without Undo. */
  action?: { label: string; run: () => void } | undefined
  /** The toast stays until it is dismissed, because it tells of something that is not finished. */
  isLasting?: boolean
  /** Called when the user closes the toast, and not when it disappears by itself. */
  onClose?: (() => void) | undefined
}

/** The toasts on the screen, oldest first. The shell renders them. */
export const toasts = createStore<readonly Toast[]>([])

/** The maximum number of toasts. Only lasting toasts can exceed it, because they are never removed for newer ones. */
const maxToasts = 4
let lastId = 0

/**
 * Shows a toast; with `changeId`, it has an Undo button. The new toast replaces an equal error toast, or an equal toast of the same change.
 */
export function toast(newToast: Omit<Toast, 'id'>): void {
  lastId += 1
  const others = toasts.get().filter((each) => !isRepeated(each, newToast))
  toasts.set([...dropOldest(others, others.length + 1 - maxToasts), { ...newToast, id: lastId }])
}

/** Drops the `count` oldest toasts that are not lasting, or fewer if there are not as many. */
function dropOldest(list: readonly Toast[], count: number): Toast[] {
  const dropped = new Set(list.filter(({ isLasting }) => !isLasting).slice(0, Math.max(count, 0)))
  return list.filter((each) => !dropped.has(each))
}

/** Shows a toast about something that is not finished, which stays until it is dismissed. Returns its id. */
export function showLastingToast(notice: Pick<Toast, 'title' | 'message' | 'action' | 'changeId'>): number {
  toast({ kind: 'info', isLasting: true, ...notice })
  return lastId
}

/** Replaces the message of a toast, for example with the current progress. */
export const setToastMessage = (id: number, message: string | undefined): void =>
  toasts.set(toasts.get().map((each) => (each.id === id ? { ...each, message } : each)))

/** Shows an error toast with the message of the server, or with a general message for other errors. */
export function toastError(error: unknown, title = 'Error'): void {
  toast({ kind: 'error', title, message: describeError(error) })
}

/** Dismisses the toast with this id. Does nothing if there is none. */
export function dismissToast(id: number): void {
  dismissToasts((each) => each.id === id)
}

/** Dismisses all matching toasts. */
export function dismissToasts(matches: (toast: Toast) => boolean): void {
  toasts.set(toasts.get().filter((each) => !matches(each)))
}

/** Returns the message that users see for an error. */
export function describeError(error: unknown): string {
  return error instanceof ProblemError ? error.message : 'Something went wrong in the browser. Reload the page and try again.'
}

/** Returns true when the new toast repeats the old one. Errors repeat also without a change, other toasts only with the same change. */
function isRepeated(old: Toast, newToast: Omit<Toast, 'id'>): boolean {
  if (old.kind !== newToast.kind || old.title !== newToast.title || old.message !== newToast.message) return false
  return newToast.changeId === old.changeId && (newToast.kind === 'error' || newToast.changeId !== undefined)
}
