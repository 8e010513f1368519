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
  /** The version that the editor saw; without one the edit wins. */
  version: number | undefined
  /** What the edit wants, by column. */
  fields: Record<string, unknown>
  /** The row as it stands. Throws `not_found` when it is gone. */
  read: () => Promise<Row>
  /** Writes on top of `base`, as a change set of its own; answers nothing when the row has moved on, or is gone. */
  update: (base: number | undefined) => Promise<Row | undefined>
}

/**
 * Edits a row for which several hands may reach at once: one write when nobody else has. Fields that others changed since `version` and
 * this edit leaves alone merge silently, however often the row moves meanwhile; the same field changed on both sides throws `conflict`.
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

/** Answers the row to write on top of. */
async function refusingConflict<Row extends { version: number }>({
  database,
  caller,
  table,
  id,
  version,
  fields,
  read,
}: Edit<Row>): Promise<Row> {
  // the row first: what moves between the two looks is then found by the write
  const [current, changes] = await database.read(caller, () =>
    Promise.all([read(), version === undefined ? [] : changedSince(caller.owner, table, id, version)]),
  )
  const conflict = conflictOf(fields, current, changes)
  if (conflict) throw new Refusal('conflict', { conflict })
  return current
}
