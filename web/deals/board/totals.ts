import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { dealRoutes, type DealRow, type StageTotal } from '#contract/deals.ts'
import type { Stage } from '#contract/stages.ts'
import { call } from '#web/lib/client.ts'
import { toApiQuery } from '#web/records/address/listSearch.ts'
import { readBetweenMoves, getStageInResponse, type Moves } from '../kind/moves.ts'
import { dealsTable } from '../kind/queries.ts'
import { getProbability } from '../kind/stages.ts'
import type { BoardQuery } from './columns.ts'

type Totals = { stages: readonly StageTotal[]; lastMove: number }

/** The number and sums of each column, unsaved moves included; undefined until they are loaded. */
export function useTotals(query: BoardQuery, moves: Moves) {
  const found = useQuery(totalsQuery(query))
  const totals = useMemo(() => found.data && addMoves(found.data, moves), [found.data, moves])
  return { totals, found }
}

const totalsQuery = ({ search, filter }: BoardQuery) =>
  queryOptions({
    queryKey: [dealsTable, 'totals', { search, filter }],
    meta: { tables: [dealsTable] },
    queryFn: ({ signal }) => readBetweenMoves(() => call(dealRoutes.totals, { query: toApiQuery({ search, filter }) }, { signal })),
    placeholderData: keepPreviousData,
  })

function addMoves({ stages, lastMove }: Totals, moves: Moves): readonly StageTotal[] {
  return stages.map((total) => {
    const changed = { ...total }
    for (const move of moves.values()) {
      const from = getStageInResponse(lastMove, move)
      if (from === move.stage) continue
      if (from === total.stage) addDeal(changed, move.deal, from, -1)
      if (move.stage === total.stage) addDeal(changed, move.deal, move.stage, 1)
    }
    return changed
  })
}

function addDeal(total: StageTotal, deal: DealRow, stage: Stage, sign: 1 | -1): void {
  const value = deal.value ?? 0
  total.count += sign
  total.value += sign * value
  total.forecast += (sign * value * getProbability({ ...deal, stage })) / 100
}
