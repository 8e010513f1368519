import { useEffect, useMemo, useState } from 'react'
import type { DealRow } from '#contract/deals.ts'
import { stages, type Stage } from '#contract/stages.ts'
import { moveDeal, unsavedMoves, type Moves } from '../kind/moves.ts'
import { stageLabels } from '../kind/stages.ts'

/** The deal whose card is moved by keyboard, and the stage of the column that shows the card now. */
type LiftedCard = { deal: DealRow; stage: Stage }

export type KeyboardMove = ReturnType<typeof useKeyboardMove>

/** Moves a card by keyboard: lift, carry from column to column, then drop or cancel. Screen readers read `announcement`. */
export function useKeyboardMove(moves: Moves) {
  const [liftedCard, setLiftedCard] = useState<LiftedCard>()
  const [announcement, announce] = useState('')
  const stop = (sentence: string): void => {
    setLiftedCard(undefined)
    announce(sentence)
  }
  const cancel = (): void => {
    if (liftedCard) stop(`${quoteTitle(liftedCard.deal)} stays in ${stageLabels[getShownStage(liftedCard.deal)]}.`)
  }
  const visibleMoves = useMemo(() => (liftedCard ? addLiftedCard(moves, liftedCard) : moves), [moves, liftedCard])
  useCancelOnPointerDown(liftedCard !== undefined, cancel)
  return {
    liftedCard,
    announcement,
    announce,
    lift: (deal: DealRow): void => {
      const stage = getShownStage(deal)
      setLiftedCard({ deal, stage })
      announce(
        `${quoteTitle(deal)} is lifted from ${stageLabels[stage]}. Left and right arrows carry it, Space drops it, Escape puts it back.`,
      )
    },
    /** Carries the lifted card to the next (1) or previous (-1) column. */
    carry: (direction: 1 | -1): void => {
      const stage = liftedCard && stages[stages.indexOf(liftedCard.stage) + direction]
      if (!liftedCard || !stage) return
      setLiftedCard({ ...liftedCard, stage })
      announce(`${quoteTitle(liftedCard.deal)} is over ${stageLabels[stage]}.`)
    },
    drop: (): void => {
      if (!liftedCard) return
      const { deal, stage } = liftedCard
      if (stage === getShownStage(deal)) return cancel()
      const announceFailure = announce // when the save fails, the sentence about the failure replaces the one below
      moveDeal(deal, stage, announceFailure)
      stop(`${quoteTitle(deal)} was moved to ${stageLabels[stage]}.`)
    },
    cancel,
    /** The unsaved moves and the move of the lifted card. */
    visibleMoves,
  }
}

/** Returns the stage in which a deal is shown, even if this stage is not saved yet. */
export const getShownStage = (deal: DealRow): Stage => unsavedMoves.get().get(deal.id)?.stage ?? deal.stage

/** Adds the move of the lifted card. The number of this move is infinite, because no response includes it before the card is dropped. */
function addLiftedCard(moves: Moves, { deal, stage }: LiftedCard): Moves {
  return new Map(moves).set(deal.id, { deal, stage, number: Infinity, previous: moves.get(deal.id) })
}

const quoteTitle = ({ title }: DealRow): string => `“${title}”`

function useCancelOnPointerDown(isLifted: boolean, cancel: () => void): void {
  useEffect(() => {
    if (!isLifted) return undefined
    window.addEventListener('pointerdown', cancel)
    return () => window.removeEventListener('pointerdown', cancel)
  })
}
