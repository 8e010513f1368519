import type { Layout } from './layout.ts'
import { addEmptyRows, type EmptyRows, type SkipReason, type TableRow } from './table.ts'
import type { RawRow } from './tokenizer.ts'

type CellRow = Extract<RawRow, { kind: 'row' }>

/** The first cell of a row of sums, in several languages, as in "Total contacts: 200". */
const sumText =
  /^((grand |sub)?totals?|sum|count|rows|records|contacts|summe|gesamt|insgesamt|anzahl|totale|suma|razem|celkem|toplam|összesen)(\s\p{L}+)*(\s*[:=])?[\d.,\s]*$/iu
/** What programs write below a table. */
const footerText =
  /^([-=_*]{3,}|\d[\d.,]* (rows?|records?|contacts?|results?|entries)\b|(end of|exported|generated|printed|created|report|page|source|©|confidential)\b)/iu
/** The maximum number of rows that are held back until it is known whether they are the last ones. */
const maxHeldRows = 20

export type Classifier = { push: (rows: readonly (RawRow | EmptyRows)[]) => TableRow[]; end: () => TableRow[] }

/** A row that is a footer only if no other record follows. */
type HeldRow = { asFooter: TableRow; otherwise: TableRow }

/** Creates a classifier of rows: records, empty rows, skipped rows and broken rows. Leaves out the header. */
export function createClassifier({ headerLine, headerCells, headers, firstLine }: Layout): Classifier {
  let held: HeldRow[] = []
  let emptyRows: EmptyRows | undefined // those directly before the next row
  const foldedHeader = headerCells.map(fold)

  function pushRow(raw: RawRow | EmptyRows): TableRow[] {
    if (raw.kind === 'empty' || (raw.kind === 'row' && isEmpty(raw))) {
      emptyRows = addEmptyRows(emptyRows, raw.line, raw.kind === 'empty' ? raw.count : 1)
      return []
    }
    return emptyRows ? [...pushEmptyRows(), ...pushFilledRow(raw)] : pushFilledRow(raw)
  }

  function pushEmptyRows(): TableRow[] {
    const rows = emptyRows ? pushNoRecord(emptyRows) : []
    emptyRows = undefined
    return rows
  }

  function pushFilledRow(raw: RawRow): TableRow[] {
    if (raw.kind === 'broken') return [...release(), raw]
    if (raw.line === headerLine) return []
    const row = classify(raw)
    if (row.kind === 'skipped') return pushNoRecord(row)
    const looksLikeFooter = row.kind === 'record' && headers.length > 1 && isFooter(row.cells)
    return looksLikeFooter ? hold(row, skip(raw, 'footer')) : [...release(), row]
  }

  /** Holds back a row that is no record while it can be between or below the rows of a footer. */
  const pushNoRecord = (row: TableRow): TableRow[] => (held.length > 0 ? hold(row, row) : [row])

  function hold(otherwise: TableRow, asFooter: TableRow): TableRow[] {
    if (held.length >= maxHeldRows) return [...release(), otherwise]
    held.push({ asFooter, otherwise })
    return []
  }

  function classify(row: CellRow): TableRow {
    if (row.line < firstLine) return skip(row, 'preamble')
    if (headerLine !== null && isRepeatedHeader(row.cells)) return skip(row, 'repeated_header')
    const excess = row.cells.findIndex((cell, index) => index >= headers.length && cell.trim() !== '')
    if (excess >= 0) return { kind: 'broken', line: row.line, column: excess + 1, reason: 'too_many_cells', raw: row.raw }
    return { kind: 'record', line: row.line, cells: headers.map((_, index) => row.cells[index] ?? '') }
  }

  const isRepeatedHeader = (cells: readonly string[]): boolean =>
    foldedHeader.every((name, index) => fold(cells[index] ?? '') === name) &&
    cells.slice(foldedHeader.length).every((cell) => cell.trim() === '')

  /** Returns the held rows as rows that are no footers, because another row follows. */
  function release(): TableRow[] {
    const rows = held.map(({ otherwise }) => otherwise)
    held = []
    return rows
  }

  return { push: (rows) => [...rows.flatMap(pushRow), ...pushEmptyRows()], end: () => held.map(({ asFooter }) => asFooter) }
}

const isEmpty = ({ cells }: CellRow): boolean => cells.every((cell) => cell.trim() === '')

/** Whether the row looks like one below a table: a sum, or a remark of the program that wrote the file. */
function isFooter(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const [first = '', ...others] = filled
  if (others.length === 0 && footerText.test(first)) return true
  return sumText.test(first) && others.every((cell) => /^[\d\s.,%€$£:-]+$/u.test(cell))
}

const fold = (cell: string): string => cell.trim().toLowerCase()

const skip = ({ line, raw }: CellRow, reason: SkipReason): TableRow => ({ kind: 'skipped', line, reason, raw })
