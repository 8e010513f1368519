import { sql } from '#server/platform/database/database.ts'
import type { TitledTable } from '#server/platform/feature/context.ts'

/** Reads the titles of existing rows by their ids. Rows of tables without titles are left out. */
export async function readTitles(
  owner: string,
  tables: readonly TitledTable[],
  rows: readonly { table: string | null; id: string | null }[],
): Promise<Map<string, string>> {
  const idsIn = (name: string): string[] => rows.flatMap(({ table, id }) => (table === name && id !== null ? [id] : []))
  const requests = tables.map(({ table, titleOf }) => ({ table, titleOf, ids: idsIn(table) })).filter(({ ids }) => ids.length > 0)
  const titles = await Promise.all(requests.map(({ table, titleOf, ids }) => readTitlesOf(owner, table, titleOf, ids)))
  return new Map(titles.flat())
}

async function readTitlesOf(owner: string, table: string, titleOf: TitledTable['titleOf'], ids: string[]): Promise<[string, string][]> {
  const rows = await sql<{ id: string; columns: Record<string, unknown> }>(
    `select id, to_jsonb(c.*) as columns from ${table} c where user_id = $1 and id = any($2)`,
    [owner, ids],
  )
  return rows.map(({ id, columns }) => [id, titleOf(columns)])
}
