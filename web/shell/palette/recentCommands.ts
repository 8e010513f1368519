import * as z from 'zod/mini'
import { readFromTab, storeInTab } from '#web/lib/tabMemory.ts'

const storageName = 'commands'
const maxCommands = 10

/** Returns the labels of the commands that were run lately in this tab, newest first. Signing out removes them. */
export const readRecentCommands = (): string[] => readFromTab(storageName, z.array(z.string())) ?? []

/** Stores that a command was run. */
export function storeRecentCommand(label: string): void {
  const others = readRecentCommands().filter((each) => each !== label)
  storeInTab(storageName, [label, ...others].slice(0, maxCommands))
}
