import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import type { StageTotal } from '#contract/deals.ts'
import { formatNumber, formatMoney } from '#web/lib/format.ts'
import { useStore } from '#web/lib/store.ts'
import { usePublishVisibleRecords } from '#web/records/panel/visibleRecords.ts'
import { RecordsFrame } from '#web/records/list/RecordsFrame.tsx'
import { useListSettings } from '#web/records/address/listSettings.ts'
import { dealKind } from '../kind/dealKind.tsx'
import { unsavedMoves } from '../kind/moves.ts'
import { isClosed } from '../kind/stages.ts'
import { BoardSkeleton } from './BoardSkeleton.tsx'
import { listCards, useCards, useColumns } from './columns.ts'
import { useKeyboardMove } from './keyboardMove.ts'
import { useTotals } from './totals.ts'

const Board = lazy(() => import('./Board.tsx').then((module) => ({ default: module.Board })))

/** The deals as cards, with a column for each stage. Moving a card to another column changes the stage of its deal. */
export function BoardPage({ actions }: { actions: ReactNode }) {
  const { settings, changeSettings } = useListSettings(dealKind)
  const query = useMemo(
    () => ({ search: settings.search, filter: settings.filter, sort: 'changed', order: 'desc' as const }),
    [settings.search, settings.filter],
  )
  const keyboardMove = useKeyboardMove(useStore(unsavedMoves))
  const columns = useColumns(query)
  const cards = useCards(columns, keyboardMove.visibleMoves)
  const { totals, result } = useTotals(query, keyboardMove.visibleMoves)
  const rows = useMemo(() => listCards(cards), [cards])
  usePublishVisibleRecords(rows)
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const dealCount = totals?.reduce((sum, total) => sum + total.count, 0)
  const list = {
    rows,
    total: dealCount,
    count: totals && dealCount !== undefined ? formatSummary(totals, dealCount, isPhone) : null,
    isEmpty: dealCount === 0 && !result.isPlaceholderData,
    failure: totals ? null : result.error,
    retry: () => void result.refetch(),
    isRetrying: result.isFetching,
  }
  return (
    <RecordsFrame
      kind={dealKind}
      settings={settings}
      changeSettings={changeSettings}
      query={query}
      list={list}
      actions={actions}
      hasFixedOrder
    >
      <Suspense fallback={<BoardSkeleton />}>
        <Board columns={columns} cards={cards} totals={totals} keyboardMove={keyboardMove} />
      </Suspense>
    </RecordsFrame>
  )
}

/** Formats the number of deals and the forecast, the sum of the open deals weighted by probability: "19 · forecast £118,335". */
function formatSummary(totals: readonly StageTotal[], dealCount: number, isPhone: boolean): string {
  const forecast = totals.reduce((sum, total) => sum + (isClosed(total.stage) ? 0 : total.forecast), 0)
  return isPhone ? formatNumber(dealCount) : `${formatNumber(dealCount)} · forecast ${formatMoney(Math.round(forecast))}`
}
