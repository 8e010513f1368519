import { useLayoutEffect } from 'react'
import { createStore } from './store.ts'

/** Keys that a part of the screen handles while it has the focus, in the format of `Action`. */
export type HandledKeys = { label: string; keys: string }

/** The keys that the list of shortcuts shows in addition to the shortcuts of actions, by the heading of their group. */
export const handledKeys = createStore<ReadonlyMap<string, readonly HandledKeys[]>>(new Map())

/** Lists keys while the component is mounted. The component handles them itself. */
export function useHandledKeys(group: string, list: readonly HandledKeys[]): void {
  useLayoutEffect(() => {
    handledKeys.set(new Map(handledKeys.get()).set(group, list))
    return () => handledKeys.set(new Map([...handledKeys.get()].filter(([each]) => each !== group)))
  }, [group, list])
}
