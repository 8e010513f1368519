import { useEffect, useMemo, useState } from 'react'
import type { DealRow } from '#contract/deals.ts'
import { stages, type Stage } from '#contract/stages.ts'
import { moveDeal, unsavedMoves, type Moves } from '../kind/moves.ts'
import { stageLabels } from '../kind/stages.ts'

/** A card that is moved by keyboard, and the column it is over. */
type LiftedCard = { deal: DealRow; stage: Stage }

export type KeyboardMove = ReturnType<typeof useKeyboardMove>

/** Moves a card by keyboard: lift, carry from column to column, then drop or cancel. `announcement` is read by screen readers. */
export function useKeyboardMove(pendingMoves: Moves) {
  const [lifted, setLifted] = useState<LiftedCard>()
  const [announcement, announce] = useState('')
  const stop = (words: string): void => {
    setLifted(undefined)
    announce(words)
  }
  const cancel = (): void => {
    if (lifted) stop(`${quoteTitle(lifted.deal)} stays in ${stageLabels[getShownStage(lifted.deal)]}.`)
  }
  const shownMoves = useMemo(() => (lifted ? addLiftedCard(pendingMoves, lifted) : pendingMoves), [pendingMoves, lifted])
  useCancelOnPointerDown(lifted !== undefined, cancel)
  return {
    lifted,
    announcement,
    announce,
    lift: (deal: DealRow): void => {
      const stage = getShownStage(deal)
      setLifted({ deal, stage })
      announce(
        `${quoteTitle(deal)} is lifted from ${stageLabels[stage]}. Left and right arrows carry it, Space drops it, Escape puts it back.`,
      )
    },
    /** Carries the lifted card to the next column, or with -1 to the previous one. */
    carry: (step: 1 | -1): void => {
      const stage = lifted && stages[stages.indexOf(lifted.stage) + step]
      if (!lifted || !stage) return
      setLifted({ ...lifted, stage })
      announce(`${quoteTitle(lifted.deal)} is over ${stageLabels[stage]}.`)
    },
    drop: (): void => {
      if (!lifted) return
      const { deal, stage } = lifted
      if (stage === getShownStage(deal)) return cancel()
      moveDeal(deal, stage, announce)
      stop(`${quoteTitle(deal)} was moved to ${stageLabels[stage]}.`)
    },
    cancel,
    /** The pending moves, with the lifted card in the column it is over. */
    shownMoves,
  }
}

/** The stage in which a deal is shown, which may not be saved yet. */
export const getShownStage = (deal: DealRow): Stage => unsavedMoves.get().get(deal.id)?.stage ?? deal.stage

/** The number is infinite, because the move is not made yet and no answer includes it. */
function addLiftedCard(pendingMoves: Moves, { deal, stage }: LiftedCard): Moves {
  const { id } = deal
  return new Map(pendingMoves).set(id, { deal, stage, number: Infinity, previous: pendingMoves.get(id) })
}

const quoteTitle = ({ title }: DealRow): string => `“${title}”`

function useCancelOnPointerDown(isLifted: boolean, cancel: () => void): void {
  useEffect(() => {
    if (!isLifted) return undefined
    window.addEventListener('pointerdown', cancel)
    return () => window.removeEventListener('pointerdown', cancel)
  })
}
