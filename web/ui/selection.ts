import { useMemo, useRef, useState } from 'react'

export type Selection = {
  /** The selected rows among the loaded ones. A selected row that disappears is left out until it comes back. */
  ids: ReadonlySet<string>
  /** All loaded rows are selected. */
  allLoaded: boolean
  /** All rows that match the list's search and filters are selected, also those that are not loaded yet. */
  allMatching: boolean
  /** Toggles one row, or with `range` all rows from the last toggled one to this one. */
  toggle: (index: number, range: boolean) => void
  /** Selects all rows between the start of the extension and `to`. Rows that an earlier step selected beyond `to` are deselected again. */
  extend: (from: number, to: number) => void
  toggleAll: () => void
  selectAllMatching: () => void
  clear: () => void
}

type Ids = ReadonlySet<string>
/** `extension`: the row where selecting by Shift and the arrow keys began, and what was selected before. */
type State = { ids: Ids; extension?: { from: string; before: Ids }; allMatchingOf?: string | undefined }

const none: State = { ids: new Set() }

/** The selection among these rows. "All matching" holds only for the list of the same name. */
export function useSelection(rows: readonly { id: string }[], listName = ''): Selection {
  const [state, setState] = useState(none)
  const lastToggled = useRef(0)
  const allMatching = state.allMatchingOf === listName && rows.length > 0
  const ids = useMemo(() => (allMatching ? idsOf(rows) : loaded(state.ids, rows)), [allMatching, state.ids, rows])
  const allLoaded = ids.size > 0 && ids.size === rows.length

  return {
    ids,
    allLoaded,
    allMatching,
    toggle: (index, range) => {
      const [from, to] = range ? ordered(lastToggled.current, index) : [index, index]
      const add = !ids.has(rows[index]?.id ?? '')
      lastToggled.current = index
      setState({ ids: withRows(ids, rows.slice(from, to + 1), add) })
    },
    extend: (from, to) => {
      const extension = state.extension ?? { from: rows[from]?.id ?? '', before: ids }
      const start = rows.findIndex(({ id }) => id === extension.from)
      const [first, end] = ordered(start < 0 ? from : start, Math.min(Math.max(to, 0), rows.length - 1))
      lastToggled.current = to
      setState({ ids: withRows(extension.before, rows.slice(first, end + 1), true), extension })
    },
    toggleAll: () => setState(allLoaded ? none : { ids: idsOf(rows) }),
    selectAllMatching: () => setState({ ids, allMatchingOf: listName }),
    clear: () => setState(none),
  }
}

const idsOf = (rows: readonly { id: string }[]): Ids => new Set(rows.map(({ id }) => id))
const ordered = (one: number, other: number): [number, number] => [Math.min(one, other), Math.max(one, other)]

function loaded(selected: Ids, rows: readonly { id: string }[]): Ids {
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
