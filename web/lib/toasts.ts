import { ProblemError } from './client.ts'
import { createStore } from './store.ts'

export type Toast = {
  id: number
  title: string
  message?: string | undefined
  kind: 'success' | 'error' | 'info'
  /** The change set that Undo in the toast takes back. */
  change?: string | undefined
  /** Something else to offer in the place of Undo. */
  action?: { label: string; run: () => void } | undefined
}

/** What stands on the screen, oldest first. The shell draws it. */
export const toasts = createStore<readonly Toast[]>([])

const mostAtOnce = 4
let last = 0

/** Says briefly what happened. With `change` it offers Undo. It takes the place of a toast that says the same of the same. */
export function toast(said: Omit<Toast, 'id'>): void {
  last += 1
  const others = toasts.get().filter((each) => !isRepeated(each, said))
  toasts.set([...others, { ...said, id: last }].slice(-mostAtOnce))
}

/** Says what went wrong, in the server's words where there are any. */
export function toastError(error: unknown, title = 'Error'): void {
  toast({ kind: 'error', title, message: sentenceOf(error) })
}

export function dismissToast(id: number): void {
  dismissToasts((each) => each.id === id)
}

/** Takes away every toast that no longer holds. */
export function dismissToasts(isOver: (toast: Toast) => boolean): void {
  toasts.set(toasts.get().filter((each) => !isOver(each)))
}

/** What to tell people about a failure. */
export function sentenceOf(error: unknown): string {
  return error instanceof ProblemError ? error.message : 'Something went wrong in the browser. Reload the page and try again.'
}

/** A failure that comes again, or the same change told again; two changes that read alike keep an Undo each. */
function isRepeated(old: Toast, said: Omit<Toast, 'id'>): boolean {
  if (old.kind !== said.kind || old.title !== said.title || old.message !== said.message) return false
  return said.kind === 'error' || (said.change !== undefined && said.change === old.change)
}
