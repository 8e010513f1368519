import { useEffect, useMemo, useState } from 'react'
import type { DealRow } from '#contract/deals.ts'
import { stages, type Stage } from '#contract/stages.ts'
import { moveDeal, moves, type Moves } from '../kind/moves.ts'
import { stageLabels } from '../kind/stages.ts'

/** A card that is moved by keyboard, and the column it is over. */
type Lifted = { deal: DealRow; stage: Stage }

export type Lift = ReturnType<typeof useLift>

/** Moves a card by keyboard: lift, carry from column to column, then drop or cancel. `announcement` is read by screen readers. */
export function useLift(pendingMoves: Moves) {
  const [lifted, setLifted] = useState<Lifted>()
  const [announcement, announce] = useState('')
  const stop = (words: string): void => {
    setLifted(undefined)
    announce(words)
  }
  const cancel = (): void => {
    if (lifted) stop(`${quotedTitle(lifted.deal)} stays in ${stageLabels[stageOf(lifted.deal)]}.`)
  }
  const shownMoves = useMemo(() => (lifted ? withLifted(pendingMoves, lifted) : pendingMoves), [pendingMoves, lifted])
  useCancelOnPointerDown(lifted !== undefined, cancel)
  return {
    lifted,
    announcement,
    announce,
    lift: (deal: DealRow): void => {
      const stage = stageOf(deal)
      setLifted({ deal, stage })
      announce(
        `${quotedTitle(deal)} is lifted from ${stageLabels[stage]}. Left and right arrows carry it, Space drops it, Escape puts it back.`,
      )
    },
    /** Carries the lifted card to the next column, or with -1 to the previous one. */
    carry: (step: 1 | -1): void => {
      const stage = lifted && stages[stages.indexOf(lifted.stage) + step]
      if (!lifted || !stage) return
      setLifted({ ...lifted, stage })
      announce(`${quotedTitle(lifted.deal)} is over ${stageLabels[stage]}.`)
    },
    drop: (): void => {
      if (!lifted) return
      const { deal, stage } = lifted
      if (stage === stageOf(deal)) return cancel()
      moveDeal(deal, stage, announce)
      stop(`${quotedTitle(deal)} was moved to ${stageLabels[stage]}.`)
    },
    cancel,
    /** The pending moves, with the lifted card in the column it is over. */
    shownMoves,
  }
}

/** The stage in which a deal is shown, which may not be saved yet. */
export const stageOf = (deal: DealRow): Stage => moves.get().get(deal.id)?.stage ?? deal.stage

/** The number is infinite, because the move is not made yet and no answer includes it. */
function withLifted(pendingMoves: Moves, { deal, stage }: Lifted): Moves {
  const { id } = deal
  return new Map(pendingMoves).set(id, { deal, stage, number: Infinity, before: pendingMoves.get(id) })
}

const quotedTitle = ({ title }: DealRow): string => `“${title}”`

function useCancelOnPointerDown(isLifted: boolean, cancel: () => void): void {
  useEffect(() => {
    if (!isLifted) return undefined
    window.addEventListener('pointerdown', cancel)
    return () => window.removeEventListener('pointerdown', cancel)
  })
}
