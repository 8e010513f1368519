// Reads the tables of files to import: delimited text, Excel files, vCards and free text.
import { readFileType } from '#contract/fileNames.ts'
import { openDelimited, type DelimitedOptions } from './delimited.ts'
import type { EncodingOptions } from './encoding.ts'
import { openExcel, type ExcelOptions } from './excel/excel.ts'
import { isFreeText, openFreeText } from './free-text.ts'
import { UnreadableTable, type Table } from './table.ts'
import { decodeStart, maxStartBytes, readStart, type OpenBytes } from './text-stream.ts'
import { openVcards } from './vcard.ts'

/** What users may correct when it was not recognised. */
export type TableOptions = DelimitedOptions & ExcelOptions & EncodingOptions

/**
 * Opens a file: reads its beginning and describes the table in it. Its rows are read when they are iterated, in constant memory. The bytes
 * decide the type of the file; for a text its extension counts too: .vcf is vCards, .csv and .tsv are never free text. Throws
 * `UnreadableTable`, also while the rows are read, the errors of `content`, and the reason of an aborted signal.
 */
export async function openTable(
  content: AsyncIterable<Uint8Array>,
  fileName: string,
  options: TableOptions = {},
  signal?: AbortSignal,
): Promise<Table> {
  const bytes = await readStart(content)
  try {
    return await openByType(bytes, readFileType(fileName), options, signal)
  } catch (error) {
    await bytes.rest.return?.()
    throw error
  }
}

async function openByType(bytes: OpenBytes, fileType: string, options: TableOptions, signal: AbortSignal | undefined): Promise<Table> {
  const latin = Buffer.from(bytes.start.subarray(0, 4096)).toString('latin1')
  if (latin.startsWith('PK\x03\x04')) return openExcel(bytes, options, signal)
  if (latin.startsWith('\xD0\xCF\x11\xE0')) throw new UnreadableTable(isEncrypted(bytes.start) ? 'encrypted' : 'old_excel')
  if (otherSignatures.some((signature) => latin.startsWith(signature))) throw new UnreadableTable('unsupported')
  const start = decodeStart(bytes.start, options)
  if (start.text.trim() === '') throw new UnreadableTable('empty')
  const isWhole = bytes.start.byteLength < maxStartBytes
  if (fileType === 'vcf' || /^\s*BEGIN:VCARD\b/i.test(start.text)) return openVcards(bytes, start, isWhole)
  const isFree = options.separator === undefined && isFreeText(start.text, fileType)
  return isFree ? openFreeText(bytes, start, isWhole) : openDelimited(bytes, start, fileType, options)
}

/** The first bytes of PDF files, pictures and archives. */
const otherSignatures = ['%PDF-', '\x89PNG', '\xFF\xD8\xFF', 'GIF8', '\x1F\x8B', 'Rar!', '7z\xBC\xAF']

/** An encrypted Excel file is in the container of old Excel files. */
const isEncrypted = (start: Uint8Array): boolean => Buffer.from(start).includes(Buffer.from('EncryptedPackage', 'utf16le'))
