import { unescapeFormulas } from '#server/platform/records/csv.ts'
import { createClassifier } from './classify.ts'
import { describeEncoding } from './encoding.ts'
import { findLayout } from './layout.ts'
import { chooseSeparator, type Separation } from './separator.ts'
import { describeColumns, type Finding, type Table, type TableRow } from './table.ts'
import { maxStartBytes, readText, type OpenBytes, type TextStart } from './text-stream.ts'
import { createTokenizer, type RawRow, type Tokenizer } from './tokenizer.ts'

const separatorNames = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'vertical bar'],
])

/** What users may correct. */
export type DelimitedOptions = { separator?: string; hasHeader?: boolean }

/** Opens a text with a row per line and separated cells. */
export function openDelimited(bytes: OpenBytes, start: TextStart, fileType: string, options: DelimitedOptions): Table {
  const separation = chooseSeparator(start.text, fileType)
  if (options.separator) separation.separator = options.separator
  const { separator } = separation
  const rows = readStartRows(start, separation, bytes.start.byteLength)
  const layout = findLayout(rows, options.hasHeader)
  const classifier = createClassifier(layout)
  const described = rows.slice(0, Math.ceil(maxDescribedCells / layout.headers.length))
  const classified = [...classifier.push(described), ...classifier.end()]
  const name = separatorNames.get(separator) ?? `"${separator}"`
  const findings: Finding[] = [
    describeEncoding(start.encoding),
    ...(start.text.includes('\uFFFD') ? [invalidCharacters] : []),
    ...(layout.headers.length > 1 ? [{ code: 'separator', message: `The cells are separated by a ${name}.` } as const] : []),
    ...layout.findings,
  ]
  return {
    description: {
      format: 'delimited',
      encoding: start.encoding,
      separator,
      sheet: null,
      sheets: [],
      headerLine: layout.headerLine,
      findings,
      ...describeColumns(layout.headers, classified),
    },
    rows: readRows(bytes, start, separation, createClassifier(layout)),
    close: async () => void (await bytes.rest.return?.()),
  }
}

/**
 * The maximum number of cells in the rows from which the columns are described. A megabyte with a header of 1,000 columns and one letter in
 * each row would need gigabytes, because each row gets a cell for each column.
 */
const maxDescribedCells = 1_000_000

const invalidCharacters: Finding = {
  code: 'invalid_characters',
  message: 'Some characters are not valid in this encoding and are read as \uFFFD.',
}

/** Returns the rows of the beginning. Its last row is left out if it may continue. */
function readStartRows(start: TextStart, separation: Separation, startBytes: number): RawRow[] {
  const tokenizer = createTableTokenizer(separation)
  const rows = tokenizer.push(start.text)
  return startBytes < maxStartBytes ? [...rows, ...tokenizer.end()] : rows
}

async function* readRows(
  bytes: OpenBytes,
  start: TextStart,
  separation: Separation,
  classifier: ReturnType<typeof createClassifier>,
): AsyncGenerator<TableRow> {
  const tokenizer = createTableTokenizer(separation)
  for await (const piece of readText(bytes, start)) yield* classifier.push(tokenizer.push(piece))
  yield* classifier.push(tokenizer.end())
  yield* classifier.end()
}

/** Creates a tokenizer that leaves out the line that says what the separator is, and the apostrophes that exports add to formulas. */
function createTableTokenizer({ separator, skippedLines }: Separation): Tokenizer {
  const tokenizer = createTokenizer(separator)
  const unescape = (row: RawRow): RawRow => (row.kind === 'row' ? { ...row, cells: row.cells.map(unescapeFormulas) } : row)
  const toTableRows = (rows: RawRow[]): RawRow[] => rows.filter(({ line }) => line > skippedLines).map(unescape)
  return { push: (piece) => toTableRows(tokenizer.push(piece)), end: () => toTableRows(tokenizer.end()) }
}
