/** The maximum size of a row, in characters. A longer one is broken. */
export const maxRowLength = 1024 * 1024
export const maxColumns = 1000

/** Why a row is not a record. `empty`: a card without values. `unrecognised`: a text in which no person is found. */
export type SkipReason = 'empty' | 'repeated_header' | 'preamble' | 'footer' | 'unrecognised'
/** Why a row cannot be read. */
type BreakReason = 'unclosed_quote' | 'too_many_cells' | 'too_long' | 'unclosed_card'

/** A record: a cell for each column of the table. `line` is the number of its first line in the file, or of its row in a sheet, from 1. */
type RecordRow = { kind: 'record'; line: number; cells: string[] }
/**
 * A number of rows without values, one after the other, from this line. A sheet can have a million of them. They can be in several parts,
 * so that a reader is not silent for minutes.
 */
export type EmptyRows = { kind: 'empty'; line: number; count: number }
type SkippedRow = { kind: 'skipped'; line: number; reason: SkipReason; raw: string }
/** `column` is the number of the cell that is wrong, from 1. `raw` is the row as it is in the file, or its beginning if it is too long. */
export type BrokenRow = { kind: 'broken'; line: number; column: number; reason: BreakReason; raw: string }
/** Every row of a file, except its header, is in exactly one of these. */
export type TableRow = RecordRow | EmptyRows | SkippedRow | BrokenRow

/** Adds rows without values to those directly before them, if there are any. */
export const addEmptyRows = (before: EmptyRows | undefined, line: number, count = 1): EmptyRows => ({
  kind: 'empty',
  line: before?.line ?? line,
  count: (before?.count ?? 0) + count,
})

type FindingCode =
  | 'rows'
  | 'encoding'
  | 'invalid_characters'
  | 'separator'
  | 'preamble'
  | 'no_header'
  | 'renamed_headers'
  | 'wide_rows'
  | 'sheet'
  | 'merged_cells'
  | 'cell_errors'
  | 'free_text'
  | 'unrecognised'
/** Something that was found in a file, as a sentence for users. */
export type Finding = { code: FindingCode; message: string }

/** A column with up to five different values. Headers are unique and not empty. */
type TableColumn = { header: string; samples: string[] }

export type TableDescription = {
  format: 'delimited' | 'excel' | 'vcard' | 'free_text'
  /** The name of the encoding, as in "windows-1250"; null for Excel files. */
  encoding: string | null
  separator: string | null
  /** The name of the sheet that is read, and of all sheets of an Excel file. */
  sheet: string | null
  sheets: string[]
  /** The line of the header; null if the file has none. */
  headerLine: number | null
  columns: TableColumn[]
  findings: Finding[]
  /** The first records. */
  preview: RecordRow[]
}

/** An open file. `rows` can be iterated once; `close` deletes temporary files, and must be called also when `rows` is not used. */
export type Table = { description: TableDescription; rows: AsyncIterable<TableRow>; close: () => Promise<void> }

export type UnreadableReason =
  | 'empty'
  | 'unsupported'
  | 'old_excel'
  | 'encrypted'
  | 'damaged'
  | 'too_large'
  | 'too_many_columns'
  | 'no_cards'

/** The error for a file that cannot be read for a known reason. */
export class UnreadableTable extends Error {
  readonly reason: UnreadableReason

  constructor(reason: UnreadableReason) {
    super(`The file cannot be read: ${reason}`)
    this.reason = reason
  }
}

const previewRows = 20
const samplesPerColumn = 5

/** Returns the first records, and the columns with samples of their values. */
export function describeColumns(headers: readonly string[], rows: readonly TableRow[]): Pick<TableDescription, 'columns' | 'preview'> {
  const records = rows.filter((row) => row.kind === 'record')
  const columns = headers.map((header, index) => {
    const values = records.map(({ cells }) => cells[index]?.trim() ?? '').filter((value) => value !== '')
    return { header, samples: [...new Set(values)].slice(0, samplesPerColumn) }
  })
  return { columns, preview: records.slice(0, previewRows) }
}
