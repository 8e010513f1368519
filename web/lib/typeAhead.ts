// Type-ahead: the keys that the user presses while something is opening wait, and are given to what opens, in order.
import { deliverKey, getTextField, insertText, isCharacter, isDelivered, type WaitingKey } from './deliverKey.ts'
import { cancelOpenings, isOpening, waitForOpenings } from './openings.ts'
import { createStore } from './store.ts'

/** What waits: keys, and texts that were pasted or composed from several keys. */
type Waiting = WaitingKey | { text: string }

/** What was typed while something is opening. */
export const waitingKeys = createStore<readonly Waiting[]>([])

/** The text among the waiting keys. */
export const toWaitingText = (waiting: readonly Waiting[]): string =>
  waiting.map((each) => ('text' in each ? each.text : isCharacter(each) ? each.key : '')).join('')

/** While it is true, no key reaches the page. */
let isCollecting = false
/** The shortcut that was pressed last. `code` is empty after its key was released. */
let shortcut = { key: '', code: '', hasMod: false }
/** The field that receives composed and pasted text while nothing else has been opened, and the element that had the focus before. */
let collector: { field: HTMLInputElement; focusedBefore: Element | null } | undefined

/** The time after which the hidden field gets the focus. Most things open sooner, and then the focus need not move. */
const focusDelayMs = 50
/** The maximum number of frames in which a dialog must take the focus after it is shown. */
const maxFocusFrames = 30

/** Must be called after a shortcut has run: the keys that follow it belong to what it opens. */
export function collectKeysAfter({ key, code, ctrlKey, metaKey }: KeyboardEvent): void {
  shortcut = { key, code, hasMod: ctrlKey || metaKey }
  setTimeout(() => {
    if (!isOpening()) return
    startCollecting()
    focusCollector()
  }, focusDelayMs)
}

/** Forgets the waiting keys. Must be called when what they belong to cannot be opened. */
export function dropWaitingKeys(): void {
  waitingKeys.set([])
  stopCollecting()
}

/** Replaces the waiting text. Must be called by a visible field that stands for what is opening, when it receives text without keys. */
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
  window.addEventListener('pointerdown', dropWaitingKeys, { capture: true }) // the user now points at what the keys belong to
  return () => {
    dropWaitingKeys()
    window.removeEventListener('keydown', onKeyDown, { capture: true })
    window.removeEventListener('keyup', release, { capture: true })
    window.removeEventListener('pointerdown', dropWaitingKeys, { capture: true })
  }
}

const modifiers = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock', 'Fn'])

function onKeyDown(event: KeyboardEvent): void {
  if (isDelivered(event) || modifiers.has(event.key)) return
  if (isUnwantedRepeat(event)) return consume(event)
  if (!isCollecting && !isOpening()) return
  startCollecting()
  collect(event)
}

/** Returns true for the repeats of a held shortcut that would be typed into what it has opened, or close it again. */
function isUnwantedRepeat({ repeat, code }: KeyboardEvent): boolean {
  if (!repeat || code !== shortcut.code) return false
  return isCollecting || isOpening() || getTextField(document.activeElement) !== undefined || findDialog() !== undefined
}

function collect(event: KeyboardEvent): void {
  event.stopImmediatePropagation()
  const isComposed = event.isComposing || event.key === 'Process' || event.key === 'Dead' || event.key === 'Unidentified'
  if (isComposed || isKeyOfBrowser(event)) return focusCollector()
  consume(event)
  const waiting = waitingKeys.get()
  const isRepeatedShortcut = shortcut.hasMod && (event.ctrlKey || event.metaKey) && event.key === shortcut.key && waiting.length === 0
  if ((event.key === 'Escape' || isRepeatedShortcut) && cancelOpenings()) return dropWaitingKeys()
  const last = waiting.at(-1)
  const deletesCharacter = event.key === 'Backspace' && last !== undefined && !('text' in last) && isCharacter(last)
  waitingKeys.set(deletesCharacter ? waiting.slice(0, -1) : [...waiting, toWaitingKey(event)])
}

/** Returns true for shortcuts of the browser, such as Ctrl+R and F5. Ctrl+Enter saves forms, which may be what is opening. */
const isKeyOfBrowser = (event: KeyboardEvent): boolean =>
  !isCharacter(event) &&
  (event.ctrlKey || event.metaKey || event.altKey || /^F\d+$/.test(event.key)) &&
  event.key !== 'Enter' &&
  !isShortcut(event)

function consume(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

const toWaitingKey = ({ key, code, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): WaitingKey => ({
  key,
  code,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
})

function startCollecting(): void {
  if (isCollecting) return
  isCollecting = true
  void deliverAll()
}

function stopCollecting(): void {
  isCollecting = false
  removeCollector()
}

/** Gives the waiting keys to what was opened, as soon as it is open, one after the other. A key may open something else. */
async function deliverAll(): Promise<void> {
  await waitUntilOpen()
  while (isCollecting) {
    const [next, ...others] = waitingKeys.get()
    if (!next) return stopCollecting()
    waitingKeys.set(others)
    const isTyping = getTextField(document.activeElement) !== undefined && ('text' in next || isCharacter(next))
    if ('text' in next) insertText(next.text)
    else deliverKey(next)
    await (isTyping ? nextTask() : waitUntilOpen())
  }
}

/** Waits until nothing is opening, and what was opened has taken the focus. */
async function waitUntilOpen(): Promise<void> {
  for (let frame = 0; frame < maxFocusFrames; frame += 1) {
    await nextTask()
    await waitForOpenings()
    returnFocus()
    await nextFrame()
    const dialog = findDialog()
    const hasFocus = !dialog || dialog.contains(document.activeElement)
    if (!isOpening() && hasFocus) return
  }
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
/** Resolves after the effects and the timers of the frame have run, which move the focus into dialogs. */
const nextFrame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

/** Returns the dialog on top. */
const findDialog = (): Element | undefined => [...document.querySelectorAll('[aria-modal=true]')].at(-1)

/** Focuses a hidden field, so that the browser can compose letters and paste before anything is open. */
function focusCollector(): void {
  if (collector || getTextField(document.activeElement)) return
  const field = document.createElement('input')
  field.setAttribute('aria-label', 'Opening')
  field.autocomplete = 'off'
  Object.assign(field.style, { position: 'fixed', insetBlockStart: '0', opacity: '0', pointerEvents: 'none' })
  const take = (): void => {
    if (field.value !== '') waitingKeys.set([...waitingKeys.get(), { text: field.value }])
    field.value = ''
  }
  field.addEventListener('compositionend', take)
  field.addEventListener('input', (event) => {
    if (!(event instanceof InputEvent && event.isComposing)) take()
  })
  collector = { field, focusedBefore: document.activeElement }
  document.body.append(field)
  field.focus({ preventScroll: true })
}

/** Gives the focus back to where it was before keys were collected, unless what was opened has taken it. */
export function returnFocus(): void {
  if (!collector || document.activeElement !== collector.field) return removeCollector()
  const { focusedBefore } = collector
  removeCollector()
  const wasFocused = focusedBefore instanceof HTMLElement && focusedBefore.isConnected && focusedBefore !== document.body
  const target = wasFocused ? focusedBefore : document.querySelector('main')
  target?.focus({ preventScroll: true })
}

function removeCollector(): void {
  collector?.field.remove()
  collector = undefined
}
