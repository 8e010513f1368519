import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { dealRoutes, type DealRow, type StageTotal } from '#contract/deals.ts'
import type { Stage } from '#contract/stages.ts'
import { call } from '#web/lib/client.ts'
import { toApiQuery } from '#web/records/address/listSettings.ts'
import { readBetweenMoves, getStageInResponse, type Moves } from '../kind/moves.ts'
import { dealsTable } from '../kind/queries.ts'
import { getProbability } from '../kind/stages.ts'
import type { BoardQuery } from './columns.ts'

/** The totals in a response. They include the moves up to the number `lastMove`; moves are numbered in the order in which they are made. */
type Totals = { stages: readonly StageTotal[]; lastMove: number }

/** Loads the number and the sums of the deals in each column. `totals` includes unsaved moves, and is undefined while loading. */
export function useTotals(query: BoardQuery, moves: Moves) {
  const result = useQuery(totalsQuery(query))
  const totals = useMemo(() => result.data && addMoves(result.data, moves), [result.data, moves])
  return { totals, result }
}

const totalsQuery = ({ search, filter }: BoardQuery) =>
  queryOptions({
    queryKey: [dealsTable, 'totals', { search, filter }],
    meta: { tables: [dealsTable] }, // a change in this table refetches the query
    // waits until no move is being saved, and adds `lastMove` to the response
    queryFn: ({ signal }) => readBetweenMoves(() => call(dealRoutes.totals, { query: toApiQuery({ search, filter }) }, { signal })),
    placeholderData: keepPreviousData,
  })

/** Returns the totals after the moves that the response does not include. */
function addMoves({ stages, lastMove }: Totals, moves: Moves): readonly StageTotal[] {
  return stages.map((total) => {
    const newTotal = { ...total }
    for (const move of moves.values()) {
      const oldStage = getStageInResponse(lastMove, move)
      if (oldStage === move.stage) continue
      if (oldStage === total.stage) addDeal(newTotal, move.deal, oldStage, -1)
      if (move.stage === total.stage) addDeal(newTotal, move.deal, move.stage, 1)
    }
    return newTotal
  })
}

/** Adds a deal to the total of a stage, or with the sign -1 subtracts it. */
function addDeal(total: StageTotal, deal: DealRow, stage: Stage, sign: 1 | -1): void {
  const value = deal.value ?? 0
  total.count += sign
  total.value += sign * value
  total.forecast += (sign * value * getProbability({ ...deal, stage })) / 100
}
