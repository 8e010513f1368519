import * as z from 'zod/mini'
import { browserMemory } from '#web/lib/browserMemory.ts'
import { createStore } from '#web/lib/store.ts'

/** The name under which this browser stores the ids, so that a page that is opened later continues to follow the imports. */
const memoryName = 'running imports'

/** The ids of the imports that this browser has started and whose end was not announced yet. */
export const runningImports = createStore<readonly string[]>([])

const setIds = (ids: readonly string[]): void => {
  browserMemory.store(memoryName, ids)
  runningImports.set(ids)
}
const readIds = (): string[] => browserMemory.read(memoryName, z.array(z.string())) ?? []

/** Follows an import from its start to its end. */
export const followImport = (id: string): void => setIds([...readIds().filter((each) => each !== id), id])

/** Stops following an import that has ended, was deleted or could not start. */
export const stopFollowing = (id: string): void => setIds(readIds().filter((each) => each !== id))

/** Follows the imports that this browser started before the page was loaded. Returns a function that stops it. */
export function restoreRunningImports(): () => void {
  const ids = readIds()
  if (ids.length > 0) runningImports.set(ids)
  return () => runningImports.set([])
}
