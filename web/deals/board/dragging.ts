import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { DealRow } from '#contract/deals.ts'
import type { Stage } from '#contract/stages.ts'
import { enableDragging } from '#web/ui/drag.ts'
import { moveDeal } from '../kind/moves.ts'
import { isStage, stageLabels } from '../kind/stages.ts'
import { listCards, type Cards } from './columns.ts'
import { getShownStage, type KeyboardMove } from './keyboardMove.ts'

type Point = { x: number; y: number }

/** The deal whose card is dragged, and the width of the card in px. */
type DragState = { deal: DealRow; width: number }

/**
 * Drags a card to another column by mouse, or by touch after a short hold. `announce` of the keyboard move passes a sentence to screen
 * readers.
 */
export function useDragging(cards: Cards, { announce }: Pick<KeyboardMove, 'announce'>) {
  const [board, setBoard] = useState<HTMLDivElement | null>(null)
  const [drag, setDrag] = useState<DragState>()
  const [targetStage, setTargetStage] = useState<Stage>()
  const [dragImage] = useState(createDragImage)
  const stop = (): void => {
    setDrag(undefined)
    setTargetStage(undefined)
  }
  const start = useEffectEvent((card: HTMLElement, pointer: Point, pointerOffset: Point): boolean => {
    const deal = listCards(cards).find(({ id }) => id === card.dataset['deal'])
    if (!deal) return false
    dragImage.start(pointer, pointerOffset)
    setDrag({ deal, width: card.offsetWidth })
    return true
  })
  const move = useEffectEvent((pointer: Point): void => {
    dragImage.move(pointer)
    setTargetStage(findStageAt(pointer))
  })
  const drop = useEffectEvent((pointer: Point): void => {
    stop()
    const stage = findStageAt(pointer)
    if (!drag || !stage || stage === getShownStage(drag.deal)) return
    const announceFailure = announce // if the save fails, the sentence about the failure replaces “… was moved to …”
    moveDeal(drag.deal, stage, announceFailure)
    announce(`“${drag.deal.title}” was moved to ${stageLabels[stage]}.`)
  })
  const cancel = useEffectEvent(stop)
  useEffect(() => {
    if (!board) return undefined
    return enableDragging(board, {
      selector: '[data-deal]',
      onStart: (card, pointer, pointerOffset) => start(card, pointer, pointerOffset),
      onMove: (pointer) => move(pointer),
      onDrop: (pointer) => drop(pointer),
      onCancel: () => cancel(),
    })
  }, [board])
  useScrollToDroppedCard(board, drag)
  return { boardRef: setBoard, drag, targetStage, dragImageRef: dragImage.setElement }
}

/** Scrolls to the column of the dropped card. Without this, scroll snapping returns the board to its position before the drag. */
function useScrollToDroppedCard(board: HTMLElement | null, drag: DragState | undefined): void {
  const previousDrag = useRef(drag)
  useLayoutEffect(() => {
    const endedDrag = drag ? undefined : previousDrag.current
    previousDrag.current = drag
    if (!board || !endedDrag) return
    const column = board.querySelector(`[data-stage="${getShownStage(endedDrag.deal)}"]`)
    column?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [board, drag])
}

/** Moves the copy of the dragged card with the pointer, without rendering the board again. */
function createDragImage() {
  let dragImage: HTMLElement | null = null
  /** The position of the upper left corner of the copy in the window. */
  let corner = { x: 0, y: 0 }
  /** The position of the pointer within the card. */
  let pointerOffset = { x: 0, y: 0 }
  const updatePosition = (): void => {
    if (dragImage) dragImage.style.translate = `${corner.x}px ${corner.y}px`
  }
  const move = (pointer: Point): void => {
    corner = { x: pointer.x - pointerOffset.x, y: pointer.y - pointerOffset.y }
    updatePosition()
  }
  return {
    start: (pointer: Point, newPointerOffset: Point): void => {
      pointerOffset = newPointerOffset
      move(pointer)
    },
    move,
    setElement: (element: HTMLElement | null): void => {
      dragImage = element
      updatePosition()
    },
  }
}

/** Returns the stage of the column at a point of the screen; undefined outside of the columns. */
function findStageAt({ x, y }: Point): Stage | undefined {
  const stage = document.elementFromPoint(x, y)?.closest<HTMLElement>('section[data-stage]')?.dataset['stage']
  return isStage(stage) ? stage : undefined
}
