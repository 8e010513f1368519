import { useEffect, useRef } from 'react'
import type { Icon } from './features.ts'
import { createStore } from './store.ts'

/** An action of the current screen. The palette lists it by its label; a keyboard shortcut may run it. */
export type Action = {
  /** Its name in the palette and in the list of shortcuts: "Add contact". */
  label: string
  run: () => void
  /**
   * The shortcut: `n`, `?`, `Enter`, `mod+b` (Ctrl, on a Mac Cmd), `mod+shift+z`, `g-c` (g, then c). Alternatives are separated by a
   * space: `j ArrowDown`.
   */
  keys?: string
  /** The shortcut also works while a text field has the focus. */
  whileTyping?: boolean
  /** Its group in the list of shortcuts. Actions without a group belong to the current page. */
  group?: string
  icon?: Icon
  /** The address that it opens. The palette can open it in a new tab. */
  to?: string
  /** The query parameter of `to` that receives the text typed in the palette: `name` in `/crm/contacts/new?name=Ada`. */
  searchParam?: string
  /** It opens a page and changes nothing. */
  isPage?: boolean
  /** Other words that the palette finds it by. */
  keywords?: string
}

/** An action of every screen that opens an address. */
export type ActionLink = Pick<Action, 'label' | 'keys' | 'searchParam' | 'isPage' | 'keywords'> & { icon: Icon; to: string }

/** The actions of the current screen, in the order of registration. Shortcuts and palette read this list. */
export const actions = createStore<readonly Action[]>([])

/** Registers actions while the component is mounted. */
export function useActions(list: readonly Action[]): void {
  const current = useRef(list)
  useEffect(() => {
    current.current = list
  })
  const signature = JSON.stringify(list) // leaves functions out
  useEffect(() => {
    const registered = current.current.map((action, index) => ({ ...action, run: () => current.current[index]?.run() }))
    actions.set([...actions.get(), ...registered])
    return () => actions.set(actions.get().filter((each) => !registered.includes(each)))
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the list is a new array on every render; its content rarely changes
  }, [signature])
}
