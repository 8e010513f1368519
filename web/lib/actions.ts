import { useEffect, useRef } from 'react'
import type { Icon } from './features.ts'
import { createStore } from './store.ts'

/** Something that can be done now: the palette finds it by its label, and a key may do it. */
export type Action = {
  /** As the palette and the list of keys say it: "Add contact". */
  label: string
  run: () => void
  /**
   * `n`, `?`, `Enter`, `mod+b` (Ctrl, on a Mac Cmd), `mod+shift+z`, `g-c` (g, then c); several ways with a space between them:
   * `j ArrowDown`.
   */
  keys?: string
  /** The key works also while the person types in a field. */
  whileTyping?: boolean
  /** Under which head the list of keys has it; a page's own when left out. */
  group?: string
  icon?: Icon
  /** An address that it leads to; then it can open in a new tab. */
  to?: string
  /** The part of the address's search that takes what was typed in the palette: `name` of `/crm/contacts/new?name=Ada`. */
  takes?: string
  /** A place to go to, not a deed. */
  place?: boolean
  /** Other words that people look for it by. */
  alsoCalled?: string
}

/** Everything that can be done on this screen, the newest registration last. Shortcuts and palette read this one list. */
export const actions = createStore<readonly Action[]>([])

/** Registers what a screen offers while it is shown. */
export function useActions(list: readonly Action[]): void {
  const current = useRef(list)
  useEffect(() => {
    current.current = list
  })
  const signature = JSON.stringify(list) // without functions: what it says, not what it does
  useEffect(() => {
    const registered = current.current.map((action, index) => ({ ...action, run: () => current.current[index]?.run() }))
    actions.set([...actions.get(), ...registered])
    return () => actions.set(actions.get().filter((each) => !registered.includes(each)))
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the list is new every time, what it says is not
  }, [signature])
}
