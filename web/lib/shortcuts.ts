import { actions, type Action } from './actions.ts'

/** The maximum time between the two keys of a sequence such as `g-c`. */
const maxSequenceMs = 1200
const noKey = { key: '', at: 0 }

/** Runs actions by their shortcuts. Returns a function that stops it. */
export function listenForShortcuts(): () => void {
  let isDialogOpen = false
  let previous = noKey
  // checked in the capture phase, because Escape may close the dialog before the event reaches the document
  const checkDialog = (): void => {
    isDialogOpen = document.querySelector('[aria-modal=true]') !== null
  }
  const press = (event: KeyboardEvent): void => {
    if (isDialogOpen || event.defaultPrevented || event.isComposing || closeMenu(event)) return
    const first = event.timeStamp - previous.at < maxSequenceMs ? previous.key : ''
    previous = noKey
    const action = (first && findAction(event, first)) || findAction(event)
    if (!action && canBeginSequence(event)) previous = { key: event.key, at: event.timeStamp }
    if (!action || isHandledElsewhere(event, action)) return
    event.preventDefault()
    action.run()
  }
  window.addEventListener('keydown', checkDialog, { capture: true })
  document.addEventListener('keydown', press)
  return () => {
    window.removeEventListener('keydown', checkDialog, { capture: true })
    document.removeEventListener('keydown', press)
  }
}

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
  const names: Record<string, string> = { mod: isMac() ? '⌘' : 'Ctrl', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', Delete: 'Del' }
  return keys.split(/(?<=\w)[+-]/).map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key[0]?.toUpperCase() + key.slice(1)))
}

/** Returns the action of a key, or of a sequence that began with `first`. The newest registration has priority. */
const findAction = (event: KeyboardEvent, first?: string): Action | undefined =>
  actions.get().findLast(({ keys = '' }) => keys.split(' ').some((shortcut) => matches(event, getNextKey(shortcut, first))))

/** Returns the next key of a shortcut: its only key, or its second key after `first`. Empty when it does not match. */
function getNextKey(shortcut: string, first: string | undefined): string {
  const [one = '', two] = shortcut.split(/(?<=\w)-/)
  if (two === undefined) return first === undefined ? one : ''
  return one === first ? two : ''
}

const canBeginSequence = (event: KeyboardEvent): boolean =>
  /^[a-z]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && !isHandledElsewhere(event, {})

function matches(event: KeyboardEvent, keys: string): boolean {
  if (keys === '') return false
  const parts = keys.split('+')
  const key = parts.at(-1) || '+'
  if (event.key.toLowerCase() !== key.toLowerCase() || event.altKey) return false
  if ((isMac() ? event.metaKey : event.ctrlKey) !== parts.includes('mod')) return false
  return !/^[a-z]$|^\w{2,}$/i.test(key) || event.shiftKey === parts.includes('shift') // '?' needs Shift on some keyboards only
}

const textFields = 'input:not([type=checkbox],[type=radio],[type=button]), textarea, select, [contenteditable=true]'

/** Returns true when the focused field, link or menu handles the key itself. */
function isHandledElsewhere(event: KeyboardEvent, { whileTyping }: Pick<Action, 'whileTyping'>): boolean {
  const target = event.target instanceof Element ? event.target : undefined
  if (!whileTyping && target?.closest(textFields)) return true
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && target?.closest('a, button')) return true
  return Boolean(target?.closest('[role=menu],[role=listbox]'))
}

const isMac = (): boolean => /Mac|iP(hone|ad)/.test(navigator.userAgent)
