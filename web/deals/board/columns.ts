import type { DealRow } from '#contract/deals.ts'
import { stages, type Stage } from '#contract/stages.ts'
import { useMemo } from 'react'
import type { ListQuery } from '#web/records/address/listSearch.ts'
import { usePagedList, type PagedList } from '#web/records/list/useRecordList.ts'
import { dealKind } from '../kind/dealKind.tsx'
import type { Moves } from '../kind/moves.ts'

export type BoardQuery = Pick<ListQuery, 'search' | 'filter'>
export type Columns = Readonly<Record<Stage, PagedList<DealRow>>>

/** The matching deals of each stage, last changed first, in pages. */
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
  const inStage = { search, filter: [...filter, { field: 'stage', is: [stage] }], sort: 'changed', order: 'desc' as const }
  return usePagedList(dealKind, inStage)
}

export type Cards = Readonly<Record<Stage, readonly DealRow[]>>

/** The cards of each column. Deals whose move to a stage is not saved yet are on top of it. */
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

function applyMoves(stage: Stage, rows: readonly DealRow[], moves: Moves): readonly DealRow[] {
  if (moves.size === 0) return rows
  const staying = rows.filter(({ id }) => (moves.get(id)?.stage ?? stage) === stage)
  const stayingIds = new Set(staying.map(({ id }) => id))
  const moved = [...moves.values()].filter((move) => move.stage === stage && !stayingIds.has(move.deal.id))
  return moved.length === 0 && staying.length === rows.length ? rows : [...moved.map(({ deal }) => deal), ...staying]
}

export const listCards = (cards: Cards): readonly DealRow[] => stages.flatMap((stage) => cards[stage])
