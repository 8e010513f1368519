import { useShortcuts } from '#web/lib/shortcuts.ts'
import type { Cursor } from '#web/ui/cursor.ts'

type ListKeys<Row> = {
  /** What a row is: "contact". */
  noun: string
  cursor: Cursor
  /** The row under the cursor. */
  row: Row | undefined
  selecting: boolean
  open: (row: Row) => void
  edit: (row: Row) => void
  select: (row: Row) => void
  remove: (row: Row | undefined) => void
  clear: () => void
}

/** The keys of a list; the help dialog lists them. */
export function useListKeys<Row>({ noun, cursor, row, selecting, open, edit, select, remove, clear }: ListKeys<Row>): void {
  const withRow = (act: (row: Row) => void) => () => {
    if (row) act(row)
  }
  useShortcuts([
    { keys: 'j ArrowDown', label: `Next ${noun}`, run: () => cursor.move(cursor.index + 1) },
    { keys: 'k ArrowUp', label: `Previous ${noun}`, run: () => cursor.move(cursor.index - 1) },
    { keys: 'Enter', label: `Open ${noun}`, run: withRow(open) },
    { keys: 'e', label: `Edit ${noun}`, run: withRow(edit) },
    { keys: 'x', label: `Select ${noun}`, run: withRow(select) },
    { keys: 'Delete Backspace #', label: `Delete ${noun}, or all that are selected`, run: () => remove(row) },
    ...(selecting ? [{ keys: 'Escape', label: 'Clear the selection', run: clear }] : []),
  ])
}
