// Splits delimited text into rows. Decision 0026 says why no package does this.
import { maxRowLength, type BrokenRow } from './table.ts'

/** A row before its cells are compared with the columns. */
export type RawRow = { kind: 'row'; line: number; cells: string[]; raw: string } | BrokenRow

export type Tokenizer = {
  /** Returns the rows that are complete with this piece of the text. */
  push: (piece: string) => RawRow[]
  /** Returns the rows that are left at the end of the text. */
  end: () => RawRow[]
}

/**
 * When this number of characters was searched for closing quotes in vain, quoted cells must end in their line. Without this limit, a file
 * could make each of its lines search a megabyte.
 */
const maxFailedSearchLength = 64 * maxRowLength

type Cell = { text: string; next: number }
/** `incomplete`: more text is needed. `unclosed`: the quote of the cell has no end. */
type CellResult = Cell | 'incomplete' | 'unclosed'

/**
 * Creates a tokenizer of text whose cells are separated by one character and may be quoted (RFC 4180). Quotes inside of a cell that does
 * not begin with one belong to its text. A quoted cell without an end makes only its own line a broken row.
 */
export function createTokenizer(separator: string, { maxLength = maxRowLength } = {}): Tokenizer {
  let text = ''
  let position = 0 // the start of the current row
  let line = 1
  let isEnd = false
  let isSkipping = false // whether the next text is the rest of a row that is too long
  let failedSearchLength = 0
  let findQuote = createSearch('', '"')
  let findLineBreak = createSearch('', '\n')

  function push(piece: string): RawRow[] {
    text = text.slice(position) + piece
    position = 0
    findQuote = createSearch(text, '"')
    findLineBreak = createSearch(text, '\n')
    if (isSkipping) skipLine()
    const rows: RawRow[] = []
    while (!isSkipping && position < text.length) {
      const row = readRow()
      if (!row) break
      rows.push(row)
    }
    return rows
  }

  function readRow(): RawRow | undefined {
    const end = findLineEnd(position)
    const length = (end ?? text.length) - position
    if (length > maxLength) return finishLongRow()
    if (end === undefined) return undefined
    if (findQuote(position) >= end) return finishRow(withoutReturn(text.slice(position, end)).split(separator), end)
    const row = readQuotedRow()
    return !row && text.length - position > maxLength ? finishLongRow() : row
  }

  /** Returns the position of the line break, or of the end of the text; undefined if it is not known yet. */
  function findLineEnd(from: number): number | undefined {
    const end = findLineBreak(from)
    if (end < Infinity) return end
    return isEnd ? text.length : undefined
  }

  /** Returns the row that ends at `end`, and continues after it. */
  function finishRow(cells: string[], end: number): RawRow {
    const row = { kind: 'row', line, cells, raw: withoutReturn(text.slice(position, end)) } as const
    continueAt(end + 1)
    return row
  }

  function continueAt(next: number): void {
    for (let at = findLineBreak(position); at < next; at = findLineBreak(at + 1)) line++
    position = next
  }

  /** Returns a row that is too long as a broken row, and skips the rest of its line. */
  function finishLongRow(): RawRow {
    const raw = text.slice(position, position + maxLength)
    const row = { kind: 'broken', line, column: 1, reason: 'too_long', raw } as const
    continueAt(position + maxLength)
    isSkipping = true
    skipLine()
    return row
  }

  function skipLine(): void {
    const end = findLineBreak(position)
    isSkipping = end === Infinity
    if (isSkipping) position = text.length
    else continueAt(end + 1)
  }

  function readQuotedRow(): RawRow | undefined {
    const cells: string[] = []
    for (let start = position; ;) {
      const cell = readCell(start)
      if (cell === 'incomplete') return undefined
      if (cell === 'unclosed') return finishUnclosedRow(cells.length + 1, start)
      cells.push(cell.text)
      if (text[cell.next] !== separator) return finishRow(cells, cell.next)
      start = cell.next + 1
    }
  }

  /** Returns a broken row that ends at the end of the line in which the quote of its last cell opens. Undefined if more text is needed. */
  function finishUnclosedRow(column: number, cellStart: number): RawRow | undefined {
    const end = findLineEnd(cellStart)
    if (end === undefined) return undefined
    const raw = withoutReturn(text.slice(position, end))
    const row = { kind: 'broken', line, column, reason: 'unclosed_quote', raw } as const
    continueAt(end + 1)
    return row
  }

  /** Reads the cell at `start`. `next` is the position of the separator or line break after it, or the end of the text. */
  function readCell(start: number): CellResult {
    const first = skipSpaces(start)
    if (text[first] === '"') return readQuotedCell(first)
    const end = findLineEnd(start)
    if (end === undefined) return 'incomplete'
    const rest = text.slice(start, end)
    const length = rest.indexOf(separator)
    return length < 0 ? { text: withoutReturn(rest), next: end } : { text: rest.slice(0, length), next: start + length }
  }

  function readQuotedCell(start: number): CellResult {
    const lineBreak = findLineBreak(start)
    const limit = failedSearchLength < maxFailedSearchLength ? position + maxLength : Math.min(lineBreak, position + maxLength)
    /** Whether the quote begins a cell in a later line, which shows that this cell was not closed. */
    const opensCell = (quote: number): boolean => lineBreak < quote && (text[quote - 1] === separator || text[quote - 1] === '\n')
    for (let quote = findQuote(start + 1); quote <= limit; quote = findQuote(quote + 1)) {
      if (text[quote + 1] === '"') {
        // two quotes are an empty cell of a later line, or a quote in the text of this cell
        if (opensCell(quote) && isCellEnd(quote + 2)) return failSearch(start, quote)
        quote++
        continue
      }
      const next = skipSpaces(quote + 1)
      // the next piece has what follows the quote, or the second half of a line break \r\n
      if (!isEnd && (next === text.length || (text[next] === '\r' && next + 1 === text.length))) return 'incomplete'
      if (isCellEnd(next)) return { text: text.slice(start + 1, quote).replaceAll('""', '"'), next: text[next] === '\r' ? next + 1 : next }
      if (opensCell(quote)) return failSearch(start, quote)
    }
    return isEnd || limit < text.length ? failSearch(start, Math.min(limit, text.length)) : 'incomplete'
  }

  function failSearch(start: number, end: number): CellResult {
    failedSearchLength += end - start
    return 'unclosed'
  }

  function isCellEnd(at: number): boolean {
    if (at >= text.length) return isEnd
    const character = text[at] === '\r' ? (text[at + 1] ?? '\n') : text[at]
    return character === '\n' || (character === separator && text[at] !== '\r')
  }

  function skipSpaces(from: number): number {
    let at = from
    while (text[at] === ' ') at++
    return at
  }

  return {
    push,
    end: () => {
      isEnd = true
      return push('')
    },
  }
}

/** Returns a function that finds a character at or after a position, or returns `Infinity`. It searches each part of the text only once. */
function createSearch(text: string, character: string): (from: number) => number {
  let searchedFrom = Infinity
  let found = -1
  return (from) => {
    if (from >= searchedFrom && from <= found) return found
    const at = text.indexOf(character, from)
    searchedFrom = from
    found = at < 0 ? Infinity : at
    return found
  }
}

const withoutReturn = (source: string): string => (source.endsWith('\r') ? source.slice(0, -1) : source)
