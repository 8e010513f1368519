import { sql, type Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { lowestId } from '#server/platform/database/uuid.ts'
import { lockHistory } from './lock.ts'

const changesPerStep = 200
const stepTimeoutMs = 10 * 60_000

/**
 * Returns an id that is higher than the ids of all changes made before this call. Changes made up to 1.5 ms after it may also have lower
 * ids. Must be called inside `read` or `transaction`.
 */
export async function readIdAboveEarlierChanges(): Promise<string> {
  // `app.uuid_floor` rounds to a millisecond and returns its smallest id; with 1 ms added, it is above all ids of the current millisecond
  const [row] = await sql<{ id: string }>(`select app.uuid_floor(clock_timestamp() + interval '1 ms') as id`)
  return row?.id ?? lowestId
}

/**
 * Erases the owner's changes with ids below `until` for good, in one transaction for every 200 changes, so that other writes wait only
 * briefly. The erased changes cannot be undone, and the records that they deleted are no longer in the trash. May be repeated. Rejects when
 * the signal aborts.
 */
export async function eraseHistory(database: Database, caller: Caller, until: string, signal: AbortSignal): Promise<void> {
  const eraser: Caller = { ...caller, timeoutMs: stepTimeoutMs, freesSpace: true }
  const eraseNext = async (last: string): Promise<string | undefined> => {
    // the statements of a batch run in this order, so the lock is taken first
    const [, [step]] = await Promise.all([
      lockHistory(),
      sql<{ last: string | null }>('select app.erase_history($1, $2, $3) as last', [until, last, changesPerStep]),
    ])
    return step?.last ?? undefined
  }
  let last: string | undefined = lowestId
  while (last !== undefined) {
    signal.throwIfAborted()
    const position: string = last // TypeScript requires the type, because `last` is assigned in the same loop
    last = await database.transaction(eraser, '', () => eraseNext(position))
  }
  await database.transaction(eraser, 'Erased the history for good', () => sql('select app.finish_erasing_history($1)', [until]))
}
