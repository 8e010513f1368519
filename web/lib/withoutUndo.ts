import { newId } from './ids.ts'
import { toast } from './toasts.ts'
import { storeInStep } from './undo.ts'

/** Stores a write that cannot be undone: the next Ctrl/Cmd+Z says so, because the user does not expect that it undoes an older change. */
export const storeWithoutUndo = (title: string): void => storeInStep(newId(), undefined, title)

/** Shows a toast for a write that cannot be undone, and stores it as such. */
export function toastWithoutUndo(title: string, message?: string): void {
  storeWithoutUndo(title)
  toast({ kind: 'success', title, message })
}
