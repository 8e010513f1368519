import { useMemo, useRef, useState } from 'react'

export type Selection = {
  /** Of the rows that are there: what is chosen and gone counts no more, and counts again when it comes back. */
  ids: ReadonlySet<string>
  /** Every row that is there. */
  all: boolean
  /** Every row of the list, also those that are not there yet. */
  everything: boolean
  /** Turns one row, or with `range` all rows from the last one turned to this one. */
  turn: (index: number, range: boolean) => void
  /** Chooses the rows from where the stretching began up to `to`, and no longer what it had chosen beyond. */
  stretch: (from: number, to: number) => void
  turnAll: () => void
  chooseEverything: () => void
  clear: () => void
}

type Ids = ReadonlySet<string>
type Stretch = { from: string; before: Ids }
type State = { ids: Ids; stretch?: Stretch; everythingOf?: string | undefined }

const none: State = { ids: new Set() }

/** Which of these rows are chosen. In a list of another name nothing counts as chosen that is not there. */
export function useSelection(rows: readonly { id: string }[], listName = ''): Selection {
  const [state, setState] = useState(none)
  const last = useRef(0)
  const everything = state.everythingOf === listName && rows.length > 0
  const ids = useMemo(() => (everything ? idsOf(rows) : present(state.ids, rows)), [everything, state.ids, rows])
  const all = ids.size > 0 && ids.size === rows.length

  return {
    ids,
    all,
    everything,
    turn: (index, range) => {
      const [from, to] = range ? inOrder(last.current, index) : [index, index]
      const add = !ids.has(rows[index]?.id ?? '')
      last.current = index
      setState({ ids: turned(ids, rows.slice(from, to + 1), add) })
    },
    stretch: (from, to) => {
      const begun = state.stretch ?? { from: rows[from]?.id ?? '', before: ids }
      const start = rows.findIndex(({ id }) => id === begun.from)
      const [first, end] = inOrder(start < 0 ? from : start, Math.min(Math.max(to, 0), rows.length - 1))
      last.current = to
      setState({ ids: turned(begun.before, rows.slice(first, end + 1), true), stretch: begun })
    },
    turnAll: () => setState(all ? none : { ids: idsOf(rows) }),
    chooseEverything: () => setState({ ids, everythingOf: listName }),
    clear: () => setState(none),
  }
}

const idsOf = (rows: readonly { id: string }[]): Ids => new Set(rows.map(({ id }) => id))
const inOrder = (one: number, other: number): [number, number] => [Math.min(one, other), Math.max(one, other)]

function present(chosen: Ids, rows: readonly { id: string }[]): Ids {
  if (chosen.size === 0) return chosen
  return new Set(rows.filter(({ id }) => chosen.has(id)).map(({ id }) => id))
}

function turned(ids: Ids, rows: readonly { id: string }[], add: boolean): Ids {
  const next = new Set(ids)
  for (const { id } of rows) {
    if (add) next.add(id)
    else next.delete(id)
  }
  return next
}
