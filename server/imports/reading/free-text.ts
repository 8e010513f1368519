import { describeEncoding } from './encoding.ts'
import { hasOnlyEmails, isDivider, readBlock, splitSection, textHeaders, type TextBlock } from './free-text-block.ts'
import { chooseSeparator } from './separator.ts'
import { describeColumns, maxRowLength, type Table, type TableRow } from './table.ts'
import { readText, type OpenBytes, type TextStart } from './text-stream.ts'
import { readLines } from './vcard-lines.ts'

/** A text is a table if at least this share of its lines has the same number of cells. */
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
  // a skipped line is a first line such as `sep=;`, which only tables have
  if (skippedLines === 1 || fileType === 'csv' || fileType === 'tsv') return false
  return consistency < minConsistency || addresses > lines.length / 2 || lines.every(hasOnlyEmails)
}

/**
 * Opens a text of signatures, contact details or mail addresses, which are recognised by rules. Each block between empty lines is a person
 * or a list of people. In a text with dividers, a block with one address may also have empty lines.
 */
export async function openFreeText(bytes: OpenBytes, start: TextStart, isWhole: boolean): Promise<Table> {
  const hasDividers = start.text.split('\n', maxDividerLines).some(isDivider)
  const first: TableRow[] = []
  for await (const row of readRows(pieces(start.text), hasDividers)) first.push(row)
  const unrecognised = first.filter((row) => row.kind === 'skipped' && row.reason === 'unrecognised').length
  const people = first.length - unrecognised
  const foundPeople = people === 1 ? '1 person was' : `${people} people were`
  const unrecognisedParts = unrecognised === 1 ? '1 part' : `${unrecognised} parts`
  const shownText = isWhole ? 'its text' : 'the first megabyte of its text'
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
        { code: 'free_text', message: `The file is no table. ${foundPeople} recognised in ${shownText}.` },
        ...(unrecognised > 0
          ? [{ code: 'unrecognised', message: `In ${unrecognisedParts} of ${shownText} no person was recognised.` } as const]
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

/** The number of lines at the beginning of the text in which a divider is searched. */
const maxDividerLines = 1000

/** The maximum length of a block, in UTF-16 code units. A longer one, such as a list of thousands of addresses, is read in parts. */
const maxBlockLength = 64 * 1024
