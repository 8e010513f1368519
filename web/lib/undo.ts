import { hasRunningWrites, waitForWrites } from './client.ts'
import { showLoadFailure } from './lazyPart.ts'
import { toast } from './toasts.ts'
import { addEntry, forgetRedoable } from './undoHistory.ts'

/** The number of changes that were stored for Ctrl/Cmd+Z since the page was loaded. */
let storedCount = 0

/** Stores a change of this tab for Ctrl/Cmd+Z. `title` is the title of its toast: "Contact deleted". */
export function storeForUndo(changeId: string | undefined, title: string): void {
  if (changeId) storeInStep(changeId, changeId, title)
}

/**
 * Stores a change as a part of a step: Ctrl/Cmd+Z undoes all changes of a step. `title` is the new title of the step. Without a change the
 * step can be undone only if it gets other changes.
 */
export function storeInStep(stepId: string, changeId: string | undefined, title: string): void {
  storedCount += 1
  addEntry('undoable', { id: stepId, changeIds: changeId ? [changeId] : [], label: title })
  forgetRedoable()
}

/** Shows a toast with an Undo button and stores the change for Ctrl/Cmd+Z. `title` describes the change: "Contact deleted". */
export function toastChange(title: string, changeId: string | undefined, message?: string): void {
  storeForUndo(changeId, title)
  toast({ kind: 'success', title, message, changeId })
}

/**
 * Undoes a change or a step, by default the newest step, and shows the result. Waits for running writes first. `label` names a change that
 * is not stored in this browser.
 */
export async function undoChange(id?: string, label?: string): Promise<void> {
  const storedBefore = storedCount
  // begins before the code is loaded, because the write that is running may end meanwhile
  const wouldUndoOlder = hasRunningWrites() ? waitForWrites().then(() => storedCount === storedBefore) : Promise.resolve(false)
  const code = await load(loadUndo)
  await (id ? code?.undoOne(id, label) : code?.undoNewest(wouldUndoOlder))
}

/** Redoes the change that was undone last. */
export async function redoChange(): Promise<void> {
  const code = await load(loadUndo)
  await code?.redoNewest()
}

/**
 * Shows the progress of a change that a job continues on the server, and then a toast with Undo. `runningTitle` is the title while the job
 * runs; by default it is the label that the server has given the change. `unit` is what the progress counts: records (the default), or the
 * parts into which the server divides the job. `doneTitle` and `message` belong to the toast with Undo.
 */
export async function followChange(
  changeId: string | undefined,
  options: { runningTitle?: string; doneTitle: string; message?: string; unit?: 'record' | 'part' },
): Promise<void> {
  storeForUndo(changeId, options.doneTitle)
  const code = await load(loadUndo)
  if (changeId) await code?.followChange(changeId, options)
}

/** Loads the code that undoes changes, which is not part of the first load. */
export const loadUndo = () => import('./runUndo.ts')

/** Returns loaded code. If it cannot be loaded, shows a toast and returns undefined. */
async function load<Code>(loadCode: () => Promise<Code>): Promise<Code | undefined> {
  try {
    return await loadCode()
  } catch {
    showLoadFailure()
    return undefined
  }
}
