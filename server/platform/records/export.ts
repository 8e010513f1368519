import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { byteOrderMark, csvLine } from './csv.ts'
import type { RecordKind } from './kind.ts'
import type { Selection } from './bulk.ts'
import { readPage, type PageRequest } from './page.ts'

type ExportRequest = Selection & Pick<PageRequest, 'sort' | 'order' | 'now'>
type Line = Record<string, unknown> & { id: string }

/** The target size of a page in characters. With a slow client up to two pages stay in memory, and formatting a page blocks the process. */
const maxPageCharacters = 1024 * 1024
/** The page sizes of `readPage`, so that no row is read unnecessarily. */
const pageRows = [200, 100, 50, 20]
const firstPageRows = 50

/**
 * Returns the selected records as CSV. Reads them page by page to limit memory use. Throws `not_found` before the first line if none of
 * the ids exists.
 */
export async function* exportRecords(
  kind: RecordKind,
  database: Database,
  caller: Caller,
  { columns, ...request }: ExportRequest & { columns: readonly string[] },
): AsyncGenerator<string> {
  const shown = columns.map((name) => `${kind.exportColumns[name]} as ${name}`)
  let head = byteOrderMark + csvLine(columns)
  for await (const rows of readSelection<Line>(kind, database, caller, request, shown)) {
    yield head + rows.map((row) => csvLine(columns.map((name) => row[name]))).join('')
    head = ''
  }
  if (head !== '') yield head
}

/**
 * Returns the selected records in pages of about a million characters. `columns`: SQL of the columns besides the id; the table is `c`.
 * Throws `not_found` if none of the ids exists.
 */
export async function* readSelection<R extends Line>(
  kind: RecordKind,
  database: Database,
  caller: Caller,
  { ids, matching, ...request }: ExportRequest,
  columns: readonly string[],
): AsyncGenerator<R[]> {
  let after: string | undefined
  let limit = firstPageRows
  do {
    const page = { search: '', filter: [], ...matching, ...request, ids, after, limit }
    const { rows, next } = await database.read(caller, () => readPage<R>(kind, caller.owner, page, ['c.id', ...columns].join(', ')))
    if (rows.length > 0) yield rows
    else if (ids && after === undefined) throw new Refusal('not_found')
    after = next ?? undefined
    limit = nextPageRows(rows)
  } while (after !== undefined)
}

/** Returns the number of rows of the next page, if its rows are as large as these. */
function nextPageRows(rows: readonly object[]): number {
  const characters = rows.reduce((sum, row) => sum + charactersOf(Object.values(row)), 0)
  const fitting = (maxPageCharacters * rows.length) / Math.max(characters, 1)
  return pageRows.find((count) => count <= fitting) ?? Math.min(...pageRows)
}

const charactersOf = (values: readonly unknown[]): number =>
  values.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : Array.isArray(value) ? charactersOf(value) : 10),
    0,
  )
