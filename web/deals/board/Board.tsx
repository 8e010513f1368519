import type { KeyboardEvent, MouseEvent } from 'react'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { DealRow, StageTotal } from '#contract/deals.ts'
import { stages } from '#contract/stages.ts'
import { useActions } from '#web/lib/actions.ts'
import { useDeleteRecords } from '#web/records/bulk/useDeleteRecords.ts'
import { dealKind } from '../kind/dealKind.tsx'
import classes from './board.module.css'
import { BoardColumn } from './BoardColumn.tsx'
import { DraggedCard } from './Card.tsx'
import type { Cards, Columns } from './columns.ts'
import { useBoardCursor, type BoardCursor } from './cursor.ts'
import { useDragging } from './dragging.ts'
import type { KeyboardMove } from './keyboardMove.ts'

type BoardProps = { columns: Columns; cards: Cards; totals: readonly StageTotal[] | undefined; keyboardMove: KeyboardMove }

const keyInstructions =
  'Enter opens the deal. Arrow keys go to other deals. Space lifts the deal: then left and right arrows carry it to another stage, Space drops it and Escape puts it back.'

/**
 * The columns of the board. A card is moved by mouse, by touch after a short hold, or by keyboard. The cursor is the card that the keys
 * apply to. A card that is moved by keyboard is lifted, carried to another column, and dropped.
 */
export function Board({ columns, cards, totals, keyboardMove }: BoardProps) {
  const cursor = useBoardCursor(cards)
  const { drag, targetStage, boardRef, dragImageRef } = useDragging(cards, keyboardMove)
  const actions = useCardActions()
  const { id: openedId } = useParams({ strict: false })
  const currentDeal = cursor.deal
  useActions([
    ...(openedId
      ? [] // the open panel uses the keys j and k
      : [
          { keys: 'j', label: 'Next deal', run: () => cursor.moveInColumn(1) },
          { keys: 'k', label: 'Previous deal', run: () => cursor.moveInColumn(-1) },
        ]),
    ...(currentDeal && !openedId
      ? [
          { keys: 'm', label: 'Move deal to another stage', run: () => keyboardMove.lift(currentDeal) },
          { keys: 'e', label: 'Edit deal', run: () => actions.edit(currentDeal) },
          { keys: 'Delete Backspace #', label: 'Delete deal', run: () => actions.remove(currentDeal) },
        ]
      : []),
  ])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !findDealId(event.target)) return
    const handlers = keyboardMove.liftedCard ? getLiftedCardKeys(keyboardMove, cursor) : getCardKeys(keyboardMove, cursor)
    const handler = handlers[event.key]
    if (!handler) return
    event.preventDefault()
    handler()
  }
  const onClick = (event: MouseEvent) => {
    const id = findDealId(event.target)
    if (!id || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (keyboardMove.liftedCard) keyboardMove.drop()
    else actions.open(id)
  }
  const { liftedCard } = keyboardMove
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- handles events of the links in it */}
      <div
        className={classes['board']}
        data-virtual // not printed, because only visible cards are rendered
        ref={boardRef}
        // the panel of a deal covers the end of the board
        data-beside={openedId !== undefined || undefined}
        data-dragging={drag !== undefined || undefined}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onFocus={({ target }) => cursor.moveToFocusedCard(findDealId(target))}
      >
        {stages.map((stage) => (
          <BoardColumn
            key={stage}
            stage={stage}
            list={columns[stage]}
            cards={cards[stage]}
            total={totals?.find((total) => total.stage === stage)}
            cursorId={cursor.stage === stage ? currentDeal?.id : undefined}
            focusRequestCount={cursor.focusRequestCount}
            openedId={openedId}
            draggedId={drag?.deal.id}
            isDropTarget={targetStage === stage}
            liftedId={liftedCard?.stage === stage ? liftedCard.deal.id : undefined}
          />
        ))}
      </div>
      <p id="board-keys" className={classes['screenReaderOnly']}>
        {keyInstructions}
      </p>
      <output className={classes['screenReaderOnly']} aria-live="assertive">
        {keyboardMove.announcement}
      </output>
      {drag && <DraggedCard deal={drag.deal} width={drag.width} cardRef={dragImageRef} />}
    </>
  )
}

type KeyHandlers = Record<string, (() => void) | undefined>

/** Returns the key handlers of a focused card. */
const getCardKeys = (keyboardMove: KeyboardMove, cursor: BoardCursor): KeyHandlers => ({
  ' ': () => cursor.deal && keyboardMove.lift(cursor.deal),
  ArrowDown: () => cursor.moveInColumn(1),
  ArrowUp: () => cursor.moveInColumn(-1),
  ArrowRight: () => cursor.moveToColumn(1),
  ArrowLeft: () => cursor.moveToColumn(-1),
  Home: () => cursor.moveInColumn(-Infinity),
  End: () => cursor.moveInColumn(Infinity),
})

/** Returns the key handlers while a card is lifted. The card is focused again, because a card that changes its column loses the focus. */
const getLiftedCardKeys = (keyboardMove: KeyboardMove, cursor: BoardCursor): KeyHandlers => {
  const thenRefocus = (action: () => void) => () => {
    action()
    cursor.refocus()
  }
  const ignore = () => {}
  return {
    ArrowRight: thenRefocus(() => keyboardMove.carry(1)),
    ArrowLeft: thenRefocus(() => keyboardMove.carry(-1)),
    ArrowDown: ignore,
    ArrowUp: ignore,
    Tab: ignore,
    ' ': thenRefocus(keyboardMove.drop),
    Enter: thenRefocus(keyboardMove.drop),
    Escape: thenRefocus(keyboardMove.cancel),
  }
}

/** Returns the id of the deal on whose card an event happened; undefined outside of cards. */
const findDealId = (target: EventTarget | null): string | undefined =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-deal]')?.dataset['deal'] ?? undefined) : undefined

function useCardActions() {
  const navigate = useNavigate()
  const deleteDeals = useDeleteRecords(dealKind)
  const keepParameters = (parameters: Record<string, unknown>) => parameters
  return {
    open: (id: string) => void navigate({ to: '/crm/deals/$id', params: { id }, search: keepParameters }),
    edit: ({ id }: DealRow) => void navigate({ to: '/crm/deals/$id/edit', params: { id }, search: keepParameters }),
    remove: ({ id }: DealRow) => deleteDeals.mutate({ ids: [id] }),
  }
}
