import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { DealRow } from '#contract/deals.ts'
import type { Stage } from '#contract/stages.ts'
import { watchDrag } from '#web/ui/drag.ts'
import { moveDeal } from '../kind/moves.ts'
import { isStage, stageLabels } from '../kind/stages.ts'
import { listCards, type Cards } from './columns.ts'
import { getShownStage, type KeyboardMove } from './keyboardMove.ts'

type Point = { x: number; y: number }

/** The dragged card and its width in px. */
type DragState = { deal: DealRow; width: number }

/** Drags a card to another column by mouse, or by touch after a short hold. */
export function useDragging(cards: Cards, { announce }: KeyboardMove) {
  const [board, setBoard] = useState<HTMLDivElement | null>(null)
  const [dragged, setDragged] = useState<DragState>()
  const [over, setOver] = useState<Stage>()
  const [dragImage] = useState(createDragImage)
  const stop = (): void => {
    setDragged(undefined)
    setOver(undefined)
  }
  const start = useEffectEvent((source: HTMLElement, at: Point, grip: Point): boolean => {
    const deal = listCards(cards).find(({ id }) => id === source.dataset['deal'])
    if (!deal) return false
    dragImage.take(at, grip)
    setDragged({ deal, width: source.offsetWidth })
    return true
  })
  const move = useEffectEvent((at: Point): void => {
    dragImage.move(at)
    setOver(findStageAt(at))
  })
  const drop = useEffectEvent((at: Point): void => {
    stop()
    const stage = findStageAt(at)
    if (!dragged || !stage || stage === getShownStage(dragged.deal)) return
    moveDeal(dragged.deal, stage, announce)
    announce(`“${dragged.deal.title}” was moved to ${stageLabels[stage]}.`)
  })
  const cancel = useEffectEvent(stop)
  useEffect(() => {
    if (!board) return undefined
    return watchDrag(board, {
      selector: '[data-deal]',
      onStart: (...grabbed) => start(...grabbed),
      onMove: (at) => move(at),
      onDrop: (at) => drop(at),
      onCancel: () => cancel(),
    })
  }, [board])
  useScrollToDropped(board, dragged)
  return { setBoard, dragged, over, setDragImage: dragImage.set }
}

/** Scrolls to the column of the dropped card. Otherwise scroll snapping returns the board to its position before the drag. */
function useScrollToDropped(board: HTMLElement | null, dragged: DragState | undefined): void {
  const last = useRef(dragged)
  useLayoutEffect(() => {
    const ended = dragged ? undefined : last.current
    last.current = dragged
    if (!board || !ended) return
    board.querySelector(`[data-stage="${getShownStage(ended.deal)}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [board, dragged])
}

/** Moves the copy of the dragged card with the pointer, without rendering the board again. */
function createDragImage() {
  let dragImage: HTMLElement | null = null
  let corner = { x: 0, y: 0 }
  let grabPoint = { x: 0, y: 0 }
  const place = (): void => {
    if (dragImage) dragImage.style.translate = `${corner.x}px ${corner.y}px`
  }
  const move = ({ x, y }: Point): void => {
    corner = { x: x - grabPoint.x, y: y - grabPoint.y }
    place()
  }
  return {
    take: (at: Point, grip: Point): void => {
      grabPoint = grip
      move(at)
    },
    move,
    set: (element: HTMLElement | null): void => {
      dragImage = element
      place()
    },
  }
}

/** The column at a point of the screen. */
function findStageAt({ x, y }: Point): Stage | undefined {
  const stage = document.elementFromPoint(x, y)?.closest<HTMLElement>('section[data-stage]')?.dataset['stage']
  return isStage(stage) ? stage : undefined
}
