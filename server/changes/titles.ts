import { isKindName } from '#contract/kinds.ts'
import type { ParentRecord } from '#contract/search.ts'
import { sql } from '#server/platform/database/database.ts'
import type { TitledTable } from '#server/platform/feature/context.ts'

/** The title of an existing row, and the record whose page shows the row; null if the row has its own page. */
export type TitleAndParent = { title: string; parent: ParentRecord | null }

/** Reads the titles and parents of existing rows by their ids. Rows of tables without titles are left out. */
export async function readTitles(
  owner: string,
  tables: readonly TitledTable[],
  rows: readonly { table: string | null; id: string | null }[],
): Promise<Map<string, TitleAndParent>> {
  const idsIn = (name: string): string[] => rows.flatMap(({ table, id }) => (table === name && id !== null ? [id] : []))
  const requests = tables.map((table) => ({ table, ids: idsIn(table.table) })).filter(({ ids }) => ids.length > 0)
  const titles = await Promise.all(requests.map(({ table, ids }) => readTitlesOf(owner, table, ids)))
  return new Map(titles.flat())
}

async function readTitlesOf(
  owner: string,
  { table, titleOf, searchResult }: TitledTable,
  ids: string[],
): Promise<[string, TitleAndParent][]> {
  const rows = await sql<{ id: string; columns: Record<string, unknown> }>(
    `select id, to_jsonb(c.*) as columns from ${table} c where user_id = $1 and id = any($2)`,
    [owner, ids],
  )
  return rows.map(({ id, columns }) => [id, { title: titleOf(columns), parent: findParent(searchResult, columns) }])
}

function findParent(searchResult: TitledTable['searchResult'], columns: Record<string, unknown>): ParentRecord | null {
  const { shownOn } = searchResult ?? {}
  const kind = shownOn?.to.singular ?? ''
  const id = shownOn && columns[shownOn.field]
  return isKindName(kind) && typeof id === 'string' ? { kind, id } : null
}
