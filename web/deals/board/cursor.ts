import { useEffect, useMemo, useRef, useState } from 'react'
import { stages, type Stage } from '#contract/stages.ts'
import type { Cards } from './columns.ts'

type Position = { stage: Stage; index: number }

export type BoardCursor = ReturnType<typeof useBoardCursor>

/** The card of the keyboard cursor. When its deal disappears, the next card of the column takes the cursor. */
export function useBoardCursor(cards: Cards) {
  const [last, setLast] = useState<Position & { id: string; moves: number }>({ id: '', stage: stages[0], index: 0, moves: 0 })
  const position = useMemo(() => findCurrentPosition(last, cards), [last, cards])
  const deal = position && cards[position.stage][position.index]
  const setCursor = (to: Position | undefined, moves: number): void => {
    const next = to && cards[to.stage][to.index]
    if (to && next) setLast({ ...to, id: next.id, moves })
  }
  const move = (to: Position | undefined): void => setCursor(to, last.moves + 1)
  useRestoreFocus(deal?.id, position?.stage, () => setLast((before) => ({ ...before, moves: before.moves + 1 })))
  const started = last.id !== ''
  return {
    deal,
    stage: position?.stage,
    moves: last.moves,
    /** Moves up or down the column; at first to the first card. */
    step: (by: number): void => {
      if (!position || !started) return move(position)
      move({ ...position, index: Math.min(Math.max(position.index + by, 0), cards[position.stage].length - 1) })
    },
    /** Moves to the next column that has cards, at the same height if possible. */
    cross: (by: 1 | -1): void => {
      if (!position) return
      const others =
        by === 1 ? stages.slice(stages.indexOf(position.stage) + 1) : stages.slice(0, stages.indexOf(position.stage)).toReversed()
      const stage = others.find((each) => cards[each].length > 0)
      if (stage) move({ stage, index: Math.min(position.index, cards[stage].length - 1) })
    },
    /** Focuses the card again after it moved. */
    refocus: (): void => setLast((before) => ({ ...before, moves: before.moves + 1 })),
    /** Sets the cursor to the card that has the focus. */
    set: (id: string | undefined): void => {
      const found = id !== undefined && id !== deal?.id ? findPosition(id, cards) : undefined
      if (found || (id !== undefined && !started)) setCursor(found ?? position, last.moves)
    },
  }
}

function findCurrentPosition({ id, stage, index }: Position & { id: string }, cards: Cards): Position | undefined {
  const here = cards[stage]
  if (id !== '' && here[index]?.id === id) return { stage, index }
  const moved = findPosition(id, cards)
  if (moved) return moved
  if (id !== '' && here.length > 0) return { stage, index: Math.min(index, here.length - 1) }
  const first = stages.find((each) => cards[each].length > 0)
  return first && { stage: first, index: 0 }
}

function findPosition(id: string, cards: Cards): Position | undefined {
  for (const stage of stages) {
    const index = cards[stage].findIndex((deal) => deal.id === id)
    if (index >= 0) return { stage, index }
  }
  return undefined
}

/** A focused card that moves to another column, or disappears, loses the focus. This gives the focus back to the board. */
function useRestoreFocus(id: string | undefined, stage: Stage | undefined, refocus: () => void): void {
  const wasInside = useRef(false)
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent) => {
      wasInside.current = target instanceof Element && target.closest('[data-deal]') !== null
    }
    document.addEventListener('focusin', onFocusIn)
    return () => document.removeEventListener('focusin', onFocusIn)
  }, [])
  useEffect(() => {
    if (id && stage && wasInside.current && document.activeElement === document.body) refocus()
    // oxlint-disable-next-line react/exhaustive-deps -- only the position of the card matters
  }, [id, stage])
}
