import { useMemo, useState } from 'react'

/** The current row of a list. Shortcuts act on it. */
export type Cursor = {
  /** -1 when no row is current. */
  index: number
  /** The number of calls of `move`. Each call also moves the focus. */
  moves: number
  /** Makes a row current and focuses it. The index is limited to the first and the last row. */
  move: (index: number) => void
  /** Makes the focused row current. Does not move the focus. */
  setCurrent: (index: number) => void
}

/** The cursor stays on its row when other rows are added or removed, and moves to the next row when its own is removed. */
export function useCursor(rows: readonly { id: string }[]): Cursor {
  const [position, setPosition] = useState({ id: '', index: -1, moves: 0 })
  const index = useMemo(() => currentIndex(position, rows), [position, rows])
  const go = (to: number, moves: number) => {
    const next = Math.min(Math.max(to, 0), rows.length - 1)
    setPosition({ id: rows[next]?.id ?? '', index: next, moves })
  }
  return {
    index,
    moves: position.moves,
    move: (to) => go(to, position.moves + 1),
    setCurrent: (to) => {
      if (to !== index) go(to, position.moves)
    },
  }
}

function currentIndex({ id, index }: { id: string; index: number }, rows: readonly { id: string }[]): number {
  if (index < 0 || rows[index]?.id === id) return index
  const moved = rows.findIndex((row) => row.id === id)
  return moved >= 0 ? moved : Math.min(index, rows.length - 1)
}
