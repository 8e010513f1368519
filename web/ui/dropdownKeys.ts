import type { KeyboardEvent } from 'react'

/** Escape closes the open list of a field before it means anything to the page; Ctrl/Cmd+Enter takes what is marked in it and submits. */
export function onDropdownKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
  const input = event.currentTarget
  if (input.getAttribute('aria-expanded') !== 'true') return
  if (event.key === 'Escape') event.preventDefault()
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  queueMicrotask(() => input.form?.requestSubmit()) // the list has taken the choice by then
}
