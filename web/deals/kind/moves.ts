import { dealRoutes, type Deal, type DealRow } from '#contract/deals.ts'
import type { Stage } from '#contract/stages.ts'
import { callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { createStore } from '#web/lib/store.ts'
import { toastError } from '#web/lib/toasts.ts'
import { announceSaved } from '#web/records/form/recordForm.ts'
import { dealsTable } from './queries.ts'
import { stageLabels } from './stages.ts'

/** A deal on its way to a stage. Moves are numbered as they are made; `before` is the move it was still on. */
export type Move = { deal: DealRow; stage: Stage; number: number; before?: Move | undefined }
export type Moves = ReadonlyMap<string, Move>
type Saved = { answer: Deal; change: string | undefined } | undefined

/** The deals that are on their way to another stage, by id: screens show them there already. */
export const moves = createStore<Moves>(new Map())

/** What the server answers of each deal that is moved; undefined where it refuses. */
const answers = new Map<string, Promise<Saved>>()
let made = 0

/**
 * Moves a deal to another stage, at once on the screen. When the server refuses it goes back, a toast says why, and `onRefused` is called
 * with words for those who were told that it moved.
 */
export function moveDeal(deal: DealRow, stage: Stage, onRefused?: (words: string) => void): void {
  made += 1
  const move: Move = { deal, stage, number: made, before: moves.get().get(deal.id) }
  moves.set(new Map(moves.get()).set(deal.id, move))
  const answer = send(move, answers.get(deal.id))
  answers.set(deal.id, answer)
  void answer.then((saved) => announce(move, saved, onRefused)).then(() => settle(move))
}

/** Reads while no move is under way, so that it is sure which ones are in what is read: those numbered up to `counted`. */
export async function readBetweenMoves<Found>(read: () => Promise<Found>): Promise<Found & { counted: number }> {
  const counted = made
  await Promise.all(answers.values())
  const found = await read()
  return counted === made ? { ...found, counted } : readBetweenMoves(read)
}

/** The stage of a moved deal in what was read when moves up to `counted` were made. */
export function stageIn(counted: number, { number, stage, before, deal }: Move): Stage {
  if (number <= counted) return stage
  return before ? stageIn(counted, before) : deal.stage
}

/** One after the other for each deal. */
async function send({ deal: { id, title }, stage }: Move, before: Promise<Saved> | undefined): Promise<Saved> {
  await before
  try {
    return await callForChange(dealRoutes.update, { params: { id }, body: { stage } })
  } catch (error) {
    toastError(error, `“${title}” was not moved`)
    return undefined
  }
}

async function announce({ deal, stage }: Move, saved: Saved, onRefused?: (words: string) => void): Promise<void> {
  if (!saved) {
    onRefused?.(`“${deal.title}” was not moved to ${stageLabels[stage]}. It stays where it was.`)
    return void refreshTables([dealsTable])
  }
  const message = `Moved to ${stageLabels[stage]}: “${deal.title}”`
  return announceSaved(saved.answer, { singular: 'deal', table: dealsTable, how: 'updated', change: saved.change, message })
}

/** A deal that was moved once more meanwhile stays on its way. */
function settle(move: Move): void {
  const { id } = move.deal
  if (moves.get().get(id) !== move) return
  answers.delete(id)
  const others = new Map(moves.get())
  others.delete(id)
  moves.set(others)
}
