import { useActions } from '#web/lib/actions.ts'
import type { Cursor } from '#web/ui/cursor.ts'
import type { Selection } from '#web/ui/selection.ts'
import type { Entry } from '../kind/entries.ts'
import { hasTooManyEntries, type Selected } from '../kind/selected.ts'
import type { Direction } from './listParts.ts'
import type { EntryCommands } from './useEntryCommands.tsx'

type EntryShortcutsOptions = {
  entries: readonly Entry[]
  /** What the commands apply to when something is selected. */
  selected: Selected
  cursor: Cursor
  /** The functions that change what is selected. */
  selection: Selection
  /** Selects everything in the list, also the entries that are not loaded. */
  selectEverything: () => void
  commands: EntryCommands
  /** Returns the index to which an arrow key moves the cursor. */
  findNext: (direction: Direction) => number
  /** Tiles are beside each other, so that the left and right arrow keys move the cursor. */
  hasTilesBesideEachOther: boolean
}

/**
 * Registers the keyboard shortcuts of a list of folders and files. They act on the selection, or on the current entry if none is selected.
 */
export function useEntryShortcuts({
  entries,
  selected,
  cursor,
  selection,
  selectEverything,
  commands,
  findNext,
  hasTilesBesideEachOther,
}: EntryShortcutsOptions): void {
  const current = entries[cursor.index]
  /** The entries on which commands act: the selected ones, or the current one. */
  const targets: Selected = selected.entries.length === 0 && current ? { entries: [current] } : selected
  const move = (direction: Direction) => () => cursor.move(findNext(direction))
  const extend = (direction: Direction) => () => {
    const next = findNext(direction)
    selection.extend(Math.max(cursor.index, 0), next)
    cursor.move(next)
  }
  const withCurrent = (command: (entry: Entry) => void) => () => {
    if (current) command(current)
  }
  const withTargets = (command: (targets: Selected) => void) => () => {
    if (targets.entries.length > 0 && !hasTooManyEntries(targets)) command(targets)
  }
  const onlyTarget = targets.entries.length === 1 && !targets.everything ? targets.entries[0] : undefined
  useActions([
    { keys: 'j ArrowDown', label: 'Next entry', run: move('down') },
    { keys: 'k ArrowUp', label: 'Previous entry', run: move('up') },
    ...(hasTilesBesideEachOther
      ? [
          { keys: 'ArrowRight', label: 'Entry to the right', run: move('right') },
          { keys: 'ArrowLeft', label: 'Entry to the left', run: move('left') },
        ]
      : []),
    { keys: 'Enter', label: 'Open', run: withCurrent(commands.open) },
    { keys: 'x Space', label: 'Select', run: withCurrent(() => selection.toggle(cursor.index)) },
    { keys: 'shift+j shift+ArrowDown', label: 'Extend the selection down', run: extend('down') },
    { keys: 'shift+k shift+ArrowUp', label: 'Extend the selection up', run: extend('up') },
    ...(hasTilesBesideEachOther
      ? [
          { keys: 'shift+ArrowRight', label: 'Extend the selection right', run: extend('right') },
          { keys: 'shift+ArrowLeft', label: 'Extend the selection left', run: extend('left') },
        ]
      : []),
    {
      keys: 'mod+a',
      label: 'Select all that are loaded, then everything',
      run: () => (selection.isEveryLoadedRowSelected ? selectEverything() : selection.toggleAll()),
    },
    { keys: 'F2', label: 'Rename', run: () => onlyTarget && commands.rename(onlyTarget) },
    { keys: 'm', label: 'Move', run: withTargets(commands.move) },
    { keys: 'Delete Backspace #', label: 'Delete', run: withTargets(commands.remove) },
    ...(selection.ids.size > 0 ? [{ keys: 'Escape', label: 'Clear the selection', run: selection.clear }] : []),
  ])
}
