import { useMemo, useRef, useState } from 'react'

export type Selection = {
  /** The ids of the selected rows that are loaded. A selected row that is removed from the list and then restored is selected again. */
  ids: ReadonlySet<string>
  isEveryLoadedRowSelected: boolean
  /** True if all rows that match the search text and the filters are selected, including those that are not loaded. */
  isEveryMatchSelected: boolean
  /** Selects the row with this index, or deselects it if it is selected. */
  toggle: (index: number) => void
  /**
   * Selects or deselects the row with this index, and does the same with all rows from the last toggled row to this row. If no row was
   * toggled, the range begins at the first row. If the last toggled row was removed, the range is only this row.
   */
  toggleRange: (index: number) => void
  /**
   * Extends the selection with Shift and the arrow keys: selects all rows from the row where the extension began to the row `to`. The first
   * call begins at the row `from`. Rows beyond `to` that an earlier call selected are deselected.
   */
  extend: (from: number, to: number) => void
  /** Selects all loaded rows, or deselects all if all are selected. */
  toggleAll: () => void
  selectAllMatching: () => void
  clear: () => void
}

type Ids = ReadonlySet<string>
type State = {
  ids: Ids
  /** The id of the row where an extension with Shift and the arrow keys began, and the selection before the extension. */
  extension?: { startId: string; idsBefore: Ids }
  /** The query whose matching rows are all selected, also those that are not loaded; undefined if only single rows are selected. */
  fullySelectedQuery?: string | undefined
}

const emptySelection: State = { ids: new Set() }

/**
 * Manages the selected rows of a list. `queryText` is the list's search, filters and sort as one text, for example as JSON. When it
 * changes, other rows match, so the selection of all matching rows ends.
 */
export function useSelection(rows: readonly { id: string }[], queryText = ''): Selection {
  const [state, setState] = useState(emptySelection)
  const lastToggledId = useRef<string>(undefined) // an index would change when a live event adds or removes a row
  const isEveryMatchSelected = state.fullySelectedQuery === queryText && rows.length > 0
  const ids = useMemo(() => (isEveryMatchSelected ? getIds(rows) : keepLoaded(state.ids, rows)), [isEveryMatchSelected, state.ids, rows])
  const isEveryLoadedRowSelected = ids.size > 0 && ids.size === rows.length

  const toggleRows = (from: number, to: number, toggledIndex: number): void => {
    const toggledRows = rows.slice(from, to + 1)
    const isSelected = ids.has(rows[toggledIndex]?.id ?? '')
    lastToggledId.current = rows[toggledIndex]?.id
    setState({ ids: isSelected ? removeRows(ids, toggledRows) : addRows(ids, toggledRows) })
  }
  return {
    ids,
    isEveryLoadedRowSelected,
    isEveryMatchSelected,
    toggle: (index) => toggleRows(index, index, index),
    toggleRange: (index) => {
      const lastIndex = lastToggledId.current === undefined ? 0 : rows.findIndex(({ id }) => id === lastToggledId.current)
      const [from, to] = sortPair(lastIndex < 0 ? index : lastIndex, index)
      toggleRows(from, to, index)
    },
    extend: (from, to) => {
      const extension = state.extension ?? { startId: rows[from]?.id ?? '', idsBefore: ids }
      const startIndex = rows.findIndex(({ id }) => id === extension.startId)
      const endIndex = Math.min(Math.max(to, 0), rows.length - 1)
      const [first, last] = sortPair(startIndex < 0 ? from : startIndex, endIndex)
      lastToggledId.current = rows[endIndex]?.id
      setState({ ids: addRows(extension.idsBefore, rows.slice(first, last + 1)), extension })
    },
    toggleAll: () => setState(isEveryLoadedRowSelected ? emptySelection : { ids: getIds(rows) }),
    selectAllMatching: () => setState({ ids, fullySelectedQuery: queryText }),
    clear: () => setState(emptySelection),
  }
}

const getIds = (rows: readonly { id: string }[]): Ids => new Set(rows.map(({ id }) => id))
/** Returns the smaller and the larger number. */
const sortPair = (first: number, second: number): [number, number] => [Math.min(first, second), Math.max(first, second)]

/** Removes the ids of rows that are not loaded. */
function keepLoaded(selectedIds: Ids, rows: readonly { id: string }[]): Ids {
  if (selectedIds.size === 0) return selectedIds
  return new Set(rows.filter(({ id }) => selectedIds.has(id)).map(({ id }) => id))
}

const addRows = (ids: Ids, rows: readonly { id: string }[]): Ids => new Set([...ids, ...getIds(rows)])
function removeRows(ids: Ids, rows: readonly { id: string }[]): Ids {
  const removedIds = getIds(rows)
  return new Set([...ids].filter((id) => !removedIds.has(id)))
}
