import { useEffect, useMemo, useState } from 'react'
import type { DealRow } from '#contract/deals.ts'
import { stages, type Stage } from '#contract/stages.ts'
import { moveDeal, moves, type Moves } from '../kind/moves.ts'
import { stageLabels } from '../kind/stages.ts'

/** A card that is held by the keyboard, and the column it is over. */
type Lifted = { deal: DealRow; stage: Stage }

export type Lift = ReturnType<typeof useLift>

/** Moving a card without a pointer: lifted, carried from column to column, dropped or put back. `said` is for screen readers. */
export function useLift(trackWrite: Moves) {
  const [lifted, setLifted] = useState<Lifted>()
  const [said, say] = useState('')
  const stop = (words: string): void => {
    setLifted(undefined)
    say(words)
  }
  const put = (): void => {
    if (lifted) stop(`${named(lifted.deal)} stays in ${stageLabels[stageOf(lifted.deal)]}.`)
  }
  const shown = useMemo(() => (lifted ? withLifted(trackWrite, lifted) : trackWrite), [trackWrite, lifted])
  usePutAway(lifted !== undefined, put)
  return {
    lifted,
    said,
    say,
    pick: (deal: DealRow): void => {
      const stage = stageOf(deal)
      setLifted({ deal, stage })
      say(`${named(deal)} is lifted from ${stageLabels[stage]}. Left and right arrows carry it, Space drops it, Escape puts it back.`)
    },
    /** Carries the lifted card one column on, or back with -1. */
    carry: (step: 1 | -1): void => {
      const stage = lifted && stages[stages.indexOf(lifted.stage) + step]
      if (!lifted || !stage) return
      setLifted({ ...lifted, stage })
      say(`${named(lifted.deal)} is over ${stageLabels[stage]}.`)
    },
    drop: (): void => {
      if (!lifted) return
      const { deal, stage } = lifted
      if (stage === stageOf(deal)) return put()
      moveDeal(deal, stage, say)
      stop(`${named(deal)} was moved to ${stageLabels[stage]}.`)
    },
    put,
    /** What is on its way, with the lifted card where it is over. */
    shown,
  }
}

/** The stage that a card stands in, which may be ahead of the server. */
export const stageOf = (deal: DealRow): Stage => moves.get().get(deal.id)?.stage ?? deal.stage

/** A lifted card is on a move that nobody counts before it is made. */
function withLifted(trackWrite: Moves, { deal, stage }: Lifted): Moves {
  const { id } = deal
  return new Map(trackWrite).set(id, { deal, stage, number: Infinity, before: trackWrite.get(id) })
}

const named = ({ title }: DealRow): string => `“${title}”`

/** A pointer that goes to work elsewhere puts the card back. */
function usePutAway(held: boolean, put: () => void): void {
  useEffect(() => {
    if (!held) return undefined
    window.addEventListener('pointerdown', put)
    return () => window.removeEventListener('pointerdown', put)
  })
}
