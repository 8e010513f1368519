import { describeEncoding } from './encoding.ts'
import { readBlock, textHeaders, type TextBlock } from './free-text-block.ts'
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

/** Opens a text of signatures, cards or addresses, which rules recognise. Each block between empty lines is a person, or a list of them. */
export async function openFreeText(bytes: OpenBytes, start: TextStart): Promise<Table> {
  const first: TableRow[] = []
  for await (const row of readRows(pieces(start.text))) first.push(row)
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
    rows: readRows(readText(bytes, start)),
    close: async () => void (await bytes.rest.return?.()),
  }
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text
}

async function* readRows(text: AsyncIterable<string>): AsyncGenerator<TableRow> {
  let block: TextBlock | undefined
  for await (const { line, text: content } of readLines(text)) {
    const isTooLong = content.length > maxRowLength
    if (block && (isTooLong || content.trim() === '' || block.length > maxBlockLength)) {
      yield* readBlock(block)
      block = undefined
    }
    if (isTooLong) yield { kind: 'broken', line, column: 1, reason: 'too_long', raw: content }
    if (isTooLong || content.trim() === '') continue
    block ??= { line, lines: [], length: 0 }
    block.lines.push(content)
    block.length += content.length
  }
  if (block) yield* readBlock(block)
}

/** A longer text is read in parts, such as a list of thousands of addresses. */
const maxBlockLength = 64 * 1024
