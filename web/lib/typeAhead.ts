// Type-ahead: while a dialog, menu or page is opening, the keys that the user presses are collected. When it is open, `deliverKeys.ts`
// delivers them to it in order.
import { cancelOpenings, isOpening } from './openings.ts'
import { toast } from './toasts.ts'
import {
  deliveredEvents,
  findDialog,
  getTextField,
  isCharacter,
  isCollecting,
  stopCollecting,
  waitingKeys,
  type WaitingInput,
  type WaitingKey,
} from './waitingKeys.ts'

/** The text among the waiting keys. */
export const toWaitingText = (waiting: readonly WaitingInput[]): string => waiting.map(toText).join('')

function toText(input: WaitingInput): string {
  if ('text' in input) return input.text
  return isCharacter(input) ? input.key : ''
}

/** The shortcut that was pressed last. `code` is empty after its key was released. */
let shortcut = { key: '', code: '', hasMod: false }
/** The time after which the hidden field gets the focus. Most dialogs open sooner, and then the focus need not move to the field. */
const focusDelayMs = 50
/** Must be called after a shortcut has run, because the keys after it belong to the dialog or page that it opens. */
export function collectKeysAfter({ key, code, ctrlKey, metaKey }: KeyboardEvent): void {
  shortcut = { key, code, hasMod: ctrlKey || metaKey }
  preloadDelivery()
  setTimeout(() => {
    if (!isOpening()) return
    startCollecting()
    focusCollector()
  }, focusDelayMs)
}

/** Removes the waiting keys. Must be called when the dialog or page for which they wait cannot be opened. */
export function dropWaitingKeys(): void {
  waitingKeys.set([])
  stopCollecting()
}

/**
 * Replaces the waiting text. A visible placeholder field must call it when the field receives text without keys, for example pasted text.
 */
export const setWaitingText = (text: string): void => {
  waitingKeys.set(text === '' ? [] : [{ text }])
  startCollecting()
}

/** Returns true for the shortcuts of the current screen. */
let isShortcut: (event: KeyboardEvent) => boolean = () => false

/** Lets keys wait while something is opening. Returns a function that removes the listeners. */
export function listenForEarlyKeys(matchesShortcut: typeof isShortcut): () => void {
  isShortcut = matchesShortcut
  const release = (event: KeyboardEvent): void => {
    if (event.code === shortcut.code) shortcut = { ...shortcut, code: '' }
  }
  window.addEventListener('keydown', onKeyDown, { capture: true })
  window.addEventListener('keyup', release, { capture: true })
  // a click moves the focus, so the keys would reach the wrong element
  window.addEventListener('pointerdown', dropWaitingKeys, { capture: true })
  return () => {
    dropWaitingKeys()
    window.removeEventListener('keydown', onKeyDown, { capture: true })
    window.removeEventListener('keyup', release, { capture: true })
    window.removeEventListener('pointerdown', dropWaitingKeys, { capture: true })
  }
}

const modifiers = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock', 'Fn'])

function onKeyDown(event: KeyboardEvent): void {
  if (deliveredEvents.has(event) || modifiers.has(event.key)) return
  if (isRepeatOfShortcut(event)) return consume(event)
  if (!isCollecting.get() && !isOpening()) return
  startCollecting()
  collect(event)
}

/**
 * Returns true for a repeat of a shortcut key that is held down. The repeat would be typed into the dialog that the shortcut opens, or
 * would close it.
 */
function isRepeatOfShortcut({ repeat, code }: KeyboardEvent): boolean {
  if (!repeat || code !== shortcut.code) return false
  return isCollecting.get() || isOpening() || getTextField(document.activeElement) !== undefined || findDialog() !== undefined
}

function collect(event: KeyboardEvent): void {
  event.stopImmediatePropagation()
  const isComposed = event.isComposing || event.key === 'Process' || event.key === 'Dead' || event.key === 'Unidentified'
  if (isComposed || isKeyOfBrowser(event)) return focusCollector()
  consume(event)
  const waiting = waitingKeys.get()
  // pressing a shortcut such as Ctrl+K twice opens and closes the dialog
  const isRepeatedShortcut = shortcut.hasMod && (event.ctrlKey || event.metaKey) && event.key === shortcut.key && waiting.length === 0
  if ((event.key === 'Escape' || isRepeatedShortcut) && cancelOpenings()) return dropWaitingKeys()
  const last = waiting.at(-1)
  const deletesCharacter = event.key === 'Backspace' && last !== undefined && !('text' in last) && isCharacter(last)
  if (deletesCharacter) waitingKeys.set(waiting.slice(0, -1))
  // the repeats of other keys, such as Delete, were meant for what is shown now
  else if (!event.repeat || isCharacter(event)) waitingKeys.set([...waiting, toWaitingKey(event)])
}

/**
 * Returns true for shortcuts of the browser, such as Ctrl+R and F5. Ctrl+Enter is none of them, because it saves a form that may be
 * opening.
 */
const isKeyOfBrowser = (event: KeyboardEvent): boolean =>
  !isCharacter(event) &&
  (event.ctrlKey || event.metaKey || event.altKey || /^F\d+$/.test(event.key)) &&
  event.key !== 'Enter' &&
  !isShortcut(event)

function consume(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

const toWaitingKey = ({ key, code, repeat, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): WaitingKey => ({
  key,
  code,
  repeat,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
})

const loadDelivery = () => import('./deliverKeys.ts')

/** Loads in advance the code that delivers keys. Ignores errors, because `startCollecting` loads the code again. */
export const preloadDelivery = (): void => void loadDelivery().catch(() => undefined)

function startCollecting(): void {
  if (isCollecting.get()) return
  isCollecting.set(true)
  loadDelivery().then(({ deliverWaitingKeys }) => deliverWaitingKeys(), onDeliveryFailed)
}

function onDeliveryFailed(): void {
  dropWaitingKeys()
  toast({
    kind: 'error',
    title: 'What you typed was lost',
    message: 'The server cannot be reached.',
  })
}

const focusCollector = (): void =>
  void loadDelivery().then(
    (delivery) => isCollecting.get() && delivery.focusCollector(),
    () => undefined,
  )
