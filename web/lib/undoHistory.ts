import * as z from 'zod/mini'
import { browserMemory } from './browserMemory.ts'
import { newId } from './ids.ts'
import { readFromTab, storeInTab } from './tabMemory.ts'

/** `tab`: the id of the tab in which the user made the change. */
const UndoEntry = z.object({ changeId: z.string(), label: z.string(), tab: z.string() })
export type UndoEntry = z.infer<typeof UndoEntry>

/** The changes of the user in this browser that can be undone and redone, newest last. They survive a reload, and sign-out removes them. */
const Stacks = z.object({ undoable: z.array(UndoEntry), redoable: z.array(UndoEntry) })
type Stacks = z.infer<typeof Stacks>
export type StackName = keyof Stacks

/** The maximum number of changes that can be undone, and of those that can be redone. */
const maxEntries = 100
const storageName = 'changes'
const readStacks = (): Stacks => browserMemory.read(storageName, Stacks) ?? { undoable: [], redoable: [] }
const saveStacks = (changes: Partial<Stacks>): void => browserMemory.store(storageName, { ...readStacks(), ...changes })

/** Adds a change of this tab. */
export function addEntry(stack: StackName, changeId: string, label: string): void {
  saveStacks({ [stack]: [...readStacks()[stack], { changeId, label, tab: getTabId() }].slice(-maxEntries) })
}

/** Returns the newest change of this tab; if this tab has none, the newest change of all tabs of this browser. */
export function findNewestEntry(stack: StackName): UndoEntry | undefined {
  const entries = readStacks()[stack]
  return entries.findLast(({ tab }) => tab === getTabId()) ?? entries.at(-1)
}

/** Returns the change with this id if it can be undone. */
export const findEntry = (changeId: string): UndoEntry | undefined => readStacks().undoable.find((each) => each.changeId === changeId)

/** Removes a change, so that it can be neither undone nor redone. */
export function removeUndoEntry(changeId: string): void {
  const { undoable, redoable } = readStacks()
  const isOther = (entry: UndoEntry): boolean => entry.changeId !== changeId
  saveStacks({ undoable: undoable.filter(isOther), redoable: redoable.filter(isOther) })
}

/** Removes the changes that this tab could redo: they cannot be redone after another change. */
export function forgetRedoable(): void {
  saveStacks({ redoable: readStacks().redoable.filter(({ tab }) => tab !== getTabId()) })
}

/** Returns the id of this tab, which survives a reload. */
function getTabId(): string {
  const storedId = readFromTab('tab', z.string())
  const id = storedId ?? newId()
  if (!storedId) storeInTab('tab', id)
  return id
}
