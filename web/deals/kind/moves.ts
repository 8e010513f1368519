import { dealRoutes, type Deal, type DealRow } from '#contract/deals.ts'
import type { Stage } from '#contract/stages.ts'
import { callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { createStore } from '#web/lib/store.ts'
import { toastError } from '#web/lib/toasts.ts'
import { announceSaved } from '#web/records/form/recordForm.ts'
import { dealsTable } from './queries.ts'
import { stageLabels } from './stages.ts'

/** A move that is not saved yet. Moves are numbered in their order; `before` is the previous unsaved move of the same deal. */
export type Move = { deal: DealRow; stage: Stage; number: number; previous?: Move | undefined }
export type Moves = ReadonlyMap<string, Move>
type SaveResult = { response: Deal; change: string | undefined } | undefined

/** The unsaved moves by deal. Every screen shows the new stage at once. */
export const unsavedMoves = createStore<Moves>(new Map())

/** The last answer for each moved deal; undefined after a failure. */
const requests = new Map<string, Promise<SaveResult>>()
let lastNumber = 0

/**
 * Moves a deal to another stage and shows it there at once. A failure moves it back, shows a toast and calls `onRefused` with a sentence
 * for screen readers.
 */
export function moveDeal(deal: DealRow, stage: Stage, onRefused?: (sentence: string) => void): void {
  lastNumber += 1
  const move: Move = { deal, stage, number: lastNumber, previous: unsavedMoves.get().get(deal.id) }
  unsavedMoves.set(new Map(unsavedMoves.get()).set(deal.id, move))
  const response = saveMove(move, requests.get(deal.id))
  requests.set(deal.id, response)
  void response.then((saved) => showResult(move, saved, onRefused)).then(() => removeMove(move))
}

/** Reads while no move is being saved. The answer contains exactly the moves numbered up to `lastMove`. */
export async function readBetweenMoves<Result>(read: () => Promise<Result>): Promise<Result & { lastMove: number }> {
  const lastMove = lastNumber
  await Promise.all(requests.values())
  const found = await read()
  return lastMove === lastNumber ? { ...found, lastMove } : readBetweenMoves(read)
}

/** The stage of a moved deal in an answer that contains the moves up to `lastMove`. */
export function getStageInResponse(lastMove: number, { number, stage, previous: before, deal }: Move): Stage {
  if (number <= lastMove) return stage
  return before ? getStageInResponse(lastMove, before) : deal.stage
}

/** Waits for the previous move of the same deal. */
async function saveMove({ deal: { id, title }, stage }: Move, previous: Promise<SaveResult> | undefined): Promise<SaveResult> {
  await previous
  try {
    return await callForChange(dealRoutes.update, { params: { id }, body: { stage } })
  } catch (error) {
    toastError(error, `“${title}” was not moved`)
    return undefined
  }
}

async function showResult({ deal, stage }: Move, saved: SaveResult, onRefused?: (sentence: string) => void): Promise<void> {
  if (!saved) {
    onRefused?.(`“${deal.title}” was not moved to ${stageLabels[stage]}. It stays where it was.`)
    return void refreshTables([dealsTable])
  }
  const message = `Moved to ${stageLabels[stage]}: “${deal.title}”`
  return announceSaved(saved.response, { singular: 'deal', table: dealsTable, outcome: 'updated', change: saved.change, message })
}

/** Forgets a saved move, unless the deal was moved again meanwhile. */
function removeMove(move: Move): void {
  const { id } = move.deal
  if (unsavedMoves.get().get(id) !== move) return
  requests.delete(id)
  const others = new Map(unsavedMoves.get())
  others.delete(id)
  unsavedMoves.set(others)
}
