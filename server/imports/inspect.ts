// Reads the beginning of a file: what the file is, the fields of its columns, and the first rows.
import { importFileTypes, type ImportKind } from '#contract/imports.ts'
import { readFileType } from '#contract/fileNames.ts'
import type { ReadObject } from '#server/files/files.ts'
import { toStorableText } from '#server/platform/database/storable.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { Column, ColumnMapping } from './mapping/column-mapping.ts'
import { mapColumns } from './mapping/map-columns.ts'
import { openTable, type TableOptions } from './reading/read-table.ts'
import { UnreadableTable, type Finding, type Table, type TableDescription, type UnreadableReason } from './reading/table.ts'

/** What was found in a file, in the form that is stored. Long cells are cut. */
export type FoundTable = TableDescription

export type Inspected = { found: FoundTable; mapping: ColumnMapping[] }

/** The maximum length of a cell in a preview, in UTF-16 code units. */
const maxCellLength = 300
/** The maximum length of all cells of a preview together, in UTF-16 code units. A file with very many columns gets fewer rows. */
const maxPreviewLength = 500_000

/** Before the import, the rows of a file are counted up to this number, and for this time in milliseconds. */
const [maxCountedRows, maxCountMs] = [10_000, 500]

/** The sentences for files that cannot be read. */
export const unreadableSentences: Record<UnreadableReason, string> = {
  empty: 'This file is empty.',
  unsupported: 'This file has no table. Choose a CSV file, an Excel file, a vCard file or a text.',
  old_excel: 'This is an Excel file of an old format. Open it and save it as .xlsx.',
  encrypted: 'This Excel file is protected with a password. Save it without a password.',
  damaged: 'This file is damaged or not complete. Export it again.',
  too_large: 'This Excel file is too large. Save it as CSV.',
  too_many_columns: 'This file has more than 1,000 columns.',
  no_cards: 'This file has no contacts. Export it again as vCard.',
}

/** Throws `invalid` for a file whose name has another extension than those that can be imported. */
export function requireFileType(fileName: string): void {
  const type = readFileType(fileName)
  if (type === 'xls') throw new Refusal('invalid', { fields: { file_name: unreadableSentences.old_excel } })
  if (!importFileTypes.some((each) => each === type))
    throw new Refusal('invalid', { fields: { file_name: 'Choose a .csv, .txt, .text, .tsv, .vcf or .xlsx file.' } })
}

/**
 * Reads the beginning of a file and maps its columns. Throws `invalid` with a sentence for a file that cannot be read. The signal ends the
 * reading when the client has left, because a large Excel file can take a minute.
 */
export async function inspectFile(
  read: ReadObject,
  fileName: string,
  kind: ImportKind,
  options: TableOptions,
  signal?: AbortSignal,
): Promise<Inspected> {
  try {
    const table = await openTable(read(), fileName, options, signal)
    try {
      const { description } = table
      const findings = description.format === 'free_text' ? [] : [await countRows(table)] // the findings of a text already have the number of its people
      return describe(kind, { ...description, findings: [...findings, ...description.findings] })
    } finally {
      await table.close()
    }
  } catch (error) {
    if (error instanceof UnreadableTable) throw new Refusal('invalid', { fields: { file: unreadableSentences[error.reason] } }, error)
    throw error
  }
}

/** Counts the rows of a table that have values. In a large file, counts only the first ones. */
async function countRows({ rows }: Table): Promise<Finding> {
  const started = performance.now()
  let count = 0
  for await (const { kind } of rows) {
    if (kind !== 'skipped' && kind !== 'empty') count++
    if (count === maxCountedRows || performance.now() - started > maxCountMs) {
      // with fewer than 3 rows, the other sentence would name one row or none
      const message = count < 3 ? 'The rows were not counted.' : `More than ${(count - 1).toLocaleString('en')} rows were found.`
      return { code: 'rows', message }
    }
  }
  if (count === 0) return { code: 'rows', message: 'No rows were found.' }
  return { code: 'rows', message: count === 1 ? 'One row was found.' : `${count.toLocaleString('en')} rows were found.` }
}

function describe(kind: ImportKind, description: TableDescription): Inspected {
  const preview = description.preview.map(({ cells, ...row }) => ({ ...row, cells: cells.map(toStorableText) }))
  const columns = description.columns.map(({ header, samples }) => ({
    header: toStorableText(header),
    samples: samples.map((sample) => shorten(toStorableText(sample))),
  }))
  return {
    found: { ...description, columns, preview: shortenRows(preview) },
    mapping: mapColumns(kind, toMapperColumns({ ...description, columns, preview })),
  }
}

/** Returns the columns as the mapper needs them: the cells of the first rows, also the empty ones, and no header if the file has none. */
export function toMapperColumns(found: Pick<FoundTable, 'format' | 'headerLine' | 'columns' | 'preview'>): Column[] {
  return found.columns.map(({ header, samples }, index) => {
    const cells = found.preview.map((row) => row.cells[index] ?? '')
    const filled = cells.some((cell) => cell.trim() !== '') ? cells : samples
    return { header: hasHeader(found) ? header : null, samples: filled, isExcel: found.format === 'excel' }
  })
}

/** Whether the columns have names. The columns of vCards and texts always have names. */
export const hasHeader = ({ format, headerLine }: Pick<FoundTable, 'format' | 'headerLine'>): boolean =>
  headerLine !== null || format === 'vcard' || format === 'free_text'

export const shorten = (text: string, length = maxCellLength): string =>
  text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text

function shortenRows(rows: FoundTable['preview']): FoundTable['preview'] {
  let length = 0
  const shortened = rows.map(({ cells, ...row }) => ({ ...row, cells: cells.map((cell) => shorten(cell)) }))
  return shortened.filter(({ cells }) => {
    length += cells.reduce((sum, cell) => sum + cell.length, 0)
    return length <= maxPreviewLength
  })
}
