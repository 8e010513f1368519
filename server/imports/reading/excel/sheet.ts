import { maxColumns, maxRowLength, UnreadableTable, type BrokenRow, type EmptyRows } from '../table.ts'
import type { RawRow } from '../tokenizer.ts'
import { formatNumber, type CellFormat } from './formats.ts'
import { createMergeFiller, readColumn, type Merge } from './merges.ts'
import type { ExcelPackage } from './package.ts'
import type { SharedTexts } from './shared-texts.ts'

export type SheetRow = RawRow | EmptyRows

/** What the cells of a sheet refer to. */
export type SheetContext = {
  sharedTexts: SharedTexts
  formats: readonly CellFormat[]
  is1904: boolean
  merges?: ReadonlyMap<number, readonly Merge[]>
  onCellError?: () => void
}

/** The limit of Excel. */
const maxRows = 1_048_576
/** The maximum size of cells without values after one another, after unpacking. Reading them takes about ten seconds. */
export const maxEmptyBytes = 128 * 1024 * 1024

/**
 * Yields the rows of a sheet up to the last one with a value; rows without values between them are one entry. A formula has its stored
 * result, and an error such as `#N/A` is empty. A row with more than 1,000 columns or a million characters is broken. Throws `too_large`
 * after `maxEmptyBytes` without a value.
 */
export async function* readSheet(excel: ExcelPackage, path: string, context: SheetContext): AsyncGenerator<SheetRow[]> {
  let ready: RawRow[] = []
  let lastLine = 0
  const fillMerged = createMergeFiller(context.merges ?? new Map())
  let rowCount = 0
  let cells: string[] = []
  let length = 0
  let column = 0
  let tooManyAt = 0
  let type = ''
  let style = 0
  let value = ''
  let isValue = false
  let isPronunciation = false

  function startRow(reference: string | undefined): void {
    rowCount++
    lastLine = Math.max(lastLine + 1, /^\d{1,7}$/.test(reference ?? '') ? Number(reference) : 0)
    if (rowCount > maxRows || lastLine > maxRows) throw new UnreadableTable('too_large')
    cells = []
    length = 0
    column = 0
    tooManyAt = 0
  }

  function finishCell(): void {
    const text = readCell(type, value, style, context)
    length += text.length
    if (text === '' || length > maxRowLength) return
    if (column > maxColumns) tooManyAt ||= column
    else {
      while (cells.length < column - 1) cells.push('')
      cells[column - 1] = text
    }
  }

  function finishRow(): void {
    if (length === 0) return
    const ownCells = [...cells]
    fillMerged(cells, lastLine)
    // the values of merged cells in the rows above can be much longer than this row
    const isTooLong = length > maxRowLength || cells.reduce((sum, cell) => sum + cell.length, 0) > maxRowLength
    const raw = (isTooLong ? ownCells : cells).map(quote).join('\t')
    const broken: BrokenRow['reason'] | undefined = isTooLong ? 'too_long' : tooManyAt > 0 ? 'too_many_cells' : undefined
    ready.push(
      broken
        ? { kind: 'broken', line: lastLine, column: tooManyAt || 1, reason: broken, raw }
        : { kind: 'row', line: lastLine, cells, raw },
    )
  }

  const pieces = excel.readXml(path, {
    open: (element, attributes) => {
      if (element === 'row') startRow(attributes['r'])
      else if (element === 'c') {
        const letters = /^[A-Z]{1,3}(?=\d)/.exec(attributes['r'] ?? '')?.[0]
        column = letters === undefined ? column + 1 : readColumn(letters)
        type = attributes['t'] ?? ''
        style = Number(attributes['s'] ?? 0)
        value = ''
      } else if (element === 'rPh') isPronunciation = true
      isValue = element === 'v' || element === 't'
    },
    text: (content) => {
      // a longer value makes its row too long, so the rest of it is not needed
      if (isValue && !isPronunciation && value.length <= maxRowLength) value += content
    },
    close: (element) => {
      isValue = false
      if (element === 'rPh') isPronunciation = false
      else if (element === 'c') finishCell()
      else if (element === 'row') finishRow()
    },
  })
  let lastFilledLine = 0
  let emptyBytes = 0
  for await (const bytes of pieces) {
    emptyBytes = ready.length > 0 ? 0 : emptyBytes + bytes
    if (emptyBytes > maxEmptyBytes) throw new UnreadableTable('too_large')
    const group: SheetRow[] = []
    for (const row of ready) {
      const emptyCount = row.line - lastFilledLine - 1
      if (emptyCount > 0) group.push({ kind: 'empty', line: lastFilledLine + 1, count: emptyCount })
      group.push(row)
      lastFilledLine = row.line
    }
    if (group.length > 0) yield group
    ready = []
  }
}

function readCell(type: string, value: string, style: number, { sharedTexts, formats, is1904, onCellError }: SheetContext): string {
  if (type === 's') return clean(sharedTexts.get(Number(value)))
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'e') onCellError?.()
  if (type === 'e') return ''
  if (type === 'd') return value.replace(/T00:00:00(\.0+)?Z?$/, '')
  if (type === '' || type === 'n') return formatNumber(value, formats[style] ?? { kind: 'general' }, is1904)
  return clean(value)
}

/** Excel writes control characters as `_x000D_`; the carriage return of a line break is left out. NUL cannot be stored. */
const clean = (text: string): string =>
  text
    .replaceAll(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll(/\r(?=\n)|\0/g, '')
    .toWellFormed()

/** Quotes a cell for a text with tabs between cells. */
const quote = (cell: string): string => (/["\t\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
