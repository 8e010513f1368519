import type { KeyboardEvent } from 'react'

/** Escape closes the open list of a field before it means anything to the page. */
export function closesFirst(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Escape' && event.currentTarget.getAttribute('aria-expanded') === 'true') event.preventDefault()
}
