import { ProblemError } from './client.ts'
import { createStore } from './store.ts'

export type Toast = {
  id: number
  title: string
  message?: string | undefined
  kind: 'success' | 'error' | 'info'
  /** The change set that the toast's Undo button undoes. */
  change?: string | undefined
  /** The button of the toast when there is no Undo. */
  action?: { label: string; run: () => void } | undefined
}

/** The toasts on the screen, oldest first. The shell renders them. */
export const toasts = createStore<readonly Toast[]>([])

const maxToasts = 4
let lastId = 0

/** Shows a toast; with `change` it offers Undo. It replaces a toast that says the same about the same change. */
export function toast(added: Omit<Toast, 'id'>): void {
  lastId += 1
  const others = toasts.get().filter((each) => !isRepeated(each, added))
  toasts.set([...others, { ...added, id: lastId }].slice(-maxToasts))
}

/** Shows an error toast with the message of the server, if there is one. */
export function toastError(error: unknown, title = 'Error'): void {
  toast({ kind: 'error', title, message: sentenceOf(error) })
}

export function dismissToast(id: number): void {
  dismissToasts((each) => each.id === id)
}

/** Dismisses all matching toasts. */
export function dismissToasts(matches: (toast: Toast) => boolean): void {
  toasts.set(toasts.get().filter((each) => !matches(each)))
}

/** The message about an error that is shown to people. */
export function sentenceOf(error: unknown): string {
  return error instanceof ProblemError ? error.message : 'Something went wrong in the browser. Reload the page and try again.'
}

/** The same error, or the same change. Two changes with the same title keep a toast each, because each has its own Undo. */
function isRepeated(old: Toast, added: Omit<Toast, 'id'>): boolean {
  if (old.kind !== added.kind || old.title !== added.title || old.message !== added.message) return false
  return added.kind === 'error' || (added.change !== undefined && added.change === old.change)
}
