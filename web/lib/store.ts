import { useSyncExternalStore } from 'react'

export type Store<State> = { get: () => State; set: (state: State) => void; subscribe: (listener: () => void) => () => void }

/** State outside of components. Set a new value instead of changing the old one. */
export function createStore<State>(initial: State): Store<State> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set: (next) => {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The state of a store; the component renders again when it changes. */
export const useStore = <State>(store: Store<State>): State => useSyncExternalStore(store.subscribe, store.get)
