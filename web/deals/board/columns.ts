import type { DealRow } from '#contract/deals.ts'
import { stages, type Stage } from '#contract/stages.ts'
import { useMemo } from 'react'
import type { ListQuery } from '#web/records/address/listSearch.ts'
import { usePagedList, type PagedList } from '#web/records/list/useRecordList.ts'
import { dealKind } from '../kind/dealKind.tsx'
import type { Moves } from '../kind/moves.ts'

export type Looked = Pick<ListQuery, 'search' | 'filter'>
export type Columns = Readonly<Record<Stage, PagedList<DealRow>>>

/** The deals of every stage that are looked for, page after page, the one changed last on top. */
export function useColumns(looked: Looked): Columns {
  return {
    lead: useColumn('lead', looked),
    qualified: useColumn('qualified', looked),
    proposal: useColumn('proposal', looked),
    negotiation: useColumn('negotiation', looked),
    'closed-won': useColumn('closed-won', looked),
    'closed-lost': useColumn('closed-lost', looked),
  }
}

function useColumn(stage: Stage, { search, filter }: Looked): PagedList<DealRow> {
  const inStage = { search, filter: [...filter, { field: 'stage', is: [stage] }], sort: 'changed', order: 'desc' as const }
  return usePagedList(dealKind, inStage)
}

export type Cards = Readonly<Record<Stage, readonly DealRow[]>>

/** The cards of every column; deals on their way to a stage stand on top of it already. */
export function useCards(columns: Columns, moves: Moves): Cards {
  const { lead, qualified, proposal, negotiation, 'closed-won': won, 'closed-lost': lost } = columns
  return useMemo(
    () => ({
      lead: withMoves('lead', lead.rows, moves),
      qualified: withMoves('qualified', qualified.rows, moves),
      proposal: withMoves('proposal', proposal.rows, moves),
      negotiation: withMoves('negotiation', negotiation.rows, moves),
      'closed-won': withMoves('closed-won', won.rows, moves),
      'closed-lost': withMoves('closed-lost', lost.rows, moves),
    }),
    [lead.rows, qualified.rows, proposal.rows, negotiation.rows, won.rows, lost.rows, moves],
  )
}

function withMoves(stage: Stage, rows: readonly DealRow[], moves: Moves): readonly DealRow[] {
  if (moves.size === 0) return rows
  const stay = rows.filter(({ id }) => (moves.get(id)?.stage ?? stage) === stage)
  const there = new Set(stay.map(({ id }) => id))
  const come = [...moves.values()].filter((move) => move.stage === stage && !there.has(move.deal.id))
  return come.length === 0 && stay.length === rows.length ? rows : [...come.map(({ deal }) => deal), ...stay]
}

/** All cards one after the other, column by column. */
export const inOrder = (cards: Cards): readonly DealRow[] => stages.flatMap((stage) => cards[stage])
