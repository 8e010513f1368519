import { useSyncExternalStore } from 'react'

export type Store<State> = { get: () => State; set: (state: State) => void; subscribe: (listener: () => void) => () => void }

/** State that lives outside of the screens. Set a new value; never change the old one. */
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

/** The state of a store, for a component: it renders again when the state changes. */
export const useStore = <State>(store: Store<State>): State => useSyncExternalStore(store.subscribe, store.get)
