import type { ContactRow } from '#contract/contacts.ts'
import { useShortcuts } from '#web/lib/shortcuts.ts'
import type { Cursor } from '#web/ui/cursor.ts'

type ListKeys = {
  cursor: Cursor
  /** The contact under the cursor. */
  row: ContactRow | undefined
  selecting: boolean
  open: (contact: ContactRow) => void
  edit: (contact: ContactRow) => void
  select: (contact: ContactRow) => void
  remove: (contact: ContactRow | undefined) => void
  clear: () => void
}

/** The keys of the list; the help dialog lists them. */
export function useListKeys({ cursor, row, selecting, open, edit, select, remove, clear }: ListKeys): void {
  const withRow = (act: (contact: ContactRow) => void) => () => {
    if (row) act(row)
  }
  useShortcuts([
    { keys: 'j ArrowDown', label: 'Next contact', run: () => cursor.move(cursor.index + 1) },
    { keys: 'k ArrowUp', label: 'Previous contact', run: () => cursor.move(cursor.index - 1) },
    { keys: 'Enter', label: 'Open contact', run: withRow(open) },
    { keys: 'e', label: 'Edit contact', run: withRow(edit) },
    { keys: 'x', label: 'Select contact', run: withRow(select) },
    { keys: 'Delete Backspace #', label: 'Delete contact, or all that are selected', run: () => remove(row) },
    ...(selecting ? [{ keys: 'Escape', label: 'Clear the selection', run: clear }] : []),
  ])
}
