import { dealRoutes, type Deal, type DealRow } from '#contract/deals.ts'
import type { Stage } from '#contract/stages.ts'
import { callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { createStore } from '#web/lib/store.ts'
import { toastError } from '#web/lib/toasts.ts'
import { announceSaved } from '#web/records/form/recordForm.ts'
import { dealsTable } from './queries.ts'
import { stageLabels } from './stages.ts'

/**
 * A move of a deal to another stage, which is not saved yet. `number` counts all moves in the order in which they are made. `previous` is
 * an earlier move of the same deal that was not saved when this move was made.
 */
export type Move = { deal: DealRow; stage: Stage; number: number; previous?: Move | undefined }
export type Moves = ReadonlyMap<string, Move>
/** The result of a save; undefined after a failure. */
type SaveResult = { response: Deal; changeId: string | undefined } | undefined

/** The last unsaved move of each deal, by the id of the deal. Every screen shows the new stage at once. */
export const unsavedMoves = createStore<Moves>(new Map())

/** The last save of each moved deal, by the id of the deal. */
const saves = new Map<string, Promise<SaveResult>>()
let lastNumber = 0

/**
 * Moves a deal to another stage and shows the deal in that stage at once. A failure moves it back, shows a toast and calls `onFailure` with
 * a sentence for screen readers.
 */
export function moveDeal(deal: DealRow, stage: Stage, onFailure?: (sentence: string) => void): void {
  lastNumber += 1
  const move: Move = { deal, stage, number: lastNumber, previous: unsavedMoves.get().get(deal.id) }
  unsavedMoves.set(new Map(unsavedMoves.get()).set(deal.id, move))
  const save = saveMove(move, saves.get(deal.id))
  saves.set(deal.id, save)
  void save.then((result) => showResult(move, result, onFailure)).then(() => removeMove(move))
}

/**
 * Calls `read` when no move is being saved, and again if a move was made while `read` was running. So the result includes exactly the moves
 * up to the number `lastMove`.
 */
export async function readBetweenMoves<Result>(read: () => Promise<Result>): Promise<Result & { lastMove: number }> {
  const lastMove = lastNumber
  await Promise.all(saves.values())
  const result = await read()
  return lastMove === lastNumber ? { ...result, lastMove } : readBetweenMoves(read)
}

/** Returns the stage that a moved deal has in a response which includes the moves up to the number `lastMove`. */
export function getStageInResponse(lastMove: number, { number, stage, previous, deal }: Move): Stage {
  if (number <= lastMove) return stage
  return previous ? getStageInResponse(lastMove, previous) : deal.stage
}

/** Saves a move after the previous save of the same deal has finished. */
async function saveMove({ deal: { id, title }, stage }: Move, previousSave: Promise<SaveResult> | undefined): Promise<SaveResult> {
  await previousSave
  try {
    return await callForChange(dealRoutes.update, { params: { id }, body: { stage } })
  } catch (error) {
    toastError(error, `“${title}” was not moved`)
    return undefined
  }
}

async function showResult({ deal, stage }: Move, result: SaveResult, onFailure?: (sentence: string) => void): Promise<void> {
  if (!result) {
    onFailure?.(`“${deal.title}” was not moved to ${stageLabels[stage]}. It stays where it was.`)
    return void refreshTables([dealsTable])
  }
  const message = `Moved to ${stageLabels[stage]}: “${deal.title}”`
  return announceSaved(result.response, { singular: 'deal', table: dealsTable, outcome: 'updated', changeId: result.changeId, message })
}

/** Removes a move, after its save has succeeded or failed, unless the deal was moved again meanwhile. */
function removeMove(move: Move): void {
  const { id } = move.deal
  if (unsavedMoves.get().get(id) !== move) return
  saves.delete(id)
  const others = new Map(unsavedMoves.get())
  others.delete(id)
  unsavedMoves.set(others)
}
