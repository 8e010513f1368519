import type { KeyboardEvent } from 'react'

/**
 * Handles keys in a field with an open dropdown. Escape closes the dropdown but not the dialog around it. Ctrl/Cmd+Enter selects the option
 * and submits the form.
 */
export function onDropdownKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
  const input = event.currentTarget
  if (input.getAttribute('aria-expanded') !== 'true') return
  if (event.key === 'Escape') event.preventDefault()
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  queueMicrotask(() => input.form?.requestSubmit()) // after the dropdown has handled the key
}
