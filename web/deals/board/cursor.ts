import { useEffect, useMemo, useRef, useState } from 'react'
import { stages, type Stage } from '#contract/stages.ts'
import type { Cards } from './columns.ts'

type Place = { stage: Stage; index: number }

export type BoardCursor = ReturnType<typeof useBoardCursor>

/** The card on which the keys act. It stays with its deal, and falls to the next card of the column when the deal goes. */
export function useBoardCursor(cards: Cards) {
  const [kept, setKept] = useState<Place & { id: string; moves: number }>({ id: '', stage: stages[0], index: 0, moves: 0 })
  const place = useMemo(() => whereNow(kept, cards), [kept, cards])
  const deal = place && cards[place.stage][place.index]
  const go = (to: Place | undefined, moves: number): void => {
    const next = to && cards[to.stage][to.index]
    if (to && next) setKept({ ...to, id: next.id, moves })
  }
  const move = (to: Place | undefined): void => go(to, kept.moves + 1)
  useFocusKept(deal?.id, place?.stage, () => setKept((before) => ({ ...before, moves: before.moves + 1 })))
  const started = kept.id !== ''
  return {
    deal,
    stage: place?.stage,
    moves: kept.moves,
    /** Goes up or down the column; from nowhere to the first card. */
    step: (by: number): void => {
      if (!place || !started) return move(place)
      move({ ...place, index: Math.min(Math.max(place.index + by, 0), cards[place.stage].length - 1) })
    },
    /** Goes to the next column with a card, about as far down. */
    cross: (by: 1 | -1): void => {
      if (!place) return
      const others = by === 1 ? stages.slice(stages.indexOf(place.stage) + 1) : stages.slice(0, stages.indexOf(place.stage)).toReversed()
      const stage = others.find((each) => cards[each].length > 0)
      if (stage) move({ stage, index: Math.min(place.index, cards[stage].length - 1) })
    },
    /** Takes the focus to where the card is now. */
    follow: (): void => setKept((before) => ({ ...before, moves: before.moves + 1 })),
    /** Notes that the focus is on this card. */
    note: (id: string | undefined): void => {
      const found = id !== undefined && id !== deal?.id ? placeOf(id, cards) : undefined
      if (found || (id !== undefined && !started)) go(found ?? place, kept.moves)
    },
  }
}

function whereNow({ id, stage, index }: Place & { id: string }, cards: Cards): Place | undefined {
  const here = cards[stage]
  if (id !== '' && here[index]?.id === id) return { stage, index }
  const moved = placeOf(id, cards)
  if (moved) return moved
  if (id !== '' && here.length > 0) return { stage, index: Math.min(index, here.length - 1) }
  const first = stages.find((each) => cards[each].length > 0)
  return first && { stage: first, index: 0 }
}

function placeOf(id: string, cards: Cards): Place | undefined {
  for (const stage of stages) {
    const index = cards[stage].findIndex((deal) => deal.id === id)
    if (index >= 0) return { stage, index }
  }
  return undefined
}

/** When the focused card goes to another column or is gone, the focus would fall out of the board: it is taken along. */
function useFocusKept(id: string | undefined, stage: Stage | undefined, follow: () => void): void {
  const inside = useRef(false)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      inside.current = target instanceof Element && target.closest('[data-deal]') !== null
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  useEffect(() => {
    if (id && stage && inside.current && document.activeElement === document.body) follow()
    // oxlint-disable-next-line react/exhaustive-deps -- only where the card is matters
  }, [id, stage])
}
