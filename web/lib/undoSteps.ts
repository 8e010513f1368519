// Finds and removes steps of Undo. These functions are not in `undoHistory.ts`, which every page loads at first.
import { getTabId, readStacks, saveStacks, type StackName, type UndoEntry } from './undoHistory.ts'

/** Returns the newest step of this tab; if this tab has none, the newest step of all tabs of this browser. */
export function findNewestEntry(stack: StackName): UndoEntry | undefined {
  const entries = readStacks()[stack]
  return entries.findLast(({ tab }) => tab === getTabId()) ?? entries.at(-1)
}

/** Returns the step with this id if it can be undone. */
export const findEntry = (id: string): UndoEntry | undefined => readStacks().undoable.find((each) => each.id === id)

/** Removes a step, so that it can be neither undone nor redone. */
export function removeUndoEntry(id: string): void {
  const { undoable, redoable } = readStacks()
  const isOther = (entry: UndoEntry): boolean => entry.id !== id
  saveStacks({ undoable: undoable.filter(isOther), redoable: redoable.filter(isOther) })
}

/** Removes a change, so that it can be neither undone nor redone, and its step if it was its last change. */
export function removeUndoChange(changeId: string): void {
  const { undoable, redoable } = readStacks()
  const withoutChange = (entry: UndoEntry): UndoEntry[] => {
    if (!entry.changeIds.includes(changeId)) return [entry]
    const changeIds = entry.changeIds.filter((each) => each !== changeId)
    return changeIds.length > 0 ? [{ ...entry, changeIds }] : []
  }
  saveStacks({ undoable: undoable.flatMap(withoutChange), redoable: redoable.flatMap(withoutChange) })
}
