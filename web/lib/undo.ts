import { showLoadFailure } from './lazyPart.ts'
import { toast } from './toasts.ts'
import { addEntry, forgetRedoable } from './undoHistory.ts'

/** Stores a change of this tab for Ctrl/Cmd+Z. `label` is the title of its toast: "Contact deleted". */
export function storeForUndo(changeId: string | undefined, label: string): void {
  if (!changeId) return
  addEntry('undoable', changeId, label)
  forgetRedoable()
}

/** Shows a toast with an Undo button and stores the change for Ctrl/Cmd+Z. `title` describes the change: "Contact deleted". */
export function toastChange(title: string, changeId: string | undefined, message?: string): void {
  storeForUndo(changeId, title)
  toast({ kind: 'success', title, message, changeId })
}

/** Undoes a change, by default the newest change, and shows the result. Waits for running writes first. */
export async function undoChange(changeId?: string, label?: string): Promise<void> {
  const code = await loadCode()
  await (changeId ? code?.undoOne(changeId, label) : code?.undoNewest())
}

/** Redoes the change that was undone last. */
export async function redoChange(): Promise<void> {
  const code = await loadCode()
  await code?.redoNewest()
}

/** Loads the code that undoes changes. If it cannot be loaded, shows a toast and returns undefined. */
async function loadCode() {
  try {
    return await import('./runUndo.ts')
  } catch {
    showLoadFailure()
    return undefined
  }
}
