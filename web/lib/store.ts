import { useSyncExternalStore } from 'react'

export type Store<State> = { get: () => State; set: (state: State) => void; subscribe: (listener: () => void) => () => void }

/** Creates state outside of components. `set` calls the listeners only if it gets another object: never change the old object. */
export function createStore<State>(initial: State): Store<State> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set: (next) => {
      if (Object.is(next, state)) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns the state of a store and renders the component again when it changes. */
export const useStore = <State>(store: Store<State>): State => useSyncExternalStore(store.subscribe, store.get)
