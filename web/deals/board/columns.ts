import type { DealRow } from '#contract/deals.ts'
import { stages, type Stage } from '#contract/stages.ts'
import { useMemo } from 'react'
import type { ListQuery } from '#web/records/address/listSettings.ts'
import { usePagedList, type PagedList } from '#web/records/list/useRecordList.ts'
import { dealKind } from '../kind/dealKind.tsx'
import type { Moves } from '../kind/moves.ts'

export type BoardQuery = Pick<ListQuery, 'search' | 'filter'>
export type Columns = Readonly<Record<Stage, PagedList<DealRow>>>

/** Loads the matching deals of each stage, last changed first, in pages. */
export function useColumns(query: BoardQuery): Columns {
  return {
    lead: useColumn('lead', query),
    qualified: useColumn('qualified', query),
    proposal: useColumn('proposal', query),
    negotiation: useColumn('negotiation', query),
    'closed-won': useColumn('closed-won', query),
    'closed-lost': useColumn('closed-lost', query),
  }
}

function useColumn(stage: Stage, { search, filter }: BoardQuery): PagedList<DealRow> {
  const stageFilter = [...filter, { field: 'stage', is: [stage] }]
  return usePagedList(dealKind, { search, filter: stageFilter, sort: 'changed', order: 'desc' })
}

export type Cards = Readonly<Record<Stage, readonly DealRow[]>>

/** Returns the cards of each column. A deal whose move is not saved yet is at the top of its new column. */
export function useCards(columns: Columns, moves: Moves): Cards {
  const { lead, qualified, proposal, negotiation, 'closed-won': won, 'closed-lost': lost } = columns
  return useMemo(
    () => ({
      lead: applyMoves('lead', lead.rows, moves),
      qualified: applyMoves('qualified', qualified.rows, moves),
      proposal: applyMoves('proposal', proposal.rows, moves),
      negotiation: applyMoves('negotiation', negotiation.rows, moves),
      'closed-won': applyMoves('closed-won', won.rows, moves),
      'closed-lost': applyMoves('closed-lost', lost.rows, moves),
    }),
    [lead.rows, qualified.rows, proposal.rows, negotiation.rows, won.rows, lost.rows, moves],
  )
}

/** Returns the deals of a stage after the moves. Returns the same array when the moves do not change it. */
function applyMoves(stage: Stage, rows: readonly DealRow[], moves: Moves): readonly DealRow[] {
  if (moves.size === 0) return rows
  const remainingDeals = rows.filter(({ id }) => (moves.get(id)?.stage ?? stage) === stage)
  const remainingIds = new Set(remainingDeals.map(({ id }) => id))
  const movesToStage = [...moves.values()].filter((move) => move.stage === stage && !remainingIds.has(move.deal.id))
  const isUnchanged = movesToStage.length === 0 && remainingDeals.length === rows.length
  return isUnchanged ? rows : [...movesToStage.map(({ deal }) => deal), ...remainingDeals]
}

/** Lists the cards of all columns, in the order of the stages. */
export const listCards = (cards: Cards): readonly DealRow[] => stages.flatMap((stage) => cards[stage])
