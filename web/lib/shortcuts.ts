import { actions, type Action } from './actions.ts'

/** How long the first key of two waits for the second. */
const betweenKeysMs = 1200
const noKey = { key: '', at: 0 }

/** Listens to the keyboard; the shell starts it once. Returns what stops it. */
export function listenForShortcuts(): () => void {
  let underDialog = false
  let before = noKey
  // asked before anybody hears the key: a dialog that Escape closes is gone when the key gets to the document
  const look = (): void => {
    underDialog = document.querySelector('[aria-modal=true]') !== null
  }
  const press = (event: KeyboardEvent): void => {
    if (underDialog || event.defaultPrevented || event.isComposing || closesMenu(event)) return
    const first = event.timeStamp - before.at < betweenKeysMs ? before.key : ''
    before = noKey
    const chosen = (first && actionOf(event, first)) || actionOf(event)
    if (!chosen && mayBegin(event)) before = { key: event.key, at: event.timeStamp }
    if (!chosen || isElsewhere(event, chosen)) return
    event.preventDefault()
    chosen.run()
  }
  window.addEventListener('keydown', look, { capture: true })
  document.addEventListener('keydown', press)
  return () => {
    window.removeEventListener('keydown', look, { capture: true })
    document.removeEventListener('keydown', press)
  }
}

/** A menu that its button has just opened has not taken the focus yet: Escape is meant for it all the same. */
function closesMenu(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape' || !(event.target instanceof Element)) return false
  const button = event.target.closest<HTMLElement>('[aria-haspopup=menu][aria-expanded=true]')
  if (!button) return false
  event.preventDefault()
  button.click()
  return true
}

/** How keys are written on this machine: `mod+b` is "⌘ B" or "Ctrl B", `g-c` is "G C". */
export function keyCaps(keys: string): string[] {
  const names: Record<string, string> = { mod: isMac() ? '⌘' : 'Ctrl', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', Delete: 'Del' }
  return keys.split(/(?<=\w)[+-]/).map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key[0]?.toUpperCase() + key.slice(1)))
}

/** What a key does; with `first` what it does after that key. The newest registration wins. */
const actionOf = (event: KeyboardEvent, first?: string): Action | undefined =>
  actions.get().findLast(({ keys = '' }) => keys.split(' ').some((way) => matches(event, secondOf(way, first))))

/** The key of a way that has to come now; none where the way begins with another one. */
function secondOf(way: string, first: string | undefined): string {
  const [one = '', two] = way.split(/(?<=\w)-/)
  if (two === undefined) return first === undefined ? one : ''
  return one === first ? two : ''
}

/** Whether a key may be the first of two. */
const mayBegin = (event: KeyboardEvent): boolean =>
  /^[a-z]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && !isElsewhere(event, {})

function matches(event: KeyboardEvent, keys: string): boolean {
  if (keys === '') return false
  const parts = keys.split('+')
  const key = parts.at(-1) || '+'
  if (event.key.toLowerCase() !== key.toLowerCase() || event.altKey) return false
  if ((isMac() ? event.metaKey : event.ctrlKey) !== parts.includes('mod')) return false
  return !/^[a-z]$|^\w{2,}$/i.test(key) || event.shiftKey === parts.includes('shift') // '?' needs Shift on some keyboards only
}

const typing = 'input:not([type=checkbox],[type=radio],[type=button]), textarea, select, [contenteditable=true]'

/** True where the key belongs to a field or a menu. */
function isElsewhere(event: KeyboardEvent, { whileTyping }: Pick<Action, 'whileTyping'>): boolean {
  const target = event.target instanceof Element ? event.target : undefined
  if (!whileTyping && target?.closest(typing)) return true
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && target?.closest('a, button')) return true
  return Boolean(target?.closest('[role=menu],[role=listbox]'))
}

const isMac = (): boolean => /Mac|iP(hone|ad)/.test(navigator.userAgent)
