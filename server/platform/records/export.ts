import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { byteOrderMark, formatCsvLine } from './csv.ts'
import type { RecordKind } from './kind.ts'
import type { Selection } from './bulk.ts'
import { readPage, type PageRequest } from './page.ts'

type ExportRequest = Selection & Pick<PageRequest, 'sort' | 'order' | 'now'>
type ExportRow = Record<string, unknown> & { id: string }

/**
 * The target size of a page in characters. It is limited, because up to two pages stay in memory for a slow client, and because the process
 * does nothing else while it formats a page.
 */
const maxPageCharacters = 1024 * 1024
/** Page sizes in rows. `readPage` has statements for these sizes; for another size it would read more rows than necessary. */
const pageSizes = [200, 100, 50, 20]
const firstPageSize = 50

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
  const columnsSql = columns.map((name) => `${kind.exportColumns[name]} as ${name}`)
  let header = byteOrderMark + formatCsvLine(columns)
  for await (const rows of readSelection<ExportRow>(kind, database, caller, request, columnsSql)) {
    yield header + rows.map((row) => formatCsvLine(columns.map((name) => row[name]))).join('')
    header = ''
  }
  if (header !== '') yield header // no record matches
}

/**
 * Returns the selected records in pages of about a million characters. `columns`: SQL of the columns besides the id; the table is `c`.
 * Throws `not_found` if none of the ids exists.
 */
export async function* readSelection<R extends ExportRow>(
  kind: RecordKind,
  database: Database,
  caller: Caller,
  { ids, matching, ...request }: ExportRequest,
  columns: readonly string[],
): AsyncGenerator<R[]> {
  let after: string | undefined
  let limit = firstPageSize
  do {
    const page = { search: '', filter: [], ...matching, ...request, ids, after, limit }
    const { rows, next } = await database.read(caller, () => readPage<R>(kind, caller.owner, page, ['c.id', ...columns].join(', ')))
    if (rows.length > 0) yield rows
    else if (ids && after === undefined) throw new Refusal('not_found')
    after = next ?? undefined
    limit = chooseNextPageSize(rows)
  } while (after !== undefined)
}

/** Returns the page size with which the next page has at most `maxPageCharacters`, if its rows are as large as these. */
function chooseNextPageSize(rows: readonly object[]): number {
  const characters = rows.reduce((sum, row) => sum + countCharacters(Object.values(row)), 0)
  const maxRows = (maxPageCharacters * rows.length) / Math.max(characters, 1)
  return pageSizes.find((size) => size <= maxRows) ?? Math.min(...pageSizes)
}

/** Returns the approximate length of the values as text. A value that is not a text counts as 10 characters. */
function countCharacters(values: readonly unknown[]): number {
  let count = 0
  for (const value of values) {
    if (typeof value === 'string') count += value.length
    else count += Array.isArray(value) ? countCharacters(value) : 10
  }
  return count
}
