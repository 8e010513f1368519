// Turns the rows of a file into records, and stores the records of a batch in the open transaction.
import { setImmediate } from 'node:timers/promises'
import { toStorableText } from '#server/platform/database/storable.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { findProblem, findRemarks, nameColumn, type RowProblem } from '../check-record.ts'
import type { StoredImport } from '../imports.store.ts'
import { createRecordReader, type ReadRecord } from '../mapping/read-record.ts'
import type { TableRow } from '../reading/table.ts'
import { toRowOutcome, type RecordOutcome, type RowOutcome } from '../records/outcome.ts'
import { storeContactRows } from '../records/store-contact-rows.ts'
import { storeOtherRows } from '../records/store-other-rows.ts'
import { countOf } from './batches.ts'
import { breakSentences, keepFirstCells, skipSentences, splitBrokenRow, unreadableRowSentence } from './row-texts.ts'

/**
 * A row of the file, or `count` empty rows. `number`: its position among the rows, from 1. `line`: the line of the file in which it begins.
 * Either `record` or `outcome` is set. `remarks`: what of the cells is not in their fields of the record.
 */
export type BatchRow = {
  number: number
  line: number
  count: number
  cells: string[]
  record?: ReadRecord
  remarks?: RowProblem[]
  outcome?: RowOutcome
}

/** The number of rows after which the event loop can run other work. */
const rowsBetweenYields = 25

type Source = Pick<StoredImport, 'kind' | 'mapping'> & { found: Pick<StoredImport['found'], 'columns' | 'separator'> }

/**
 * Returns a function that reads rows of an import as records. `firstNumber`: the number of the first of these rows. If reading the cells of
 * a row throws an error, only this row fails; the first such error is reported as a warning of the process.
 */
export function createBatchReader(
  { kind, mapping, found }: Source,
  read = createRecordReader(kind, mapping),
): (rows: readonly TableRow[], firstNumber: number) => Promise<BatchRow[]> {
  let hasWarned = false
  const readRow = (row: TableRow, number: number): BatchRow => {
    const { line } = row
    const count = countOf(row)
    if (row.kind === 'empty') return { number, line, count, cells: [], outcome: { status: 'skipped', reason: skipSentences.empty } }
    if (row.kind === 'skipped')
      return {
        number,
        line,
        count,
        cells: splitBrokenRow(row.raw, found.separator),
        outcome: { status: 'skipped', reason: skipSentences[row.reason] },
      }
    if (row.kind === 'broken') {
      const column = found.columns[row.column - 1] ? nameColumn(mapping[row.column - 1], row.column - 1) : `Column ${row.column}`
      const outcome = { status: 'failed', column, reason: breakSentences[row.reason] } as const
      const cells = splitBrokenRow(row.raw, found.separator)
      // a row that is too long cannot be corrected and imported again, because only its beginning was read
      return { number, line, count, cells: row.reason === 'too_long' ? keepFirstCells(cells) : cells, outcome }
    }
    const cells = row.cells.map(toStorableText)
    return { number, line, count, cells, ...readCells(cells) }
  }
  const readCells = (cells: readonly string[]): Pick<BatchRow, 'record' | 'remarks' | 'outcome'> => {
    try {
      const record = read(cells)
      const problem = findProblem(kind, record, mapping, cells)
      if (problem) return { outcome: { status: 'failed', ...problem } }
      return { record, remarks: findRemarks(kind, record, mapping, cells) }
    } catch (error) {
      if (!hasWarned) process.emitWarning(error instanceof Error ? error : String(error))
      hasWarned = true
      return { outcome: { status: 'failed', column: '', reason: unreadableRowSentence } }
    }
  }
  return async (rows, firstNumber) => {
    const batch: BatchRow[] = []
    let number = firstNumber
    for (const [index, row] of rows.entries()) {
      if (index % rowsBetweenYields === 0) await setImmediate()
      batch.push(readRow(row, number))
      number += countOf(row)
    }
    return batch
  }
}

/** Stores the records of the rows. Returns the outcomes in the order of the rows. */
export async function storeRecords(
  { kinds }: Pick<AppContext, 'kinds'>,
  owner: string,
  { id, kind, mode, mapping }: StoredImport,
  rows: readonly BatchRow[],
): Promise<RowOutcome[]> {
  const withRecords = rows.flatMap(({ record, number, line }) => (record ? [{ record, row: { number, line } }] : []))
  const records = withRecords.map(({ record }) => record)
  const columnNameOf = (field: string): string => {
    const index = mapping.findIndex((column) => column.field === field)
    return index < 0 ? '' : nameColumn(mapping[index], index)
  }
  const store = (): Promise<RecordOutcome[]> => {
    const options = { owner, importId: id, mode, managerColumn: columnNameOf('reports_to') }
    if (kind === 'contact')
      return storeContactRows(
        options,
        records,
        withRecords.map(({ row }) => row),
      )
    const recordKind = kinds.find(({ singular }) => singular === kind)
    if (!recordKind) throw new Error(`There is no kind ${kind}`)
    return storeOtherRows({ owner, kind: recordKind, name: kind, mode }, records)
  }
  const stored = (records.length > 0 ? await store() : []).values()
  return rows.map(({ outcome, remarks = [] }) => {
    if (outcome) return outcome
    const { value } = stored.next()
    if (!value) throw new Error('A record has no outcome')
    return toRowOutcome(kind, value, columnNameOf, remarks)
  })
}
