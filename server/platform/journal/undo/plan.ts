import type { SkippedRow } from '#contract/changes.ts'
import { sql } from '#server/platform/database/database.ts'
import { readTables, type OwnedTable } from './tables.ts'

/** What the whole change set did to a row: insert, update or delete. */
export type Operation = 'I' | 'U' | 'D'

export type Plan = {
  /** The change set that is undone. */
  source: string
  tables: OwnedTable[]
  skipped: SkippedRow[]
  /** Has the change set rows of this operation in this table? */
  has: (table: OwnedTable, operation: Operation) => boolean
}

/** The settings under which journal images are written; living rows must be read under the same. */
const settings = `select set_config('timezone', 'UTC', true), set_config('intervalstyle', 'iso_8601', true), set_config('bytea_output', 'hex', true)`

export async function openPlan(source: string): Promise<Plan> {
  const [tables] = await Promise.all([readTables(), sql(settings), sql('set constraints all deferred')])
  return { source, tables, skipped: [], has: () => false }
}

/** Runs a statement on `undo_net`. The table is new in every transaction, so no cached plan is used. */
export const sqlOfNet = (text: string, values?: unknown[]): Promise<Record<string, unknown>[]> => sql(text, values, { customPlan: true })

/** Lists the rows that a statement returns as skipped: `id`, and optionally `why` and `columns`. */
export async function skipRows(
  { skipped }: Plan,
  table: OwnedTable,
  why: SkippedRow['why'],
  text: string,
  values?: unknown[],
): Promise<void> {
  const rows = await sql<Pick<SkippedRow, 'id'> & { why?: SkippedRow['why']; columns?: string[] | null }>(text, values, {
    customPlan: true,
  })
  for (const row of rows) {
    skipped.push({
      table: table.name,
      id: row.id,
      why: row.why ?? why,
      ...(row.columns && row.columns.length > 0 && { columns: row.columns }),
    })
  }
}
