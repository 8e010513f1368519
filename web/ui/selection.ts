import { useMemo, useRef, useState } from 'react'

export type Selection = {
  /** Of the rows that are there: what is chosen and gone counts no more, and counts again when it comes back. */
  ids: ReadonlySet<string>
  all: boolean
  /** Turns one row, or with `range` all rows from the last one turned to this one. */
  turn: (index: number, range: boolean) => void
  turnAll: () => void
  clear: () => void
}

/** Which of these rows are chosen. */
export function useSelection(rows: readonly { id: string }[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const last = useRef(0)
  const ids = useMemo(() => present(chosen, rows), [chosen, rows])
  const all = ids.size > 0 && ids.size === rows.length

  return {
    ids,
    all,
    turn: (index, range) => {
      const [from, to] = range ? [Math.min(last.current, index), Math.max(last.current, index)] : [index, index]
      const add = !ids.has(rows[index]?.id ?? '')
      last.current = index
      setChosen(turned(ids, rows.slice(from, to + 1), add))
    },
    turnAll: () => setChosen(all ? new Set() : turned(ids, rows, true)),
    clear: () => setChosen(new Set()),
  }
}

function present(chosen: ReadonlySet<string>, rows: readonly { id: string }[]): ReadonlySet<string> {
  if (chosen.size === 0) return chosen
  return new Set(rows.filter(({ id }) => chosen.has(id)).map(({ id }) => id))
}

function turned(ids: ReadonlySet<string>, rows: readonly { id: string }[], add: boolean): ReadonlySet<string> {
  const next = new Set(ids)
  for (const { id } of rows) {
    if (add) next.add(id)
    else next.delete(id)
  }
  return next
}
