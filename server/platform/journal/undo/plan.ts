import type { SkippedRow } from '#contract/changes.ts'
import { sql } from '#server/platform/database/database.ts'
import { readTables, type OwnedTable } from './tables.ts'

/** What happened to a row over the whole change set: it was inserted, updated or deleted. */
export type Kind = 'I' | 'U' | 'D'

export type Plan = {
  /** The change set that is taken back. */
  source: string
  tables: OwnedTable[]
  kept: SkippedRow[]
  /** Has the change set rows of this kind in this table? */
  has: (table: OwnedTable, kind: Kind) => boolean
}

/** Images are text of these settings, so the rows as they stand must be read under the same. */
const settings = `select set_config('timezone', 'UTC', true), set_config('intervalstyle', 'iso_8601', true), set_config('bytea_output', 'hex', true)`

export async function openPlan(source: string): Promise<Plan> {
  const [tables] = await Promise.all([readTables(), sql(settings), sql('set constraints all deferred')])
  return { source, tables, kept: [], has: () => false }
}

/** Runs a statement about `undo_net`, which is new in every transaction, so that no plan of an old one is used. */
export const sqlOfNet = (text: string, values?: unknown[]): Promise<Record<string, unknown>[]> => sql(text, values, { fresh: true })

/** Lists the rows that a statement answers: `id`, and where they differ `why` and `columns`. */
export async function keep({ kept }: Plan, table: OwnedTable, why: SkippedRow['why'], text: string, values?: unknown[]): Promise<void> {
  const rows = await sql<Pick<SkippedRow, 'id'> & { why?: SkippedRow['why']; columns?: string[] | null }>(text, values, { fresh: true })
  for (const row of rows) {
    kept.push({
      table: table.name,
      id: row.id,
      why: row.why ?? why,
      ...(row.columns && row.columns.length > 0 && { columns: row.columns }),
    })
  }
}
