import { useMemo, useState } from 'react'

/** The row on which the keys act. */
export type Cursor = {
  /** -1 where there is none. */
  index: number
  /** Grows with every move that takes the focus along. */
  moves: number
  /** Goes to a row with the focus; beyond the ends it stays at the end. */
  move: (index: number) => void
  /** Notes that the focus is in this row already. */
  note: (index: number) => void
}

/** A cursor that stays on its row while others come and go, and falls to the next one when its own goes. */
export function useCursor(rows: readonly { id: string }[]): Cursor {
  const [place, setPlace] = useState({ id: '', index: -1, moves: 0 })
  const index = useMemo(() => whereNow(place, rows), [place, rows])
  const go = (to: number, moves: number) => {
    const next = Math.min(Math.max(to, 0), rows.length - 1)
    setPlace({ id: rows[next]?.id ?? '', index: next, moves })
  }
  return {
    index,
    moves: place.moves,
    move: (to) => go(to, place.moves + 1),
    note: (to) => {
      if (to !== index) go(to, place.moves)
    },
  }
}

function whereNow({ id, index }: { id: string; index: number }, rows: readonly { id: string }[]): number {
  if (index < 0 || rows[index]?.id === id) return index
  const moved = rows.findIndex((row) => row.id === id)
  return moved >= 0 ? moved : Math.min(index, rows.length - 1)
}
