import * as z from 'zod/mini'
import { browserMemory } from './browserMemory.ts'
import { newId } from './ids.ts'
import { readFromTab, storeInTab } from './tabMemory.ts'

/**
 * One step of Undo. `id`: the id of its change, or an id of its own if it can have several changes. `changeIds`: its changes, oldest first;
 * empty for a write that cannot be undone. `tab`: the id of the tab in which the user made it.
 */
const UndoEntry = z.object({ id: z.string(), changeIds: z.array(z.string()), label: z.string(), tab: z.string() })
export type UndoEntry = z.infer<typeof UndoEntry>

/** The steps of the user in this browser that can be undone and redone, newest last. They survive a reload, and sign-out removes them. */
const Stacks = z.object({ undoable: z.array(UndoEntry), redoable: z.array(UndoEntry) })
type Stacks = z.infer<typeof Stacks>
export type StackName = keyof Stacks

/** The maximum number of steps that can be undone, and of those that can be redone. */
const maxEntries = 100
const storageName = 'changes'
const readStacks = (): Stacks => browserMemory.read(storageName, Stacks) ?? { undoable: [], redoable: [] }
const saveStacks = (changes: Partial<Stacks>): void => browserMemory.store(storageName, { ...readStacks(), ...changes })

/** Adds a step of this tab. Changes of a step that this tab has already join it in its place, so that later steps stay newer. */
export function addEntry(stack: StackName, { id, changeIds, label }: Omit<UndoEntry, 'tab'>): void {
  const entries = readStacks()[stack]
  const old = entries.find((each) => each.id === id)
  const entry = { id, changeIds: [...new Set([...(old?.changeIds ?? []), ...changeIds])], label, tab: getTabId() }
  if (old?.tab === entry.tab) return saveStacks({ [stack]: entries.map((each) => (each === old ? entry : each)) })
  saveStacks({ [stack]: [...entries.filter((each) => each !== old), entry].slice(-maxEntries) })
}

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

/** Removes the steps that this tab could redo: they cannot be redone after another change. */
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
