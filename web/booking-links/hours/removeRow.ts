import { flushSync } from 'react-dom'

/**
 * Removes a row with `change`, and focuses the button that removes the row before it, or the button that adds a row. If no row can be
 * added, focuses the first input for a time. The focus must not stay where it is, because a second press of the key would then remove the
 * next row. `list` contains the buttons, which have `name` as `data-removes` and `data-adds`.
 */
export function removeRow(list: Element | null | undefined, name: string, index: number, change: () => void): void {
  flushSync(change) // before the change, the button that adds a row may be disabled
  const previous = list?.querySelectorAll<HTMLElement>(`[data-removes="${name}"]`)[index - 1]
  const add = list?.querySelector<HTMLElement>(`[data-adds="${name}"]:not(:disabled)`)
  const target = previous ?? add ?? list?.querySelector<HTMLElement>('input[type="time"]')
  target?.focus()
}
