import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { dealRoutes, type DealRow, type StageTotal } from '#contract/deals.ts'
import type { Stage } from '#contract/stages.ts'
import { call } from '#web/lib/client.ts'
import { toApiQuery } from '#web/records/address/listSearch.ts'
import { readBetweenMoves, stageIn, type Moves } from '../kind/moves.ts'
import { dealsTable } from '../kind/queries.ts'
import { probabilityOf } from '../kind/stages.ts'
import type { Looked } from './columns.ts'

type Totals = { stages: readonly StageTotal[]; counted: number }

/** What each column comes to, deals on their way included; undefined while that is not known. */
export function useTotals(looked: Looked, moves: Moves) {
  const found = useQuery(stageTotals(looked))
  const totals = useMemo(() => found.data && withMovesIn(found.data, moves), [found.data, moves])
  return { totals, found }
}

/** What the deals of each stage come to, of those that are looked for. */
const stageTotals = ({ search, filter }: Looked) =>
  queryOptions({
    queryKey: [dealsTable, 'totals', { search, filter }],
    meta: { tables: [dealsTable] },
    queryFn: ({ signal }) => readBetweenMoves(() => call(dealRoutes.totals, { query: toApiQuery({ search, filter }) }, { signal })),
    placeholderData: keepPreviousData,
  })

function withMovesIn({ stages, counted }: Totals, moves: Moves): readonly StageTotal[] {
  return stages.map((total) => {
    const changed = { ...total }
    for (const move of moves.values()) {
      const from = stageIn(counted, move)
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
