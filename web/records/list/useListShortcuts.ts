import { useActions } from '#web/lib/actions.ts'
import type { Cursor } from '#web/ui/cursor.ts'
import type { Selection } from '#web/ui/selection.ts'

type ListShortcutsOptions<Row> = {
  /** The name of the record kind: "contact". */
  noun: string
  cursor: Cursor
  selection: Selection
  /** The row under the cursor. */
  row: Row | undefined
  /** A record is open over the list, and the shortcut for delete applies to that record. */
  isRecordOpen: boolean
  open: (row: Row) => void
  edit: (row: Row) => void
  select: (row: Row) => void
  /** Deletes the selected records. If none are selected, deletes the record of `row`. */
  remove: (row: Row | undefined) => void
}

/** Registers the keyboard shortcuts of a list. The help dialog shows them. */
export function useListShortcuts<Row>({
  noun,
  cursor,
  selection,
  row,
  isRecordOpen,
  open,
  edit,
  select,
  remove,
}: ListShortcutsOptions<Row>): void {
  const withRow = (action: (row: Row) => void) => () => {
    if (row) action(row)
  }
  const selectAllLoaded = (): void => {
    if (!selection.isEveryLoadedRowSelected) selection.toggleAll()
  }
  /** Moves the cursor one row down or up, and extends the selection to that row. */
  const extendBy = (step: 1 | -1) => () => {
    selection.extend(Math.max(cursor.index, 0), cursor.index + step)
    cursor.move(cursor.index + step)
  }
  // several keys for one action are separated by spaces; `mod` is Ctrl, on a Mac Cmd
  useActions([
    { keys: 'j ArrowDown', label: `Next ${noun}`, run: () => cursor.move(cursor.index + 1) },
    { keys: 'k ArrowUp', label: `Previous ${noun}`, run: () => cursor.move(cursor.index - 1) },
    { keys: 'Enter', label: `Open ${noun}`, run: withRow(open) },
    { keys: 'e', label: `Edit ${noun}`, run: withRow(edit) },
    { keys: 'x', label: `Select ${noun}`, run: withRow(select) },
    { keys: 'shift+j shift+ArrowDown', label: 'Extend the selection down', run: extendBy(1) },
    { keys: 'shift+k shift+ArrowUp', label: 'Extend the selection up', run: extendBy(-1) },
    { keys: 'mod+a', label: 'Select all that are loaded', run: selectAllLoaded },
    ...(isRecordOpen ? [] : [{ keys: 'Delete Backspace #', label: `Delete ${noun}, or all that are selected`, run: () => remove(row) }]),
    ...(selection.ids.size > 0 ? [{ keys: 'Escape', label: 'Clear the selection', run: selection.clear }] : []),
  ])
}
