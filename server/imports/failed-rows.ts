import type { NamedFile } from '#contract/route.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { Database } from '#server/platform/database/database.ts'
import { byteOrderMark, formatCsvLine } from '#server/platform/records/csv.ts'
import { readImport, readRows } from './imports.store.ts'

const rowsPerPage = 100

/**
 * Returns the failed rows of an import as CSV, with the columns of the file, to correct and import again. The columns of a file without a
 * header get the names of their fields, so that they are recognised again.
 */
export async function openFailedRows(database: Database, caller: Caller, id: string): Promise<NamedFile> {
  const { file_name, found, mapping } = await database.read(caller, () => readImport(caller.owner, id))
  const headers = found.columns.map(({ header }, index) => {
    const column = mapping[index]
    return column?.header === null ? (column.field ?? header) : header
  })
  return { name: `${file_name.replace(/\.\w{1,16}$/, '')} failed rows.csv`, chunks: formatRows(database, caller, id, headers) }
}

async function* formatRows(database: Database, caller: Caller, id: string, headers: readonly string[]): AsyncGenerator<string> {
  yield byteOrderMark + formatCsvLine(headers)
  let after: string | undefined
  do {
    const page = await database.read(caller, () => readRows(caller.owner, id, { status: 'failed', after, limit: rowsPerPage }))
    if (page.rows.length > 0) yield page.rows.map(({ cells }) => formatCsvLine(padCells(cells, headers.length))).join('')
    after = page.next ?? undefined
  } while (after !== undefined)
}

/** Adds empty cells to a row with fewer than `count` cells. */
const padCells = (cells: readonly string[], count: number): string[] =>
  Array.from({ length: Math.max(count, cells.length) }, (_, index) => cells[index] ?? '')
