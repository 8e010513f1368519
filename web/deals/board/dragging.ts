import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { DealRow } from '#contract/deals.ts'
import type { Stage } from '#contract/stages.ts'
import { watchDrag } from '#web/ui/drag.ts'
import { moveDeal } from '../kind/moves.ts'
import { isStage, stageLabels } from '../kind/stages.ts'
import { inOrder, type Cards } from './columns.ts'
import { stageOf, type Lift } from './lift.ts'

type Point = { x: number; y: number }

/** A card that is dragged, as wide as in its column. */
type Dragged = { deal: DealRow; width: number }

/** Dragging a card to another column by mouse, or by finger after a short hold; the keys have a way of their own. */
export function useDragging(cards: Cards, { say }: Lift) {
  const [board, setBoard] = useState<HTMLDivElement | null>(null)
  const [dragged, setDragged] = useState<Dragged>()
  const [over, setOver] = useState<Stage>()
  const [picture] = useState(pictureUnderPointer)
  const stop = (): void => {
    setDragged(undefined)
    setOver(undefined)
  }
  const start = useEffectEvent((source: HTMLElement, at: Point, grip: Point): boolean => {
    const deal = inOrder(cards).find(({ id }) => id === source.dataset['deal'])
    if (!deal) return false
    picture.take(at, grip)
    setDragged({ deal, width: source.offsetWidth })
    return true
  })
  const move = useEffectEvent((at: Point): void => {
    picture.move(at)
    setOver(stageAt(at))
  })
  const drop = useEffectEvent((at: Point): void => {
    stop()
    const stage = stageAt(at)
    if (!dragged || !stage || stage === stageOf(dragged.deal)) return
    moveDeal(dragged.deal, stage, say)
    say(`“${dragged.deal.title}” was moved to ${stageLabels[stage]}.`)
  })
  const cancel = useEffectEvent(stop)
  useEffect(() => {
    if (!board) return undefined
    return watchDrag(board, {
      selector: '[data-deal]',
      onStart: (...lifted) => start(...lifted),
      onMove: (at) => move(at),
      onDrop: (at) => drop(at),
      onCancel: () => cancel(),
    })
  }, [board])
  useColumnInSight(board, dragged)
  return { setBoard, dragged, over, setPicture: picture.set }
}

/** After a drag the column of the card is in sight: a board that snaps would go back to where it was before. */
function useColumnInSight(board: HTMLElement | null, dragged: Dragged | undefined): void {
  const last = useRef(dragged)
  useLayoutEffect(() => {
    const ended = dragged ? undefined : last.current
    last.current = dragged
    if (!board || !ended) return
    board.querySelector(`[data-stage="${stageOf(ended.deal)}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [board, dragged])
}

/** Keeps the picture of a card under the pointer where the pointer holds it, without drawing the board anew. */
function pictureUnderPointer() {
  let picture: HTMLElement | null = null
  let corner = { x: 0, y: 0 }
  let held = { x: 0, y: 0 }
  const put = (): void => {
    if (picture) picture.style.translate = `${corner.x}px ${corner.y}px`
  }
  const move = ({ x, y }: Point): void => {
    corner = { x: x - held.x, y: y - held.y }
    put()
  }
  return {
    take: (at: Point, grip: Point): void => {
      held = grip
      move(at)
    },
    move,
    set: (element: HTMLElement | null): void => {
      picture = element
      put()
    },
  }
}

/** The column at a point of the screen. */
function stageAt({ x, y }: Point): Stage | undefined {
  const stage = document.elementFromPoint(x, y)?.closest<HTMLElement>('section[data-stage]')?.dataset['stage']
  return isStage(stage) ? stage : undefined
}
