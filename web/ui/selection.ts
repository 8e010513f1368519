import { useMemo, useRef, useState } from 'react'

export type Selection = {
  /** The ids of the selected rows that are loaded. A selected row that is removed from the list is selected again when it is restored. */
  ids: ReadonlySet<string>
  /** True when all loaded rows are selected. */
  allLoaded: boolean
  /** True when all rows that match the search and filters are selected, including rows that are not loaded. */
  allMatching: boolean
  /** Toggles one row. With `range`, toggles all rows from the last toggled row to this one. */
  toggle: (index: number, range: boolean) => void
  /** Selects all rows from the start of the extension to `to`. Deselects rows beyond `to` that an earlier call selected. */
  extend: (from: number, to: number) => void
  toggleAll: () => void
  selectAllMatching: () => void
  clear: () => void
}

type Ids = ReadonlySet<string>
/** `extension` contains the row where a selection with Shift and the arrow keys began, and the selection before it. */
type State = { ids: Ids; extension?: { from: string; before: Ids }; allMatchingOf?: string | undefined }

const emptySelection: State = { ids: new Set() }

/** Manages the selection of rows. The selection of all matching rows ends when `listName` changes. */
export function useSelection(rows: readonly { id: string }[], listName = ''): Selection {
  const [state, setState] = useState(emptySelection)
  const lastToggled = useRef(0)
  const allMatching = state.allMatchingOf === listName && rows.length > 0
  const ids = useMemo(() => (allMatching ? idsOf(rows) : keepLoaded(state.ids, rows)), [allMatching, state.ids, rows])
  const allLoaded = ids.size > 0 && ids.size === rows.length

  return {
    ids,
    allLoaded,
    allMatching,
    toggle: (index, range) => {
      const [from, to] = range ? sortPair(lastToggled.current, index) : [index, index]
      const add = !ids.has(rows[index]?.id ?? '')
      lastToggled.current = index
      setState({ ids: withRows(ids, rows.slice(from, to + 1), add) })
    },
    extend: (from, to) => {
      const extension = state.extension ?? { from: rows[from]?.id ?? '', before: ids }
      const start = rows.findIndex(({ id }) => id === extension.from)
      const [first, end] = sortPair(start < 0 ? from : start, Math.min(Math.max(to, 0), rows.length - 1))
      lastToggled.current = to
      setState({ ids: withRows(extension.before, rows.slice(first, end + 1), true), extension })
    },
    toggleAll: () => setState(allLoaded ? emptySelection : { ids: idsOf(rows) }),
    selectAllMatching: () => setState({ ids, allMatchingOf: listName }),
    clear: () => setState(emptySelection),
  }
}

const idsOf = (rows: readonly { id: string }[]): Ids => new Set(rows.map(({ id }) => id))
const sortPair = (one: number, other: number): [number, number] => [Math.min(one, other), Math.max(one, other)]

function keepLoaded(selected: Ids, rows: readonly { id: string }[]): Ids {
  if (selected.size === 0) return selected
  return new Set(rows.filter(({ id }) => selected.has(id)).map(({ id }) => id))
}

function withRows(ids: Ids, rows: readonly { id: string }[], add: boolean): Ids {
  const next = new Set(ids)
  for (const { id } of rows) {
    if (add) next.add(id)
    else next.delete(id)
  }
  return next
}
