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

type BoardProps = { columns: Columns; cards: Cards; totals: readonly StageTotal[] | undefined; lift: KeyboardMove }

const keyInstructions =
  'Enter opens the deal. Arrow keys go to other deals. Space lifts the deal: then left and right arrows carry it to another stage, Space drops it and Escape puts it back.'

/** The columns of the board. A card is moved by mouse, by touch after a short hold, or by keyboard. */
export function Board({ columns, cards, totals, lift }: BoardProps) {
  const cursor = useBoardCursor(cards)
  const { dragged, over, setBoard, setDragImage } = useDragging(cards, lift)
  const actions = useCardActions()
  const { id: opened } = useParams({ strict: false })
  const current = cursor.deal
  useActions([
    ...(opened
      ? [] // the panel uses these keys
      : [
          { keys: 'j', label: 'Next deal', run: () => cursor.step(1) },
          { keys: 'k', label: 'Previous deal', run: () => cursor.step(-1) },
        ]),
    ...(current && !opened
      ? [
          { keys: 'm', label: 'Move deal to another stage', run: () => lift.lift(current) },
          { keys: 'e', label: 'Edit deal', run: () => actions.edit(current) },
          { keys: 'Delete Backspace #', label: 'Delete deal', run: () => actions.remove(current) },
        ]
      : []),
  ])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !findDealId(event.target)) return
    const act = lift.lifted ? getLiftedCardKeys(lift, cursor)[event.key] : getCardKeys(lift, cursor)[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  const onClick = (event: MouseEvent) => {
    const id = findDealId(event.target)
    if (!id || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (lift.lifted) lift.drop()
    else actions.open(id)
  }
  const { lifted } = lift
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- handles events of the links in it */}
      <div
        className={classes['board']}
        ref={setBoard}
        data-beside={opened !== undefined || undefined}
        data-dragging={dragged !== undefined || undefined}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onFocus={({ target }) => cursor.set(findDealId(target))}
      >
        {stages.map((stage) => (
          <BoardColumn
            key={stage}
            stage={stage}
            list={columns[stage]}
            cards={cards[stage]}
            total={totals?.find((total) => total.stage === stage)}
            cursor={cursor.stage === stage && current ? { id: current.id, moves: cursor.moves } : undefined}
            opened={opened}
            dragged={dragged?.deal.id}
            over={over === stage}
            lifted={lifted?.stage === stage ? lifted.deal.id : undefined}
          />
        ))}
      </div>
      <p id="board-keys" className={classes['unseen']}>
        {keyInstructions}
      </p>
      <output className={classes['unseen']} aria-live="assertive">
        {lift.announcement}
      </output>
      {dragged && <DraggedCard {...dragged} cardRef={setDragImage} />}
    </>
  )
}

type Keys = Record<string, (() => void) | undefined>

const getCardKeys = (lift: KeyboardMove, cursor: BoardCursor): Keys => ({
  ' ': () => cursor.deal && lift.lift(cursor.deal),
  ArrowDown: () => cursor.step(1),
  ArrowUp: () => cursor.step(-1),
  ArrowRight: () => cursor.cross(1),
  ArrowLeft: () => cursor.cross(-1),
  Home: () => cursor.step(-Infinity),
  End: () => cursor.step(Infinity),
})

const getLiftedCardKeys = (lift: KeyboardMove, cursor: BoardCursor): Keys => {
  const carry = (step: 1 | -1) => () => {
    lift.carry(step)
    cursor.refocus()
  }
  const end = (act: () => void) => () => {
    act()
    cursor.refocus()
  }
  const stay = () => {}
  return {
    ArrowRight: carry(1),
    ArrowLeft: carry(-1),
    ArrowDown: stay,
    ArrowUp: stay,
    Tab: stay,
    ' ': end(lift.drop),
    Enter: end(lift.drop),
    Escape: end(lift.cancel),
  }
}

/** The id of the deal on whose card an event happened. */
const findDealId = (target: EventTarget | null): string | undefined =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-deal]')?.dataset['deal'] ?? undefined) : undefined

function useCardActions() {
  const navigate = useNavigate()
  const deleting = useDeleteRecords(dealKind)
  const search = (before: Record<string, unknown>) => before
  return {
    open: (id: string) => void navigate({ to: '/crm/deals/$id', params: { id }, search }),
    edit: ({ id }: DealRow) => void navigate({ to: '/crm/deals/$id/edit', params: { id }, search }),
    remove: ({ id }: DealRow) => deleting.mutate({ ids: [id] }),
  }
}
