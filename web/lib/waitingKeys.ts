// What the keys that wait are, shared by the code that collects them and the code that delivers them.
import { createStore } from './store.ts'

/** A key that was pressed before what it belongs to was open. */
export type WaitingKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** What waits: keys, and texts that were pasted or composed from several keys. */
export type Waiting = WaitingKey | { text: string }

/** What was typed while something is opening. */
export const waitingKeys = createStore<readonly Waiting[]>([])

/** While it is true, no key reaches the page. */
export const isCollecting = createStore(false)

/** The hidden field in which the browser composes and pastes while nothing is open yet, and the element that had the focus before. */
export const collector = createStore<{ field: HTMLInputElement; focusedBefore: Element | null } | undefined>(undefined)

/** The events with which waiting keys were delivered. */
export const deliveredEvents = new WeakSet<Event>()

/** Returns true when the key writes a character. On some keyboards AltGr, which counts as Ctrl and Alt, is needed for it. */
export const isCharacter = ({ key, ctrlKey, metaKey, altKey }: Omit<WaitingKey, 'code'>): boolean =>
  Array.from(key).length === 1 && !metaKey && (!ctrlKey || altKey)

/** Returns the element when it is a field in which the user types, otherwise undefined. */
export function getTextField(element: Element | null): HTMLInputElement | HTMLTextAreaElement | undefined {
  if (element instanceof HTMLTextAreaElement) return element
  return element instanceof HTMLInputElement && !/^(checkbox|radio|button|submit|file)$/.test(element.type) ? element : undefined
}

/** Returns the dialog on top. */
export const findDialog = (): Element | undefined => [...document.querySelectorAll('[aria-modal=true]')].at(-1)

/** Lets keys reach the page again. */
export function stopCollecting(): void {
  isCollecting.set(false)
  removeCollector()
}

/** Gives the focus back to where it was before keys were collected, unless what was opened has taken it. */
export function returnFocus(): void {
  const { field, focusedBefore } = collector.get() ?? {}
  const hadFocus = field !== undefined && field === document.activeElement
  removeCollector()
  if (!hadFocus) return
  const isFocusable = focusedBefore instanceof HTMLElement && focusedBefore.isConnected && focusedBefore !== document.body
  const target = isFocusable ? focusedBefore : document.querySelector('main')
  target?.focus({ preventScroll: true })
}

function removeCollector(): void {
  collector.get()?.field.remove()
  collector.set(undefined)
}
