import { describeEncoding } from './encoding.ts'
import { isDivider, readBlock, splitSection, textHeaders, type TextBlock } from './free-text-block.ts'
import { chooseSeparator } from './separator.ts'
import { describeColumns, maxRowLength, type Table, type TableRow } from './table.ts'
import { readText, type OpenBytes, type TextStart } from './text-stream.ts'
import { readLines } from './vcard-lines.ts'

/** The share of the lines with the same number of cells from which a text is a table. */
const minConsistency = 0.7

/** Whether a text is a list of mail addresses, or has no separator that splits most lines in the same way. */
export function isFreeText(start: string, fileType: string): boolean {
  const lines = start
    .slice(0, 64 * 1024)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 200)
  const addresses = lines.filter((line) => /<[^<>\s@]+@[^<>\s@]+>/.test(line)).length
  const { skippedLines, consistency } = chooseSeparator(start, fileType)
  if (skippedLines === 1 || fileType === 'csv' || fileType === 'tsv') return false
  return consistency < minConsistency || addresses > lines.length / 2
}

/**
 * Opens a text of signatures, cards or addresses, which rules recognise. Each block between empty lines is a person, or a list of them. In a
 * text with dividers, a block with one address may also have empty lines.
 */
export async function openFreeText(bytes: OpenBytes, start: TextStart): Promise<Table> {
  const hasDividers = start.text.split('\n', maxDividerLines).some(isDivider)
  const first: TableRow[] = []
  for await (const row of readRows(pieces(start.text), hasDividers)) first.push(row)
  const unrecognised = first.filter((row) => row.kind === 'skipped' && row.reason === 'unrecognised').length
  const people = first.length - unrecognised
  return {
    description: {
      format: 'free_text',
      encoding: start.encoding,
      separator: null,
      sheet: null,
      sheets: [],
      headerLine: null,
      findings: [
        describeEncoding(start.encoding),
        { code: 'free_text', message: `The file is no table. ${people} people were recognised in its text.` },
        ...(unrecognised > 0
          ? [{ code: 'unrecognised', message: `In ${unrecognised} parts of the text no person was recognised.` } as const]
          : []),
      ],
      ...describeColumns(textHeaders, first),
    },
    rows: readRows(readText(bytes, start), hasDividers),
    close: async () => void (await bytes.rest.return?.()),
  }
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text
}

async function* readRows(text: AsyncIterable<string>, hasDividers: boolean): AsyncGenerator<TableRow> {
  const isEnd = hasDividers ? isDivider : (content: string): boolean => content.trim() === ''
  let block: TextBlock | undefined
  for await (const { line, text: content } of readLines(text)) {
    const isTooLong = content.length > maxRowLength
    if (block && (isTooLong || isEnd(content) || block.length > maxBlockLength)) {
      for (const part of splitSection(block)) yield* readBlock(part)
      block = undefined
    }
    if (isTooLong) yield { kind: 'broken', line, column: 1, reason: 'too_long', raw: content }
    if (isTooLong || isEnd(content)) continue
    block ??= { line, lines: [], length: 0 }
    block.lines.push(content)
    block.length += content.length
  }
  for (const part of block ? splitSection(block) : []) yield* readBlock(part)
}

/** A divider must be among these first lines of the text. */
const maxDividerLines = 1000

/** A longer text is read in parts, such as a list of thousands of addresses. */
const maxBlockLength = 64 * 1024
