import { useLayoutEffect, useRef } from 'react'
import type { Icon } from './features.ts'
import { createStore } from './store.ts'

/** An action of the current screen. The command palette lists its label; a keyboard shortcut may run it. */
export type Action = {
  /** The label in the palette and in the list of shortcuts: "Add contact". */
  label: string
  run: () => void
  /**
   * The shortcut: `n`, `?`, `Enter`, `mod+b` (Ctrl+B, on a Mac Cmd+B), `mod+shift+z`, `g-c` (press g, then c). A space separates
   * alternatives: `j ArrowDown`.
   */
  keys?: string
  /** Allows the shortcut while a text field has the focus. */
  worksWhileTyping?: boolean
  /** The group in the list of shortcuts. Actions without a group belong to the current page. */
  group?: string
  icon?: Icon
  /** The address that the action opens. The palette can open the address in a new tab. */
  address?: string
  /** The name of the query parameter of `address` for the text typed in the palette: `name` in `/crm/contacts/new?name=Ada`. */
  paletteTextParameter?: string
  /**
   * Runs the action with the text typed in the palette. The palette lists an action with `runWithText` for any text, after the actions that
   * match the text: "Ask the assistant “quill”".
   */
  runWithText?: (text: string) => void
  /** True when the action opens a page and does nothing else. */
  isPage?: boolean
  /** Additional search words for the palette. */
  keywords?: string
}

/** An action that opens an address and is available on every screen. */
export type ActionLink = Pick<Action, 'label' | 'keys' | 'paletteTextParameter' | 'isPage' | 'keywords'> & { icon: Icon; address: string }

/** The actions of the current screen, in the order of registration. The shortcuts and the palette use this list. */
export const actions = createStore<readonly Action[]>([])

/** Registers actions while the component is mounted. A layout effect registers them, so that they work as soon as it is visible. */
export function useActions(list: readonly Action[]): void {
  const latestList = useRef(list)
  useLayoutEffect(() => {
    latestList.current = list
  })
  const signature = JSON.stringify(list) // without the functions, which are new on every render
  useLayoutEffect(() => {
    // the functions of the latest render are called
    const newActions = latestList.current.map((action, index) => ({
      ...action,
      run: () => latestList.current[index]?.run(),
      ...(action.runWithText && { runWithText: (text: string) => latestList.current[index]?.runWithText?.(text) }),
    }))
    actions.set([...actions.get(), ...newActions])
    return () => actions.set(actions.get().filter((each) => !newActions.includes(each)))
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- every render creates a new array, but its content rarely changes
  }, [signature])
}
