import { dealRoutes, type DealRow, type Stage } from '#contract/deals.ts'
import { callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { createStore } from '#web/lib/store.ts'
import { toastError } from '#web/lib/toasts.ts'
import { announceSaved } from '#web/records/saving.ts'
import { dealsTable } from './queries.ts'

type Move = { deal: DealRow; stage: Stage }
export type Moves = ReadonlyMap<string, Move>

/** The deals that are on their way to another stage, by id: screens show them there already. */
export const moves = createStore<Moves>(new Map())

/** What the server does with one deal, in the order in which it was asked for. */
const underWay = new Map<string, Promise<void>>()

/** Moves a deal to another stage, at once on the screen. When the server refuses it goes back, and a toast says why. */
export function moveDeal(deal: DealRow, stage: Stage): void {
  const move = { deal, stage }
  moves.set(new Map(moves.get()).set(deal.id, move))
  const sent = (underWay.get(deal.id) ?? Promise.resolve()).then(() => send(move))
  underWay.set(deal.id, sent)
  void sent.then(() => settle(move))
}

async function send({ deal: { id }, stage }: Move): Promise<void> {
  try {
    const { answer, change } = await callForChange(dealRoutes.update, { params: { id }, body: { stage } })
    await announceSaved(answer, { noun: 'deal', table: dealsTable, how: 'updated', change })
  } catch (error) {
    toastError(error)
    void refreshTables([dealsTable])
  }
}

/** A deal that was moved once more meanwhile stays on its way. */
function settle(move: Move): void {
  const { id } = move.deal
  if (moves.get().get(id) !== move) return
  underWay.delete(id)
  const others = new Map(moves.get())
  others.delete(id)
  moves.set(others)
}
