import type { KeyboardEvent } from 'react'

/** Ctrl/Cmd+Enter in a field of several lines, where Enter alone begins the next line. */
export const withModEnter =
  (act: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    act()
  }
