import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { dealRoutes, type DealRow, type StageTotal } from '#contract/deals.ts'
import type { Stage } from '#contract/stages.ts'
import { call } from '#web/lib/client.ts'
import { toApiQuery } from '#web/records/address/listSearch.ts'
import { readBetweenMoves, stageIn, type Moves } from '../kind/moves.ts'
import { dealsTable } from '../kind/queries.ts'
import { probabilityOf } from '../kind/stages.ts'
import type { BoardQuery } from './columns.ts'

type Totals = { stages: readonly StageTotal[]; lastMove: number }

/** The number and sums of each column, unsaved moves included; undefined until they are loaded. */
export function useTotals(query: BoardQuery, moves: Moves) {
  const found = useQuery(stageTotals(query))
  const totals = useMemo(() => found.data && withMovesIn(found.data, moves), [found.data, moves])
  return { totals, found }
}

const stageTotals = ({ search, filter }: BoardQuery) =>
  queryOptions({
    queryKey: [dealsTable, 'totals', { search, filter }],
    meta: { tables: [dealsTable] },
    queryFn: ({ signal }) => readBetweenMoves(() => call(dealRoutes.totals, { query: toApiQuery({ search, filter }) }, { signal })),
    placeholderData: keepPreviousData,
  })

function withMovesIn({ stages, lastMove }: Totals, moves: Moves): readonly StageTotal[] {
  return stages.map((total) => {
    const changed = { ...total }
    for (const move of moves.values()) {
      const from = stageIn(lastMove, move)
      if (from === move.stage) continue
      if (from === total.stage) add(changed, move.deal, from, -1)
      if (move.stage === total.stage) add(changed, move.deal, move.stage, 1)
    }
    return changed
  })
}

function add(total: StageTotal, deal: DealRow, stage: Stage, sign: 1 | -1): void {
  const value = deal.value ?? 0
  total.count += sign
  total.value += sign * value
  total.forecast += (sign * value * probabilityOf({ ...deal, stage })) / 100
}
