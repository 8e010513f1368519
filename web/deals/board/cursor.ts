import { useEffect, useMemo, useRef, useState } from 'react'
import { stages, type Stage } from '#contract/stages.ts'
import type { Cards } from './columns.ts'

/** The place of a card on the board: its column, and its index in the column. */
type Position = { stage: Stage; index: number }

/** `id` is empty until the user has used the cursor. The card is focused when `focusRequestCount` increases. */
type CursorState = Position & { id: string; focusRequestCount: number }

export type BoardCursor = ReturnType<typeof useBoardCursor>

/** The keyboard cursor of the board. When the deal of the cursor disappears, the cursor moves to the next card of the column. */
export function useBoardCursor(cards: Cards) {
  const [state, setState] = useState<CursorState>({ id: '', stage: stages[0], index: 0, focusRequestCount: 0 })
  const position = useMemo(() => findCurrentPosition(state, cards), [state, cards])
  const deal = position && cards[position.stage][position.index]
  const isUsed = state.id !== ''
  const setCursor = (newPosition: Position | undefined, focusRequestCount: number): void => {
    const newDeal = newPosition && cards[newPosition.stage][newPosition.index]
    if (newPosition && newDeal) setState({ ...newPosition, id: newDeal.id, focusRequestCount })
  }
  const moveAndFocus = (newPosition: Position | undefined): void => setCursor(newPosition, state.focusRequestCount + 1)
  const refocus = (): void => setState((current) => ({ ...current, focusRequestCount: current.focusRequestCount + 1 }))
  useRestoreFocus(cards, refocus)
  return {
    deal,
    stage: position?.stage,
    focusRequestCount: state.focusRequestCount,
    /** Moves the cursor down by `offset` cards, or up if `offset` is negative. The first call moves it to the first card. */
    moveInColumn: (offset: number): void => {
      if (!position || !isUsed) return moveAndFocus(position)
      const lastIndex = cards[position.stage].length - 1
      moveAndFocus({ ...position, index: Math.min(Math.max(position.index + offset, 0), lastIndex) })
    },
    /** Moves the cursor to the next (1) or previous (-1) column that has cards. Keeps the index if the column has enough cards. */
    moveToColumn: (direction: 1 | -1): void => {
      if (!position) return
      const stageIndex = stages.indexOf(position.stage)
      const stagesInDirection = direction === 1 ? stages.slice(stageIndex + 1) : stages.slice(0, stageIndex).toReversed()
      const stage = stagesInDirection.find((each) => cards[each].length > 0)
      if (stage) moveAndFocus({ stage, index: Math.min(position.index, cards[stage].length - 1) })
    },
    /** Focuses the card of the cursor again. */
    refocus,
    /** Moves the cursor to the card that has received the focus. Ignores undefined, which means that another element has the focus. */
    moveToFocusedCard: (id: string | undefined): void => {
      if (id === undefined) return
      const newPosition = id === deal?.id ? undefined : findPosition(id, cards)
      if (newPosition || !isUsed) setCursor(newPosition ?? position, state.focusRequestCount)
    },
  }
}

/** Returns the position of the cursor on the current board; undefined when the board has no cards. */
function findCurrentPosition({ id, stage, index }: CursorState, cards: Cards): Position | undefined {
  const column = cards[stage]
  if (id !== '' && column[index]?.id === id) return { stage, index }
  const movedPosition = findPosition(id, cards)
  if (movedPosition) return movedPosition
  if (id !== '' && column.length > 0) return { stage, index: Math.min(index, column.length - 1) }
  const firstStage = stages.find((each) => cards[each].length > 0)
  return firstStage && { stage: firstStage, index: 0 }
}

function findPosition(id: string, cards: Cards): Position | undefined {
  for (const stage of stages) {
    const index = cards[stage].findIndex((deal) => deal.id === id)
    if (index >= 0) return { stage, index }
  }
  return undefined
}

/** Calls `refocus` when the focused card was removed, because its deal has moved to another column or has disappeared. */
function useRestoreFocus(cards: Cards, refocus: () => void): void {
  const focusedCard = useRef<Element>(null)
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent) => {
      focusedCard.current = target instanceof Element ? target.closest('[data-deal]') : null
    }
    document.addEventListener('focusin', onFocusIn)
    return () => document.removeEventListener('focusin', onFocusIn)
  }, [])
  useEffect(() => {
    if (focusedCard.current?.isConnected === false) refocus() // another element with the focus would have replaced `focusedCard`
    // oxlint-disable-next-line react/exhaustive-deps -- only a change of the cards matters; `refocus` is new on every render
  }, [cards])
}
