import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '@mantine/core'
import type { DealRow, StageTotal } from '#contract/deals.ts'
import type { Stage } from '#contract/stages.ts'
import { formatNumber, formatCount, formatMoney } from '#web/lib/format.ts'
import { describeError } from '#web/lib/toasts.ts'
import type { PagedList } from '#web/records/list/useRecordList.ts'
import { getStageColour, stageLabels } from '../kind/stages.ts'
import classes from './board.module.css'
import { SkeletonCards } from './BoardSkeleton.tsx'
import { Card } from './Card.tsx'

type BoardColumnProps = {
  stage: Stage
  list: PagedList<DealRow>
  cards: readonly DealRow[]
  total: StageTotal | undefined
  /** The id of the deal of the keyboard cursor, if the cursor is in this column. */
  cursorId: string | undefined
  /** The card of the cursor is focused when this number increases. It is the same in all columns. */
  focusRequestCount: number
  /** The id of the deal in the open panel. */
  openedId: string | undefined
  /** The id of the deal that is moved by keyboard, if it is over this column. */
  liftedId: string | undefined
  /** The id of the deal that is moved by mouse or touch. */
  draggedId: string | undefined
  /** True while a card is dragged over the column. */
  isDropTarget: boolean
}

/** The estimated height of a card, until the card is measured. */
const estimatedCardHeightPx = 86
const gapPx = 8
/** The next page is requested when fewer loaded cards than this are below the visible cards. */
const minCardsBelow = 20

/** The column of a stage, with the number of its deals, the sum of their values, and their cards. */
export function BoardColumn({ stage, total, isDropTarget, ...cardsProps }: BoardColumnProps) {
  const label = stageLabels[stage]
  return (
    <section
      className={classes['column']}
      data-stage={stage}
      data-over={isDropTarget || undefined}
      aria-label={total ? `${label}, ${formatCount(total.count, 'deal')}` : label}
    >
      <header className={classes['head']} style={{ borderTopColor: getStageColour(stage) }}>
        <h2>{label}</h2>
        {total ? (
          <>
            <span className={classes['count']}>{formatNumber(total.count)}</span>
            <span className={classes['sum']} title={formatMoney(total.value)}>
              {formatMoney(total.value)}
            </span>
          </>
        ) : (
          <span className={classes['sum']}>
            <span className={classes['bar']} />
          </span>
        )}
      </header>
      <Cards stage={stage} {...cardsProps} />
    </section>
  )
}

/** The scrollable list of cards. Only the cards near the visible part are in the document. */
function Cards({
  stage,
  list,
  cards,
  cursorId,
  focusRequestCount,
  openedId,
  liftedId,
  draggedId,
}: Omit<BoardColumnProps, 'total' | 'isDropTarget'>) {
  const [scrollBox, setScrollBox] = useState<HTMLDivElement | null>(null)
  const cursorIndex = cursorId ? cards.findIndex(({ id }) => id === cursorId) : -1
  // oxlint-disable-next-line react/incompatible-library -- a rule of the React Compiler, which is not in use
  const virtualizer = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scrollBox,
    getItemKey: (index) => cards[index]?.id ?? index,
    estimateSize: () => estimatedCardHeightPx,
    gap: gapPx,
    overscan: 4,
    useFlushSync: false,
    rangeExtractor: (range) => includeCursor(defaultRangeExtractor(range), cursorIndex),
  })
  const scrollToIndex = (index: number): void => virtualizer.scrollToIndex(index)
  useFocusedCard(scrollBox, cursorId, cursorIndex, focusRequestCount, scrollToIndex)
  const openedIndex = openedId ? cards.findIndex(({ id }) => id === openedId) : -1
  useScrollToOpened(scrollBox, openedId, openedIndex, scrollToIndex)
  useLoadMore(list, cards.length, virtualizer.range?.endIndex ?? 0)
  useVisibleCards(list, cards, virtualizer.range?.startIndex, virtualizer.range?.endIndex)
  const virtualCards = virtualizer.getVirtualItems()
  return (
    <div className={classes['cards']} ref={setScrollBox}>
      {list.isLoading && cards.length === 0 && <SkeletonCards heights={[86, 104, 86]} />}
      {list.failure && <ColumnError list={list} />}
      {cards.length > 0 && (
        <ol className={classes['list']} style={{ height: virtualizer.getTotalSize() }}>
          {virtualCards.map(({ index, key, start }) => {
            const deal = cards[index]
            return (
              deal && (
                <li
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  style={{ translate: `0 ${start}px` }}
                  aria-posinset={index + 1}
                  aria-setsize={cards.length}
                >
                  <Card
                    deal={deal}
                    isCurrent={cursorId === deal.id}
                    isOpened={openedId === deal.id}
                    isLifted={liftedId === deal.id}
                    isDragged={draggedId === deal.id}
                  />
                </li>
              )
            )
          })}
        </ol>
      )}
      {list.nextPageError && <ColumnError list={list} />}
      <Link
        to="/crm/deals/new"
        search={(search) => ({ ...search, stage })}
        className={classes['add']}
        aria-label={`Add deal in ${stageLabels[stage]}`}
      >
        <IconPlus size={16} stroke={1.75} aria-hidden />
        Add deal
      </Link>
    </div>
  )
}

