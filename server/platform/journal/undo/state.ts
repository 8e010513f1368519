import type { SkippedReason } from '#contract/changes.ts'
import { sql } from '#server/platform/database/database.ts'
import { quoteLiteral, type Operation } from './fragments.ts'
import { readTables, type JournaledTable } from './tables.ts'

/** The state of an undo while it runs. */
export type UndoState = {
  /** The change set that is undone. */
  source: string
  tables: JournaledTable[]
  /** The change set under which skipped rows are listed. */
  listedUnder: string
  skippedCount: number
  /** Returns whether the change set has rows with this operation in this table. */
  hasRows: (table: JournaledTable, operation: Operation) => boolean
}

/** The settings under which the journal stores values as JSON. Current rows must be converted under the same settings to be comparable. */
const settings = `select set_config('timezone', 'UTC', true), set_config('intervalstyle', 'iso_8601', true), set_config('bytea_output', 'hex', true),
  set_config('datestyle', 'ISO', true), set_config('extra_float_digits', '1', true)`

/** Starts an undo: reads the tables, sets the settings and defers constraints. `hasRows` is set by `collectNetEffect`. */
export async function openUndoState({ source, listedUnder }: Pick<UndoState, 'source' | 'listedUnder'>): Promise<UndoState> {
  const [tables] = await Promise.all([readTables(), sql(settings), sql('set constraints all deferred')])
  return { source, listedUnder, tables, skippedCount: 0, hasRows: () => false }
}

/**
 * Runs a statement on temporary tables of the undo, such as `undo_net`, which has the net effect of the change set. PostgreSQL cannot
 * reuse a query plan, because every transaction creates these tables again.
 */
export const runOnUndoTables = (text: string, values?: unknown[]): Promise<Record<string, unknown>[]> =>
  sql(text, values, { customPlan: true })

/** Returns the SELECT list of a statement for `skipRows`. If `why` is null, `defaultWhy` of `skipRows` is used. */
export const selectSkipped = ({ id, why = 'null', columns = 'null' }: { id: string; why?: string; columns?: string }): string =>
  `${id} as id, ${why}::text as why, ${columns}::text[] as columns`

/**
 * Runs the statement `text`, and stores the rows that it returns as skipped. `defaultWhy`: the reason for a row whose own reason is null.
 * Returns the number of rows.
 */
export async function skipRows(
  state: UndoState,
  table: JournaledTable,
  defaultWhy: SkippedReason,
  text: string,
  values?: unknown[],
): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `with skipped as (${text}), stored as (
       insert into skipped_rows (change_id, table_name, row_id, why, columns)
       select ${quoteLiteral(state.listedUnder)}, ${quoteLiteral(table.name)}, id, coalesce(why, ${quoteLiteral(defaultWhy)}), columns from skipped returning id
     )
     select count(*)::int as count from stored`,
    values,
    { customPlan: true },
  )
  const count = row?.count ?? 0
  state.skippedCount += count
  return count
}
