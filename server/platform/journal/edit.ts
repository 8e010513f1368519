import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { conflictOf } from './conflict.ts'
import { changedSince } from './history.ts'

type Edit<Row> = {
  database: Database
  caller: Caller
  table: string
  id: string
  /** The version that the editor saw; without one the edit overwrites. */
  version: number | undefined
  /** New values by column. */
  fields: Record<string, unknown>
  /** Reads the current row. Throws `not_found` when it is gone. */
  read: () => Promise<Row>
  /** Writes in a transaction of its own if the row still has the version `base`; returns undefined when it has not, or is gone. */
  update: (base: number | undefined) => Promise<Row | undefined>
}

/**
 * Edits a row that others may edit at the same time; one write when nobody did. Changes of different fields since `version` merge
 * silently; a field that was changed on both sides throws `conflict`.
 */
export async function editRow<Row extends { version: number }>(edit: Edit<Row>): Promise<Row> {
  const { version, update } = edit
  let edited = await update(version)
  while (!edited) {
    const current = await refusingConflict(edit)
    edited = await update(version === undefined ? undefined : current.version)
  }
  return edited
}

/** Returns the current row. Throws `conflict`. */
async function refusingConflict<Row extends { version: number }>({
  database,
  caller,
  table,
  id,
  version,
  fields,
  read,
}: Edit<Row>): Promise<Row> {
  // the row is read first: an edit between the two reads is then found by the write
  const [current, changes] = await database.read(caller, () =>
    Promise.all([read(), version === undefined ? [] : changedSince(caller.owner, table, id, version)]),
  )
  const conflict = conflictOf(fields, current, changes)
  if (conflict) throw new Refusal('conflict', { conflict })
  return current
}
