import { useEffect, useRef } from 'react'
import { createStore } from './store.ts'

export type Shortcut = {
  /** `n`, `?`, `Enter`, `mod+b` (Ctrl, on a Mac Cmd), `mod+shift+z`; several ways with a space between them: `j ArrowDown`. */
  keys: string
  /** As the help dialog says it: "Add contact". */
  label: string
  run: (event: KeyboardEvent) => void
  /** Also while the person types in a field. */
  whileTyping?: boolean
  /** Under which head the help lists it; a page's own when left out. */
  group?: string
}

/** Everything that can be pressed on this screen, for the help dialog. */
export const shortcuts = createStore<readonly Shortcut[]>([])

/** Registers the shortcuts of a screen while it is shown. The newest registration of a key wins. */
export function useShortcuts(list: readonly Shortcut[]): void {
  const current = useRef(list)
  useEffect(() => {
    current.current = list
  })
  const signature = list.map(({ keys, label, group, whileTyping }) => [keys, label, group, whileTyping].join('|')).join('\n')
  useEffect(() => {
    const registered = current.current.map((shortcut, index) => ({
      ...shortcut,
      run: (event: KeyboardEvent) => current.current[index]?.run(event),
    }))
    shortcuts.set([...shortcuts.get(), ...registered])
    return () => shortcuts.set(shortcuts.get().filter((each) => !registered.includes(each)))
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the list is new every time, what it says is not
  }, [signature])
}

/** Listens to the keyboard; the shell starts it once. Returns what stops it. */
export function listenForShortcuts(): () => void {
  let underDialog = false
  // asked before anybody hears the key: a dialog that Escape closes is gone when the key gets to the document
  const look = (): void => {
    underDialog = document.querySelector('[aria-modal=true]') !== null
  }
  const press = (event: KeyboardEvent): void => {
    if (underDialog || event.defaultPrevented || event.isComposing) return
    const chosen = shortcuts.get().findLast((each) => each.keys.split(' ').some((keys) => matches(event, keys)))
    if (!chosen || isElsewhere(event, chosen)) return
    event.preventDefault()
    chosen.run(event)
  }
  window.addEventListener('keydown', look, { capture: true })
  document.addEventListener('keydown', press)
  return () => {
    window.removeEventListener('keydown', look, { capture: true })
    document.removeEventListener('keydown', press)
  }
}

/** How a key is written on this machine: `mod+b` is "⌘ B" or "Ctrl B". */
export function keyCaps(keys: string): string[] {
  const names: Record<string, string> = { mod: isMac() ? '⌘' : 'Ctrl', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', Delete: 'Del' }
  return keys.split('+').map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key[0]?.toUpperCase() + key.slice(1)))
}

function matches(event: KeyboardEvent, keys: string): boolean {
  const parts = keys.split('+')
  const key = parts.at(-1) || '+'
  if (event.key.toLowerCase() !== key.toLowerCase() || event.altKey) return false
  if ((isMac() ? event.metaKey : event.ctrlKey) !== parts.includes('mod')) return false
  return !/^[a-z]$|^\w{2,}$/i.test(key) || event.shiftKey === parts.includes('shift') // '?' needs Shift on some keyboards only
}

const typing = 'input:not([type=checkbox],[type=radio],[type=button]), textarea, select, [contenteditable=true]'

/** True where the key belongs to a field or a menu. */
function isElsewhere(event: KeyboardEvent, { whileTyping }: Shortcut): boolean {
  const target = event.target instanceof Element ? event.target : undefined
  if (!whileTyping && target?.closest(typing)) return true
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && target?.closest('a, button')) return true
  return Boolean(target?.closest('[role=menu],[role=listbox]'))
}

const isMac = (): boolean => /Mac|iP(hone|ad)/.test(navigator.userAgent)
