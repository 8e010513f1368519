import { openTable, type TableOptions } from './read-table.ts'
import type { TableDescription, TableRow } from './table.ts'

/** Yields bytes in chunks. */
async function* chunksOf(bytes: Uint8Array, chunkBytes = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

/** Opens a file and reads all of its rows. */
export async function readFile(
  content: string | Uint8Array,
  fileName = 'people.csv',
  { chunkBytes, ...options }: TableOptions & { chunkBytes?: number } = {},
): Promise<{ description: TableDescription; rows: TableRow[] }> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const table = await openTable(chunksOf(bytes, chunkBytes), fileName, options)
  const rows: TableRow[] = []
  for await (const row of table.rows) rows.push(row)
  await table.close()
  return { description: table.description, rows }
}

/** Returns short texts for rows: the cells of a record, the line and the number of empty rows, and the line and reason of another row. */
export const summarise = (rows: readonly TableRow[]): (string[] | string)[] =>
  rows.map((row) => {
    if (row.kind === 'record') return row.cells
    return `${row.line} ${row.kind} ${row.kind === 'empty' ? row.count : row.reason}`
  })

export const headersOf = ({ columns }: TableDescription): string[] => columns.map(({ header }) => header)

export type TestEncoding = 'utf-8' | 'utf-8 with mark' | 'utf-16le' | 'utf-16be' | 'windows-1250' | 'windows-1252' | 'windows-1254'

/** Returns the bytes of a text. UTF-16 has a byte order mark. */
export function encode(text: string, encoding: TestEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-8 with mark') return Buffer.from(`\uFEFF${text}`)
  if (encoding === 'utf-16le') return Buffer.from(`\uFEFF${text}`, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
  const decoder = new TextDecoder(encoding)
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Buffer.from(Array.from(text, (character) => byteOf.get(character) ?? 0x3f))
}
