import { maxColumns, UnreadableTable, type EmptyRows, type Finding } from './table.ts'
import type { RawRow } from './tokenizer.ts'

/** Where the header and the rows of a table are, and the names of its columns. */
export type Layout = {
  /** The line of the header; null if the table has none. */
  headerLine: number | null
  /** The cells of the header as they are in the file. */
  headerCells: string[]
  /** The names of the columns, which are unique and not empty. */
  headers: string[]
  /** Rows with content before this line are skipped. */
  firstLine: number
  findings: Finding[]
}

type CellRow = Extract<RawRow, { kind: 'row' }>

/** The number of rows that are inspected to find the header. */
const inspectedRows = 200

/** Words that stand in headers of tables of people, in several languages. */
const headerWords =
  /(?<!\p{L})(names?|first|last|given|family|surname|full|e-?mails?|mail|phones?|mobile|cell|tel|telephone|fax|company|organi[sz]ation|account|employer|title|position|role|address|street|city|town|state|zip|post(al)?|country|website|url|notes?|tags?|birthday|id|created|source|status|department|vorname|nachname|firma|telefon|handy|strasse|ort|plz|land|anrede|prénom|prenom|nom|société|entreprise|téléphone|adresse|ville|pays|nombre|apellidos?|correo|teléfono|empresa|ciudad|cognome|nome|azienda|telefono|città|ad|soyad|eposta|şirket|imię|nazwisko|jméno|příjmení|név)(?!\p{L})/iu

/** A mail address. It is searched from the beginning of a word, because from each "@" the search would take quadratic time. */
const mailAddress = /(?<!\S)[^\s@]*@\S+\.\S/
/** Other values of data that no header has: addresses of the web, phone numbers, dates and other numbers. */
const dataValue = /^https?:|^www\.|^[+(]?\d[\d\s().,/:+-]*$|^\d{4}-\d\d-\d\d/i

/**
 * Finds the header in the first rows of a table: the first row with at least 60 % of the usual number of filled cells, if it looks like a
 * header. Throws `UnreadableTable` if there are too many columns.
 */
export function findLayout(start: readonly (RawRow | EmptyRows)[], hasHeader?: boolean): Layout {
  const rows = start.filter((row) => row.kind === 'row').filter(({ cells }) => countFilled(cells) > 0)
  const inspected = rows.slice(0, inspectedRows)
  const usual = findUsualWidth(inspected)
  const first = inspected.find(({ cells }) => countFilled(cells) >= Math.max(1, Math.min(usual, maxColumns + 1) * 0.6)) ?? inspected[0]
  if (!first) throw new UnreadableTable(start.some(({ kind }) => kind === 'broken') ? 'damaged' : 'empty')
  const isHeader = hasHeader ?? looksLikeHeader(first, inspected)
  const headerRow = isHeader ? first : undefined
  const headerCells = headerRow ? withoutEmptyEnd(headerRow.cells) : []
  const width = Math.max(headerCells.length, findRegularWidth(inspected, headerRow))
  if (width > maxColumns) throw new UnreadableTable('too_many_columns')
  const { headers, isRenamed } = nameColumns(headerCells, width)
  const firstLine = headerRow ? headerRow.line : (inspected[0]?.line ?? 1)
  const preamble = rows.filter(({ line }) => line < firstLine)
  const findings: (Finding | false)[] = [
    preamble.length > 0 && {
      code: 'preamble',
      message: `${preamble.length === 1 ? 'One line above the table is' : `${preamble.length} lines above the table are`} skipped.`,
    },
    !isHeader && { code: 'no_header', message: 'The table has no header, so the columns have numbers.' },
    isHeader &&
      isRenamed && { code: 'renamed_headers', message: 'Columns without a name, or with the name of another column, got a number.' },
    isHeader && width > headerCells.length && { code: 'wide_rows', message: 'Most rows have more cells than the header.' },
  ]
  return { headerLine: headerRow?.line ?? null, headerCells, headers, firstLine, findings: findings.filter((finding) => finding !== false) }
}

const countFilled = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length

const withoutEmptyEnd = (cells: readonly string[]): string[] => cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)

/** Returns the median of the numbers of filled cells of the rows. */
function findUsualWidth(rows: readonly CellRow[]): number {
  const counts = rows.map(({ cells }) => countFilled(cells)).toSorted((a, b) => a - b)
  return counts[Math.floor(counts.length / 2)] ?? 1
}

/** Returns the number of cells that more than half of the rows below the header have, or 0. Without a header: that of the widest row. */
function findRegularWidth(rows: readonly CellRow[], header: CellRow | undefined): number {
  const below = rows.filter((row) => !header || row.line > header.line).map(({ cells }) => withoutEmptyEnd(cells).length)
  if (!header) return below.reduce((widest, width) => Math.max(widest, width), 1)
  const [usual] = [...Map.groupBy(below, (width) => width)].toSorted((a, b) => b[1].length - a[1].length)
  return usual && below.length > 2 && usual[1].length > below.length / 2 ? usual[0] : 0
}

/**
 * Whether the row has names of columns. A row without known words is a header if it has no values of data and no equal cells, unless it is
 * the only row.
 */
function looksLikeHeader({ cells }: CellRow, rows: readonly CellRow[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  if (filled.some((cell) => mailAddress.test(cell))) return false
  const known = filled.filter((cell) => cell.length <= 60 && headerWords.test(cell.replaceAll('_', ' '))).length
  const values = filled.filter((cell) => dataValue.test(cell)).length
  if (values > 0) return known > values
  if (known > 0) return true
  return rows.length === 1 ? false : new Set(filled).size === filled.length
}

function nameColumns(headerCells: readonly string[], width: number): { headers: string[]; isRenamed: boolean } {
  const used = new Set<string>()
  let isRenamed = false
  const headers = Array.from({ length: width }, (_, index) => {
    const name = (headerCells[index] ?? '').trim().replaceAll(/\s+/g, ' ')
    let header = name || `Column ${index + 1}`
    for (let number = 2; used.has(header.toLowerCase()); number++) header = `${name || `Column ${index + 1}`} (${number})`
    used.add(header.toLowerCase())
    if (header !== name) isRenamed = true
    return header
  })
  return { headers, isRenamed }
}
