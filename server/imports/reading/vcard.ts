import { describeEncoding } from './encoding.ts'
import { describeColumns, maxRowLength, UnreadableTable, type Table, type TableRow } from './table.ts'
import { readText, type OpenBytes, type TextStart } from './text-stream.ts'
import { cardHeaders, readCells } from './vcard-cells.ts'
import { isIgnoredLine, isQuotedPrintable, parseProperty, readLines, type CardProperty, type TextLine } from './vcard-lines.ts'

/** Opens a file of vCards in the versions 2.1, 3.0 and 4.0. Each card is a row. Throws `UnreadableTable` for a file without cards. */
export async function openVcards(bytes: OpenBytes, start: TextStart, isWhole: boolean): Promise<Table> {
  const first: TableRow[] = []
  for await (const row of readCards(readLines(pieces(start.text)))) first.push(row)
  if (isWhole && first.every(({ kind }) => kind === 'skipped' || kind === 'empty')) throw new UnreadableTable('no_cards')
  if (!isWhole) first.pop() // the last card is not complete
  // a later card may use any column, unless this is the whole file
  const used = cardHeaders.map((_, index) => !isWhole || first.some((row) => row.kind === 'record' && row.cells[index] !== ''))
  const select = (row: TableRow): TableRow => (row.kind === 'record' ? { ...row, cells: row.cells.filter((_, index) => used[index]) } : row)
  const headers = cardHeaders.filter((_, index) => used[index])
  async function* readRows(): AsyncGenerator<TableRow> {
    for await (const row of readCards(readLines(readText(bytes, start)))) yield select(row)
  }
  return {
    description: {
      format: 'vcard',
      encoding: start.encoding,
      separator: null,
      sheet: null,
      sheets: [],
      headerLine: null,
      findings: [describeEncoding(start.encoding)],
      ...describeColumns(headers, first.map(select)),
    },
    rows: readRows(),
    close: async () => void (await bytes.rest.return?.()),
  }
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text
}

/**
 * A card that is being read. `raw`: its text without ignored properties such as pictures. `current`: the property to which folded lines are
 * added; null for an ignored one. `continues`: the next line belongs to the same quoted-printable value. `nested`: the number of open cards
 * inside, in the property AGENT.
 */
type OpenCard = {
  line: number
  raw: string
  isVersion2: boolean
  properties: CardProperty[]
  current: string | null
  continues: boolean
  nested: number
}

async function* readCards(lines: AsyncIterable<TextLine>): AsyncGenerator<TableRow> {
  let card: OpenCard | undefined
  for await (const { line, text } of lines) {
    if (!card && text.trim() === '') {
      yield { kind: 'empty', line, count: 1 }
      continue
    }
    const begins = /^BEGIN:VCARD\s*$/i.test(text)
    if (card && begins && /^AGENT\b/i.test(card.current ?? '')) card.nested++
    else if (begins) {
      if (card) yield breakCard(card)
      card = { line, raw: '', isVersion2: false, properties: [], current: null, continues: false, nested: 0 }
    }
    if (!card) {
      yield { kind: 'skipped', line, reason: 'unrecognised', raw: text }
      continue
    }
    if (card.raw.length <= maxRowLength && !isIgnoredLine(text) && (card.current !== null || !/^[ \t]/.test(text))) card.raw += `${text}\n`
    const ends = /^END:VCARD\s*$/i.test(text)
    if (ends && card.nested > 0) card.nested--
    else if (ends) {
      yield finishCard(card)
      card = undefined
    } else if (card.nested === 0 && card.raw.length <= maxRowLength) addLine(card, text)
  }
  if (card) yield breakCard(card)
}

/** Adds a line to the card. A line continues the one before if it begins with a space or follows a quoted-printable line break. */
function addLine(card: OpenCard, text: string): void {
  if (card.continues) {
    card.continues = text.endsWith('=')
    card.current = (card.current ?? '') + text.replace(/=$/, '').trimStart()
  } else if (/^[ \t]/.test(text)) {
    if (card.current !== null) card.current += text.slice(1)
  } else {
    finishProperty(card)
    if (/^VERSION:2\.1\s*$/i.test(text)) card.isVersion2 = true
    card.continues = text.endsWith('=') && isQuotedPrintable(text)
    card.current = isIgnoredLine(text) ? null : card.continues ? text.slice(0, -1) : text
  }
}

function finishProperty(card: OpenCard): void {
  const property = card.current === null ? undefined : parseProperty(card.current, card.isVersion2)
  if (property && property.name !== 'BEGIN') card.properties.push(property)
}

function finishCard(card: OpenCard): TableRow {
  if (card.raw.length > maxRowLength) return { kind: 'broken', line: card.line, column: 1, reason: 'too_long', raw: card.raw }
  finishProperty(card)
  const isGroup = card.properties.some(
    ({ name, value }) => /^(KIND|X-ADDRESSBOOKSERVER-KIND)$/.test(name) && value.toLowerCase() === 'group',
  )
  const cells = readCells(card.properties)
  if (isGroup) return { kind: 'skipped', line: card.line, reason: 'unrecognised', raw: card.raw }
  if (cells.every((cell) => cell === '')) return { kind: 'skipped', line: card.line, reason: 'empty', raw: card.raw }
  return { kind: 'record', line: card.line, cells }
}

const breakCard = ({ line, raw }: OpenCard): TableRow => ({
  kind: 'broken',
  line,
  column: 1,
  reason: 'unclosed_card',
  raw: raw.slice(0, maxRowLength),
})
