// The keys that the user pressed while a dialog, menu or page was opening. `typeAhead.ts` collects them, `deliverKeys.ts` delivers them.
import { createStore } from './store.ts'

/** A key that was pressed while a dialog, menu or page was opening. */
export type WaitingKey = Pick<KeyboardEvent, 'key' | 'code' | 'repeat' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** A key, or a text that was pasted or composed from several keys. */
export type WaitingInput = WaitingKey | { text: string }

/** What the user has typed while a dialog, menu or page is opening, oldest first. */
export const waitingKeys = createStore<readonly WaitingInput[]>([])

/** While it is true, no key reaches the page. */
export const isCollecting = createStore(false)

/** The hidden field in which the browser composes and pastes while nothing is open yet, and the element that had the focus before. */
export const collector = createStore<{ field: HTMLInputElement; focusedBefore: Element | null } | undefined>(undefined)

/** The events with which waiting keys were delivered. */
export const deliveredEvents = new WeakSet<Event>()

/** Returns true when the key writes a character. On some keyboards AltGr, which counts as Ctrl and Alt, is needed for it. */
export const isCharacter = ({ key, ctrlKey, metaKey, altKey }: Omit<WaitingKey, 'code' | 'repeat'>): boolean =>
  Array.from(key).length === 1 && // other keys have a name, such as "Enter"
  !metaKey &&
  (!ctrlKey || altKey)

/** Returns the element when it is a field in which the user types, otherwise undefined. */
export function getTextField(element: Element | null): HTMLInputElement | HTMLTextAreaElement | undefined {
  if (element instanceof HTMLTextAreaElement) return element
  return element instanceof HTMLInputElement && !/^(checkbox|radio|button|submit|file)$/.test(element.type) ? element : undefined
}

/** Returns the dialog on top. A native dialog that Escape has closed stays in the document until its event `close` has been handled. */
export const findDialog = (): Element | undefined =>
  [...document.querySelectorAll('[aria-modal=true]')].findLast((dialog) => !(dialog instanceof HTMLDialogElement) || dialog.open)

/** Lets keys reach the page again. */
export function stopCollecting(): void {
  isCollecting.set(false)
  removeCollector()
}

/** Moves the focus from the hidden field back to the element that had it before. Does nothing when a dialog has taken the focus. */
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
