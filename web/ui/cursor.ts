import { useMemo, useState } from 'react'

/** The current row of a list. Shortcuts act on it. */
export type Cursor = {
  /** -1 when no row is current. */
  index: number
  /** How often `move` was called. The table focuses the current row when this number changes. */
  moves: number
  /** Makes a row current and focuses it. An index outside the list means the first or the last row. */
  move: (index: number) => void
  /** Makes the focused row current. Does not move the focus. */
  setCurrent: (index: number) => void
}

/**
 * Manages the current row. If other rows are added or removed, the same row stays current. If this row is removed, the next one becomes
 * current.
 */
export function useCursor(rows: readonly { id: string }[]): Cursor {
  const [position, setPosition] = useState({ id: '', index: -1, moves: 0 })
  const index = useMemo(() => findCurrentIndex(position, rows), [position, rows])
  const setIndex = (newIndex: number, moves: number) => {
    const next = Math.min(Math.max(newIndex, 0), rows.length - 1)
    setPosition({ id: rows[next]?.id ?? '', index: next, moves })
  }
  return {
    index,
    moves: position.moves,
    move: (newIndex) => setIndex(newIndex, position.moves + 1),
    setCurrent: (newIndex) => {
      if (newIndex !== index) setIndex(newIndex, position.moves)
    },
  }
}

function findCurrentIndex({ id, index }: { id: string; index: number }, rows: readonly { id: string }[]): number {
  if (index < 0 || rows[index]?.id === id) return index
  const newIndex = rows.findIndex((row) => row.id === id)
  return newIndex >= 0 ? newIndex : Math.min(index, rows.length - 1)
}