const ColumnError = ({ list }: { list: PagedList<DealRow> }) => (
  <p className={classes['failed']} role="alert">
    {describeError(list.failure ?? list.nextPageError)}
    <Button variant="default" onClick={list.retry} loading={list.isRetrying}>
      Try again
    </Button>
  </p>
)

/** Keeps the card of the cursor in the document when it is scrolled out of view, because the card may have the focus. */
const includeCursor = (indexes: number[], cursor: number) =>
  cursor < 0 || indexes.includes(cursor) ? indexes : [...indexes, cursor].toSorted((one, other) => one - other)

/**
 * Scrolls to the card of the cursor and focuses it when `focusRequestCount` increases. `index` is the position of the card. A cursor that
 * changes without a request takes no focus, because the user may be typing elsewhere.
 */
function useFocusedCard(
  scrollBox: HTMLElement | null,
  cursorId: string | undefined,
  index: number,
  focusRequestCount: number,
  scrollToIndex: (index: number) => void,
): void {
  const focus = useEffectEvent(() => {
    if (!cursorId || index < 0) return
    scrollToIndex(index)
    const card = scrollBox?.querySelector<HTMLElement>(`[data-deal="${cursorId}"]`)
    card?.focus({ preventScroll: true })
    card?.closest('section')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  useEffect(() => {
    if (focusRequestCount > 0) focus()
  }, [focusRequestCount])
}

/** Scrolls to the card whose panel is open. `index` is the position of the card, or -1 when the card is not in this column. */
function useScrollToOpened(
  scrollBox: HTMLElement | null,
  openedId: string | undefined,
  index: number,
  scrollToIndex: (index: number) => void,
): void {
  const scroll = useEffectEvent(() => {
    scrollToIndex(index)
    scrollBox?.closest('section')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  const idInColumn = index >= 0 ? openedId : undefined
  useEffect(() => {
    if (idInColumn && scrollBox) scroll()
  }, [idInColumn, scrollBox])
}

/** Loads the next page when the end of the loaded cards is near. */
function useLoadMore({ loadNextPage }: PagedList<DealRow>, length: number, lastVisible: number): void {
  const isEndNear = lastVisible >= length - minCardsBelow
  const loadMore = useEffectEvent(loadNextPage)
  useEffect(() => {
    if (isEndNear && length > 0) loadMore()
  }, [isEndNear, length])
}

/** Tells the paged list of the column which cards are visible. */
function useVisibleCards(
  { setVisibleRows }: PagedList<DealRow>,
  cards: readonly DealRow[],
  first: number | undefined,
  last: number | undefined,
): void {
  const report = useEffectEvent(setVisibleRows)
  useEffect(() => {
    if (first !== undefined && last !== undefined && cards.length > 0) report(first, last)
  }, [cards, first, last])
}
