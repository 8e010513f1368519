import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { conflictOf } from './conflict.ts'
import { readColumnChanges } from './history.ts'

type Edit<Row> = {
  database: Database
  caller: Caller
  table: string
  id: string
  /** The version that the edit started from. An edit without a version overwrites newer changes. */
  version: number | undefined
  /** New values by column, including derived columns. */
  fields: Record<string, unknown>
  /** Reads the current row. Throws `not_found` if it does not exist. */
  read: () => Promise<Row>
  /**
   * Writes in its own transaction if the row has the version `base`, or any version if `base` is undefined. Returns undefined if the row
   * has another version or does not exist.
   */
  update: (base: number | undefined) => Promise<Row | undefined>
}

/**
 * Edits a row with optimistic concurrency control. Fields that others changed since `version` are merged; throws `conflict` if both sides
 * changed the same field. Without concurrent edits it needs one write.
 */
export async function editRow<Row extends { version: number }>(edit: Edit<Row>): Promise<Row> {
  const { version, update } = edit
  let updatedRow = await update(version)
  while (!updatedRow) {
    const current = await readWithoutConflict(edit)
    updatedRow = await update(version === undefined ? undefined : current.version)
  }
  return updatedRow
}

/** Returns the current row. Throws `conflict` if a field of the edit was changed to another value since the version of the edit. */
async function readWithoutConflict<Row extends { version: number }>({
  database,
  caller,
  table,
  id,
  version,
  fields,
  read,
}: Edit<Row>): Promise<Row> {
  // both reads are sent in one batch, and PostgreSQL runs them in this order. If the row is edited after it was read and before the changes
  // are read, the write fails on its version.
  const [current, changes] = await database.read(caller, () =>
    Promise.all([read(), version === undefined ? [] : readColumnChanges(caller.owner, table, id, version)]),
  )
  const conflict = conflictOf(fields, current, changes)
  if (conflict) throw new Refusal('conflict', { conflict })
  return current
}
