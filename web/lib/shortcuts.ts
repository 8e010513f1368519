import { actions, type Action } from './actions.ts'
import { collectKeysAfter, listenForEarlyKeys } from './typeAhead.ts'
import { findDialog } from './waitingKeys.ts'

/** The maximum time between the two keys of a sequence such as `g-c`. */
const maxSequenceMs = 1200
const noPreviousKey = { key: '', at: 0 }

/**
 * Runs the action of each shortcut that is pressed. If the action opens a dialog or a page, the keys that the user presses meanwhile are
 * delivered to it later. Returns a function that removes the listeners.
 */
export function listenForShortcuts(): () => void {
  let isDialogOpen = false
  let previous = noPreviousKey
  // checked in the capture phase, because Escape may close the dialog before the event reaches the document
  const checkDialog = (): void => {
    isDialogOpen = findDialog() !== undefined
  }
  const runShortcut = (event: KeyboardEvent): void => {
    if (isDialogOpen || event.defaultPrevented || event.isComposing || closeMenu(event)) return
    const firstKey = event.timeStamp - previous.at < maxSequenceMs ? previous.key : ''
    previous = noPreviousKey
    const sequenceAction = firstKey === '' ? undefined : findAction(event, firstKey)
    const action = sequenceAction ?? findAction(event)
    if (!action && canBeginSequence(event)) previous = { key: event.key, at: event.timeStamp }
    if (!action || isHandledElsewhere(event, action)) return
    event.preventDefault()
    if (isUnwantedRepeat(event)) return
    action.run()
    collectKeysAfter(event)
  }
  const stopEarlyKeys = listenForEarlyKeys((event) => findAction(event) !== undefined)
  window.addEventListener('keydown', checkDialog, { capture: true })
  document.addEventListener('keydown', runShortcut)
  return () => {
    stopEarlyKeys()
    window.removeEventListener('keydown', checkDialog, { capture: true })
    document.removeEventListener('keydown', runShortcut)
  }
}

/**
 * Returns true for a repeat of a key that is held down, unless the key moves to another row, page or place, or zooms. A repeated Delete
 * would delete the next record, which the user may not have seen.
 */
export const isUnwantedRepeat = ({ repeat, key, ctrlKey, metaKey }: HeldKey): boolean =>
  repeat && (ctrlKey || metaKey || !/^([jk+=-]|Arrow\w+|Home|End|Page\w+)$/i.test(key))

type HeldKey = Pick<KeyboardEvent, 'repeat' | 'key' | 'ctrlKey' | 'metaKey'>

/** Closes a menu on Escape while the focus is on its button. Returns true when a menu was closed. */
function closeMenu(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape' || !(event.target instanceof Element)) return false
  const button = event.target.closest<HTMLElement>('[aria-haspopup=menu][aria-expanded=true]')
  if (!button) return false
  event.preventDefault()
  button.click()
  return true
}

/** Returns the key labels of a shortcut on this system: `mod+b` is "⌘ B" or "Ctrl B", `g-c` is "G C". */
export function formatKeys(keys: string): string[] {
  const arrows = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }
  const names: Record<string, string> = { ...arrows, mod: isMac() ? '⌘' : 'Ctrl', Escape: 'Esc', Delete: 'Del' }
  const parts = keys.split(/(?<=\w)[+-]/) // splits only after a letter or digit, so that the keys "+" and "-" stay whole
  return parts.map((key) => names[key] ?? key.charAt(0).toUpperCase() + key.slice(1))
}

/** Returns the action of a key, or of a sequence whose first key was `firstKey`. The newest registration has priority. */
const findAction = (event: KeyboardEvent, firstKey?: string): Action | undefined =>
  actions.get().findLast(({ keys = '' }) => keys.split(' ').some((shortcut) => matchesKey(event, getExpectedKey(shortcut, firstKey))))

/** Returns the key that completes a shortcut: its only key, or its second key after `firstKey`. Empty when no key completes it. */
function getExpectedKey(shortcut: string, firstKey: string | undefined): string {
  const [first = '', second] = shortcut.split(/(?<=\w)-/)
  if (second === undefined) return firstKey === undefined ? first : ''
  return first === firstKey ? second : ''
}

const canBeginSequence = (event: KeyboardEvent): boolean =>
  /^[a-z]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && !isHandledElsewhere(event, { worksWhileTyping: false })

/** Returns true when the event is this key with the same modifiers, such as `mod+b`. */
function matchesKey(event: KeyboardEvent, keyWithModifiers: string): boolean {
  if (keyWithModifiers === '') return false
  const parts = keyWithModifiers.split('+')
  const name = parts.at(-1) || '+' // the shortcut "+" is split into empty parts
  const key = name === 'Space' ? ' ' : name
  if (event.key.toLowerCase() !== key.toLowerCase() || event.altKey) return false
  const hasMod = isMac() ? event.metaKey : event.ctrlKey
  if (hasMod !== parts.includes('mod')) return false
  const isLetterOrNamedKey = /^[a-z]$|^\w{2,}$/i.test(key)
  return !isLetterOrNamedKey || event.shiftKey === parts.includes('shift') // '?' needs Shift on some keyboards only
}

const textFields = 'input:not([type=checkbox],[type=radio],[type=button]), textarea, select, [contenteditable=true]'

/** Returns true when the focused field, link or menu handles the key itself. */
function isHandledElsewhere(event: KeyboardEvent, { worksWhileTyping }: Pick<Action, 'worksWhileTyping'>): boolean {
  const target = event.target instanceof Element ? event.target : undefined
  if (!worksWhileTyping && target?.closest(textFields)) return true
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && target?.closest('a, button')) return true
  if (event.key === ' ' && target?.closest('button, input, summary')) return true
  return Boolean(target?.closest('[role=menu],[role=listbox]'))
}

const isMac = (): boolean => /Mac|iP(hone|ad)/.test(navigator.userAgent)
