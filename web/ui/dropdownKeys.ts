import type { KeyboardEvent } from 'react'

/** For fields with a dropdown. While it is open, Escape closes only the dropdown, and Ctrl/Cmd+Enter chooses its option and submits the form. */
export function onDropdownKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
  const input = event.currentTarget
  if (input.getAttribute('aria-expanded') !== 'true') return
  if (event.key === 'Escape') event.preventDefault()
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  queueMicrotask(() => input.form?.requestSubmit()) // after the dropdown has handled the key
}
