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
  /** The card of the keyboard cursor; it is focused when `moves` changes. */
  cursor: { id: string; moves: number } | undefined
  opened: string | undefined
  lifted: string | undefined
  dragged: string | undefined
  /** A card is dragged over the column. */
  over: boolean
}

const cardHeight = 86
const gap = 8
/** The next page is requested when so few loaded cards are left below. */
const minCardsBelow = 20

/** A stage: its number of deals, the sum of their values, and its cards. */
export function BoardColumn({ stage, total, over, ...cards }: BoardColumnProps) {
  const label = stageLabels[stage]
  return (
    <section
      className={classes['column']}
      data-stage={stage}
      data-over={over || undefined}
      aria-label={total ? `${label}, ${formatCount(total.count, 'deal')}` : label}
    >
      <header className={classes['head']} style={{ borderTopColor: getStageColour(stage) }}>
        <h2>{label}</h2>
        {total ? (
          <>
            <span className={classes['count']}>{formatNumber(total.count)}</span>
            <span className={classes['sum']} title={formatMoney(total.value)}>
              {formatMoney(Math.round(total.value))}
            </span>
          </>
        ) : (
          <span className={classes['sum']}>
            <span className={classes['bar']} />
          </span>
        )}
      </header>
      <Cards stage={stage} {...cards} />
    </section>
  )
}

function Cards({ stage, list, cards, cursor, opened, lifted, dragged }: Omit<BoardColumnProps, 'total' | 'over'>) {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const cursorIndex = cursor ? cards.findIndex(({ id }) => id === cursor.id) : -1
  // oxlint-disable-next-line react/incompatible-library -- a rule of the React Compiler, which is not in use
  const virtualizer = useVirtualizer({
    count: cards.length,
    getScrollElement: () => box,
    getItemKey: (index) => cards[index]?.id ?? index,
    estimateSize: () => cardHeight,
    gap,
    overscan: 4,
    useFlushSync: false,
    rangeExtractor: (range) => includeCursor(defaultRangeExtractor(range), cursorIndex),
  })
  useFocusedCard(box, cursor, cursorIndex, (index) => virtualizer.scrollToIndex(index))
  useScrollToOpened(box, opened, opened ? cards.findIndex(({ id }) => id === opened) : -1, (index) => virtualizer.scrollToIndex(index))
  useLoadMore(list, cards.length, virtualizer.range?.endIndex ?? 0)
  useVisibleCards(list, cards, virtualizer.range?.startIndex, virtualizer.range?.endIndex)
  const virtualCards = virtualizer.getVirtualItems()
  return (
    <div className={classes['cards']} ref={setBox}>
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
                    current={cursor?.id === deal.id}
                    opened={opened === deal.id}
                    lifted={lifted === deal.id}
                    dragged={dragged === deal.id}
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
        search={(before) => ({ ...before, stage })}
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

const includeCursor = (indexes: number[], cursor: number) =>
  cursor < 0 || indexes.includes(cursor) ? indexes : [...indexes, cursor].toSorted((one, other) => one - other)

function useFocusedCard(box: HTMLElement | null, cursor: BoardColumnProps['cursor'], index: number, show: (index: number) => void): void {
  const focus = useEffectEvent(() => {
    if (!cursor || index < 0) return
    show(index)
    const card = box?.querySelector<HTMLElement>(`[data-deal="${cursor.id}"]`)
    card?.focus({ preventScroll: true })
    card?.closest('section')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  const moved = cursor && cursor.moves > 0 && index >= 0 ? `${cursor.id} ${cursor.moves}` : ''
  useEffect(() => {
    if (moved) focus()
  }, [moved])
}

/** Scrolls to the card whose panel is open. */
function useScrollToOpened(box: HTMLElement | null, opened: string | undefined, index: number, show: (index: number) => void): void {
  const scroll = useEffectEvent(() => {
    show(index)
    box?.closest('section')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  const shownHere = index >= 0 ? opened : undefined
  useEffect(() => {
    if (shownHere && box) scroll()
  }, [shownHere, box])
}

function useLoadMore({ loadNextPage }: PagedList<DealRow>, length: number, lastVisible: number): void {
  const isNear = lastVisible >= length - minCardsBelow
  const loadMore = useEffectEvent(loadNextPage)
  useEffect(() => {
    if (isNear && length > 0) loadMore()
  }, [isNear, length])
}

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
