import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { byteOrderMark, csvLine } from './csv.ts'
import type { RecordKind } from './kind.ts'
import type { Chosen } from './bulk.ts'
import { readPage, type PageRequest } from './page.ts'

type ExportRequest = Chosen & Pick<PageRequest, 'sort' | 'order' | 'now'>
type Line = Record<string, unknown> & { id: string }

/** What one page should hold. Whoever takes nothing keeps a page or two of it in memory, and nothing else runs while it is written. */
const pageLetters = 1024 * 1024
/** As many rows as pages have, so that none is read in vain. */
const pageRows = [200, 100, 50, 20]
const firstRows = 50

/**
 * The chosen records as CSV, page by page, so that a large workspace never lies in memory. Throws `not_found` when none
 * of the named ids is there, before the first line.
 */
export async function* exportRecords(
  kind: RecordKind,
  database: Database,
  caller: Caller,
  { columns, ...request }: ExportRequest & { columns: readonly string[] },
): AsyncGenerator<string> {
  const shown = columns.map((name) => `${kind.exportColumns[name]} as ${name}`)
  let head = byteOrderMark + csvLine(columns)
  for await (const rows of readChosen<Line>(kind, database, caller, request, shown)) {
    yield head + rows.map((row) => csvLine(columns.map((name) => row[name]))).join('')
    head = ''
  }
  if (head !== '') yield head
}

/** All chosen records in pages of about a million letters at most. `columns` of `c` are what each shows, beside its id. Throws `not_found` when none of the ids is there. */
export async function* readChosen<R extends Line>(
  kind: RecordKind,
  database: Database,
  caller: Caller,
  { ids, matching, ...request }: ExportRequest,
  columns: readonly string[],
): AsyncGenerator<R[]> {
  let after: string | undefined
  let limit = firstRows
  do {
    const page = { search: '', filter: [], ...matching, ...request, ids, after, limit }
    const { rows, next } = await database.read(caller, () => readPage<R>(kind, caller.owner, page, ['c.id', ...columns].join(', ')))
    if (rows.length > 0) yield rows
    else if (ids && after === undefined) throw new Refusal('not_found')
    after = next ?? undefined
    limit = rowsFor(rows)
  } while (after !== undefined)
}

/** How many rows the next page takes, when they are as large as these. */
function rowsFor(rows: readonly object[]): number {
  const letters = rows.reduce((sum, row) => sum + lettersOf(Object.values(row)), 0)
  const fitting = (pageLetters * rows.length) / Math.max(letters, 1)
  return pageRows.find((count) => count <= fitting) ?? Math.min(...pageRows)
}

const lettersOf = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : Array.isArray(value) ? lettersOf(value) : 10), 0)
