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
export const readStacks = (): Stacks => browserMemory.read(storageName, Stacks) ?? { undoable: [], redoable: [] }
export const saveStacks = (changes: Partial<Stacks>): void => browserMemory.store(storageName, { ...readStacks(), ...changes })

/** Adds a step of this tab. Changes of a step that this tab has already join it in its place, so that later steps stay newer. */
export function addEntry(stack: StackName, { id, changeIds, label }: Omit<UndoEntry, 'tab'>): void {
  const entries = readStacks()[stack]
  const old = entries.find((each) => each.id === id)
  const entry = { id, changeIds: [...new Set([...(old?.changeIds ?? []), ...changeIds])], label, tab: getTabId() }
  if (old?.tab === entry.tab) return saveStacks({ [stack]: entries.map((each) => (each === old ? entry : each)) })
  saveStacks({ [stack]: [...entries.filter((each) => each !== old), entry].slice(-maxEntries) })
}

/** Removes the steps that this tab could redo: they cannot be redone after another change. */
export function forgetRedoable(): void {
  saveStacks({ redoable: readStacks().redoable.filter(({ tab }) => tab !== getTabId()) })
}

/** Returns the id of this tab, which survives a reload. */
export function getTabId(): string {
  const storedId = readFromTab('tab', z.string())
  const id = storedId ?? newId()
  if (!storedId) storeInTab('tab', id)
  return id
}
