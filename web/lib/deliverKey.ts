/** A key that was pressed before what it belongs to was open. */
export type WaitingKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

type TextField = HTMLInputElement | HTMLTextAreaElement

/** The events that `deliverKey` has dispatched. */
const deliveredEvents = new WeakSet<Event>()

/** Returns true for an event of `deliverKey`, and false for a key that the user presses now. */
export const isDelivered = (event: Event): boolean => deliveredEvents.has(event)

/** Returns true when the key writes a character. On some keyboards AltGr, which counts as Ctrl and Alt, is needed for it. */
export const isCharacter = ({ key, ctrlKey, metaKey, altKey }: Omit<WaitingKey, 'code'>): boolean =>
  Array.from(key).length === 1 && !metaKey && (!ctrlKey || altKey)

/** Does what the browser does when the user presses a key: runs the listeners of the focused element, then the default action. */
export function deliverKey(waitingKey: WaitingKey): void {
  const target = document.activeElement ?? document.body
  const { key, code, ctrlKey, metaKey, shiftKey, altKey } = waitingKey
  const event = new KeyboardEvent('keydown', { key, code, ctrlKey, metaKey, shiftKey, altKey, bubbles: true, cancelable: true })
  deliveredEvents.add(event)
  if (target.dispatchEvent(event)) runDefaultAction(target, waitingKey)
}

/** Inserts a text into the focused field. Does nothing when no text field has the focus. */
export function insertText(text: string): void {
  // deprecated, but the only way that keeps the undo of the field, its length limit and its events; every browser has it
  if (getTextField(document.activeElement)) document.execCommand('insertText', false, text)
}

/** Returns the element when it is a field in which the user types, otherwise undefined. */
export function getTextField(element: Element | null): TextField | undefined {
  if (element instanceof HTMLTextAreaElement) return element
  return element instanceof HTMLInputElement && !/^(checkbox|radio|button|submit|file)$/.test(element.type) ? element : undefined
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
  elements.at((elements.indexOf(toElement(current)) + direction) % elements.length)?.focus()
}

const toElement = (element: Element): HTMLElement => (element instanceof HTMLElement ? element : document.body)

const isTabStop = (element: HTMLElement): boolean =>
  element.tabIndex >= 0 && !element.matches(':disabled, [type=hidden]') && element.checkVisibility({ visibilityProperty: true })
