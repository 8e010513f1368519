import { randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import { fromFdPromise, type Entry } from 'yauzl'
import { UnreadableTable } from '../table.ts'

/** The XML documents of an Excel file. */
export type ExcelPackage = {
  has: (path: string) => boolean
  /** Returns the size of a document after unpacking, in bytes. */
  sizeOf: (path: string) => number
  /** Reads a document piece by piece: yields the size of each piece, in bytes, when the handlers have been called for it. */
  readXml: (path: string, handlers: XmlHandlers) => AsyncGenerator<number>
  /** Yields the unpacked bytes of a document. */
  readBytes: (path: string) => AsyncGenerator<Buffer>
}

/** The names of elements are without the prefix of their namespace, which every program may choose. The names of attributes keep it. */
type XmlHandlers = {
  open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

const maxFileBytes = 256 * 1024 * 1024
const maxEntries = 20_000
/** The maximum size of a document after unpacking. A sheet of a million rows with twenty cells has about this size. */
const maxDocumentBytes = 1024 * 1024 * 1024
/** The maximum size of all documents that are read, after unpacking. Each counts once, although a sheet is read several times. */
const maxReadBytes = 2 * maxDocumentBytes
/** The maximum length of one text, comment or tag. Excel allows 32,767 characters in a cell. */
const maxPieceLength = 2 * 1024 * 1024
/** The maximum number of elements inside each other. Excel needs about ten. */
const maxDepth = 100

/**
 * Creates a temporary file without a name, which the system deletes when it is closed, however this process ends.
 */
export async function createTemporaryFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `foyer-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

/** Copies an Excel file into a temporary file, because a zip file has its directory at the end. Throws `UnreadableTable`. */
export async function copyTo(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<void> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    if (size > maxFileBytes) throw new UnreadableTable('too_large')
    await file.appendFile(chunk) // not a stream, because one that fails closes the file
  }
}

/**
 * Opens the zip file. Throws `UnreadableTable`, also while documents are read: `too_large` if they have more than `maxBytes` together. When
 * the signal is aborted, reading throws its reason.
 */
export async function openPackage(
  file: FileHandle,
  { maxBytes = maxReadBytes, signal }: { maxBytes?: number; signal?: AbortSignal | undefined } = {},
): Promise<ExcelPackage> {
  const entries = new Map<string, Entry>()
  const zip = await fromFdPromise(file.fd, { autoClose: false, lazyEntries: true }).catch(refuse)
  try {
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName.toLowerCase(), entry)
      if (entries.size > maxEntries) throw new UnreadableTable('too_large')
    }
  } catch (error) {
    refuse(error)
  }
  const readEntries = new Set<Entry>()
  let readSize = 0
  async function* readBytes(path: string): AsyncGenerator<Buffer> {
    const entry = entries.get(path.toLowerCase())
    if (!entry) return
    if (entry.isEncrypted()) throw new UnreadableTable('encrypted')
    if (!readEntries.has(entry)) readSize += entry.uncompressedSize
    readEntries.add(entry)
    // yauzl refuses entries that unpack to another size
    if (entry.uncompressedSize > maxDocumentBytes || readSize > maxBytes) throw new UnreadableTable('too_large')
    try {
      yield* await zip.openReadStreamPromise(entry)
    } catch (error) {
      refuse(error)
    }
  }
  async function* readXml(path: string, handlers: XmlHandlers): AsyncGenerator<number> {
    if (!entries.has(path.toLowerCase())) return
    const write = createParser(handlers)
    try {
      for await (const chunk of readBytes(path)) {
        signal?.throwIfAborted()
        write(chunk)
        yield chunk.byteLength
      }
      write(undefined)
    } catch (error) {
      signal?.throwIfAborted()
      refuse(error)
    }
    yield 0
  }
  return {
    has: (path) => entries.has(path.toLowerCase()),
    sizeOf: (path) => entries.get(path.toLowerCase())?.uncompressedSize ?? 0,
    readXml,
    readBytes,
  }
}

/** Throws `UnreadableTable` for an error of the file. Throws other errors as they are, such as that the temporary disk is full. */
function refuse(error: unknown): never {
  throw error instanceof UnreadableTable || (error instanceof Error && 'syscall' in error) ? error : new UnreadableTable('damaged')
}

/**
 * Creates a parser that expands no entities and refuses documents that define some. It collects each text and tag in memory until its end,
 * so a long one is refused.
 */
function createParser({ open: opened, text, close }: XmlHandlers): (chunk: Buffer | undefined) => void {
  const parser = new SaxesParser()
  const decoder = new TextDecoder()
  let depth = 0
  let pieceLength = 0
  const fail = (): never => {
    throw new UnreadableTable('damaged')
  }
  parser.on('error', fail)
  parser.on('doctype', fail)
  parser.on('opentag', ({ name, attributes }) => {
    pieceLength = 0
    depth++
    if (depth > maxDepth) fail()
    opened?.(withoutPrefix(name), attributes)
  })
  if (text) parser.on('text', text)
  if (text) parser.on('cdata', text)
  parser.on('closetag', ({ name }) => {
    pieceLength = 0
    depth--
    close?.(withoutPrefix(name))
  })
  return (chunk) => {
    if (!chunk) return void parser.close()
    pieceLength += chunk.length
    parser.write(decoder.decode(chunk, { stream: true }))
    if (pieceLength > maxPieceLength) throw new UnreadableTable('too_large')
  }
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)
