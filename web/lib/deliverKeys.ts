// Delivers waiting keys: keys that the user pressed while a dialog, a menu or a page was still loading. This module is loaded only when
// keys may have to wait. `typeAhead.ts` collects the keys.
import { isOpening, waitForOpenings } from './openings.ts'
import {
  collector,
  deliveredEvents,
  findDialog,
  getTextField,
  isCharacter,
  isCollecting,
  returnFocus,
  stopCollecting,
  waitingKeys,
  type WaitingKey,
} from './waitingKeys.ts'

/** The maximum number of frames to wait until the opened dialog has the focus. */
const maxFocusFrames = 30

/** Waits until the dialog, menu or page is open, and then delivers the waiting keys to it one after the other. */
export async function deliverWaitingKeys(): Promise<void> {
  await waitUntilOpen()
  while (isCollecting.get()) {
    const [next, ...others] = waitingKeys.get()
    if (!next) return stopCollecting()
    waitingKeys.set(others)
    const isTyping = getTextField(document.activeElement) !== undefined && ('text' in next || isCharacter(next))
    if ('text' in next) insertText(next.text)
    else deliverKey(next)
    await (isTyping ? waitForTask() : waitUntilOpen()) // a key that does not write text may open something else
  }
}

/** Waits until nothing is opening any more, and the opened dialog has taken the focus. */
async function waitUntilOpen(): Promise<void> {
  for (let frame = 0; frame < maxFocusFrames; frame += 1) {
    await waitForTask()
    await waitForOpenings()
    returnFocus()
    await waitForFrame()
    const dialog = findDialog()
    const hasFocus = !dialog || dialog.contains(document.activeElement)
    if (!isOpening() && hasFocus) return
  }
}

const waitForTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
/** Resolves after the effects and the timers of the frame have run, which move the focus into dialogs. */
const waitForFrame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

/** Focuses a hidden field, so that the browser can compose letters and paste before anything is open. */
export function focusCollector(): void {
  if (collector.get() || getTextField(document.activeElement)) return
  const field = document.createElement('input')
  field.setAttribute('aria-label', 'Opening')
  field.autocomplete = 'off'
  Object.assign(field.style, { position: 'fixed', insetBlockStart: '0', opacity: '0', pointerEvents: 'none' })
  const moveText = (): void => {
    if (field.value !== '') waitingKeys.set([...waitingKeys.get(), { text: field.value }])
    field.value = ''
  }
  field.addEventListener('compositionend', moveText)
  field.addEventListener('input', (event) => {
    if (!(event instanceof InputEvent && event.isComposing)) moveText()
  })
  collector.set({ field, focusedBefore: document.activeElement })
  document.body.append(field)
  field.focus({ preventScroll: true })
}

/** Does what the browser does when the user presses a key: runs the listeners of the focused element, then the default action. */
function deliverKey(waitingKey: WaitingKey): void {
  const target = document.activeElement ?? document.body
  const event = new KeyboardEvent('keydown', { ...waitingKey, bubbles: true, cancelable: true })
  deliveredEvents.add(event)
  if (target.dispatchEvent(event)) runDefaultAction(target, waitingKey)
}

/** Inserts a text into the focused field. Does nothing when no text field has the focus. */
function insertText(text: string): void {
  // `execCommand` is deprecated, but every browser has it, and nothing else keeps the undo of the field, its length limit and its events
  if (getTextField(document.activeElement)) document.execCommand('insertText', false, text)
}

function runDefaultAction(target: Element, waitingKey: WaitingKey): void {
  const { key, shiftKey } = waitingKey
  const field = getTextField(target)
  const isButton = target.matches('a[href], button, summary, input[type=checkbox], input[type=radio]')
  if (field && isCharacter(waitingKey)) insertText(key)
  else if (key === 'Backspace' && field) document.execCommand('delete')
  else if (key === 'Tab') focusNeighbour(target, shiftKey ? -1 : 1)
  else if (key === 'Enter' && field instanceof HTMLTextAreaElement) document.execCommand('insertLineBreak')
  else if (key === 'Enter' && field) field.form?.requestSubmit()
  else if ((key === 'Enter' || key === ' ') && isButton && target instanceof HTMLElement) target.click()
  else if (key === 'Escape') target.closest('dialog')?.close()
}

const tabStops = 'a[href], input, select, textarea, button, summary, [contenteditable=true], [tabindex]'

/** Focuses the next (1) or previous (-1) element in the order of Tab, within the open dialog if there is one. */
function focusNeighbour(current: Element, direction: 1 | -1): void {
  const root = current.closest('[aria-modal=true]') ?? document
  const elements = [...root.querySelectorAll<HTMLElement>(tabStops)].filter((element) => element === current || isTabStop(element))
  const currentIndex = elements.findIndex((element) => element === current) // -1 for the body of the page
  const index = currentIndex === -1 && direction === -1 ? -1 : (currentIndex + direction) % elements.length
  elements.at(index)?.focus() // from the last element to the first, and from the first to the last
}

const isTabStop = (element: HTMLElement): boolean =>
  element.tabIndex >= 0 && !element.matches(':disabled, [type=hidden]') && element.checkVisibility({ visibilityProperty: true })
