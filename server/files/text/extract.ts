import { buffer } from 'node:stream/consumers'
import { readFileType } from '#contract/fileNames.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { collectText } from './collector.ts'
import { findFamily, inspectedBytes, type Family } from './family.ts'
import { decodeText } from './plain.ts'
import { extractInProgram } from './run-program.ts'
import type { Extraction, TextSource } from './text.store.ts'

/** Larger files are not read, because the program (a child process) has the whole file and its text in memory. */
const maxBytes = 100 * 1024 * 1024
/** Only this many bytes of plain text and markup are read. They have more characters than Foyer stores. */
const maxTextBytes = 8 * 1024 * 1024
/** The families of files of which only the beginning is read. */
const familiesReadInPart: readonly (Family | undefined)[] = ['text', 'markup']

/** Reads the text of a stored object, and makes a small picture of an image. Throws `StorageError`, and the reason of an aborted signal. */
export async function extract(
  storage: Storage,
  { storage_path: path, file_size: size, file_name }: TextSource,
  signal: AbortSignal,
): Promise<Extraction> {
  if (size === 0) return withoutText('no_text')
  const start = await buffer(storage.read(path, { start: 0, end: Math.min(inspectedBytes, size) - 1 }))
  const family = findFamily(start, readFileType(file_name))
  if (!family) return withoutText('unsupported')
  const isReadInPart = familiesReadInPart.includes(family)
  if (size > maxBytes && !isReadInPart) return withoutText('too_large')
  const end = Math.min(size, isReadInPart ? maxTextBytes : maxBytes) - 1
  const content = storage.read(path, { start: 0, end })
  const isCut = end < size - 1
  return family === 'text' ? readPlain(content, isCut) : extractInProgram(content, { family, isCut }, signal)
}

/** Plain text is read in this process, because decoding a bounded number of bytes takes a few milliseconds and cannot fail. */
async function readPlain(content: AsyncIterable<Uint8Array>, isCut: boolean): Promise<Extraction> {
  const decoded = decodeText(await buffer(content))
  const text = await collectText(({ add }) => add(decoded))
  return { text: 'reason' in text ? text : { ...text, isCut: text.isCut || isCut } }
}

const withoutText = (reason: 'no_text' | 'unsupported' | 'too_large'): Extraction => ({ text: { reason } })
