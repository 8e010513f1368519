import { countTransferredBytes } from '#server/platform/memory.ts'
import type { TextEncoding } from '#contract/imports.ts'
import { detectEncoding, isAscii, type EncodingOptions } from './encoding.ts'

/** A file of which the beginning has been read. */
export type OpenBytes = { start: Uint8Array; rest: AsyncIterator<Uint8Array> }

/** The beginning of a file that decides how it is read, in bytes. A beginning with fewer bytes is the whole file. */
export const maxStartBytes = 1024 * 1024

/** Reads the beginning of a file. It does not depend on the sizes of the chunks, because a file must be read twice in the same way. */
export async function readStart(content: AsyncIterable<Uint8Array>): Promise<OpenBytes> {
  const rest = content[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let size = 0
  while (size < maxStartBytes) {
    const { done, value } = await rest.next()
    if (done) break
    chunks.push(value)
    size += value.byteLength
  }
  const read = Buffer.concat(chunks)
  if (size <= maxStartBytes) return { start: read, rest }
  return { start: read.subarray(0, maxStartBytes), rest: prepend(read.subarray(maxStartBytes), rest) }
}

/** Not a generator, because `return` of a generator that was never started would not call `return` of `rest`. */
function prepend(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncIterator<Uint8Array> {
  let hasReadFirst = false
  return {
    next: async () => {
      if (hasReadFirst) return rest.next()
      hasReadFirst = true
      return { done: false, value: first }
    },
    return: async () => {
      await rest.return?.()
      return { done: true, value: undefined }
    },
  }
}

/** Yields all bytes of the file. Ends the reading of the file when the caller stops early. */
export async function* readAll({ start, rest }: OpenBytes): AsyncGenerator<Uint8Array> {
  try {
    for (let from = 0; from < start.byteLength; from += chunkBytes) yield start.subarray(from, from + chunkBytes)
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      countTransferredBytes(4 * next.value.byteLength) // the cells of the rows need several times the size of the text
      yield next.value
    }
  } finally {
    await rest.return?.()
  }
}

const chunkBytes = 64 * 1024

/** Decodes the next bytes of a text. A call without bytes returns what is left at the end. */
type PieceDecoder = (bytes?: Uint8Array) => string

/**
 * Creates a decoder that removes the byte order mark and NUL, which PostgreSQL cannot store. With `oldLineEnds`, lines end with a carriage
 * return alone. With `isUndecided`, the 64 KB from the first byte that is not ASCII decide between UTF-8 and the encodings of Windows.
 */
function createDecoder(encoding: TextEncoding, { isUndecided, oldLineEnds }: { isUndecided: boolean; oldLineEnds: boolean }): PieceDecoder {
  const decode = isUndecided ? createDecidingDecoder() : createPieceDecoder(encoding, { ignoreBOM: false })
  return (bytes) => {
    const text = decode(bytes).replaceAll('\0', '')
    return oldLineEnds ? text.replaceAll('\r', '\n') : text
  }
}

function createPieceDecoder(encoding: TextEncoding, options: { ignoreBOM: boolean }): PieceDecoder {
  const decoder = new TextDecoder(encoding, options)
  return (bytes) => (bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode())
}

/**
 * The number of bytes that decide the encoding, from the first one that is not ASCII. One byte alone does not decide it: it can be a whole
 * character in Windows-1252, or a part of a character in UTF-8.
 */
const decidingBytes = 64 * 1024
/** The number of ASCII bytes before them that are considered too, because the letters beside a sign say whether it is in a word. */
const contextBytes = 64

/** Creates a decoder that holds text back from the first byte that is not ASCII, until it has the bytes that decide the encoding. */
function createDecidingDecoder(): PieceDecoder {
  let decodeRest: PieceDecoder | undefined
  let context = Buffer.alloc(0)
  let held: Uint8Array[] = []
  let heldBytes = 0
  const decide = (): PieceDecoder => {
    const start = Buffer.concat([context, ...held]).subarray(0, context.byteLength + decidingBytes)
    return createPieceDecoder(detectEncoding(start), { ignoreBOM: true }) // U+FEFF is a mark only at the beginning of a file
  }
  const decodeHeld = (decode: PieceDecoder): string => {
    const text = decode(Buffer.concat(held))
    held = []
    return text
  }
  return (bytes) => {
    if (decodeRest) return decodeRest(bytes)
    if (!bytes) {
      const decode = decide()
      return decodeHeld(decode) + decode()
    }
    const first = heldBytes > 0 ? 0 : bytes.findIndex((byte) => byte >= 0x80)
    const ascii = bytes.subarray(0, first < 0 ? bytes.byteLength : first)
    const rest = bytes.subarray(ascii.byteLength)
    context = Buffer.concat([context, ascii]).subarray(-contextBytes)
    if (rest.byteLength > 0) held.push(rest)
    heldBytes += rest.byteLength
    const text = new TextDecoder().decode(ascii)
    if (heldBytes < decidingBytes) return text
    decodeRest = decide()
    return text + decodeHeld(decodeRest)
  }
}

/** The decoded beginning of a text. A created decoder starts at the first byte of the file. */
export type TextStart = { encoding: TextEncoding; text: string; createDecoder: () => PieceDecoder }

/** The maximum number of bytes of an incomplete character in UTF-8. */
const maxCutBytes = 3

/** Decodes the beginning of a file, in its most likely encoding unless one is chosen. */
export function decodeStart(start: Uint8Array, options: EncodingOptions = {}): TextStart {
  const isWhole = start.byteLength < maxStartBytes
  const encoding = options.encoding ?? detectEncoding(start, { isWhole })
  // a beginning with only ASCII does not show the encoding; its last bytes can be an incomplete character, which is not ASCII
  const isUndecided = !options.encoding && encoding === 'utf-8' && !isWhole && isAscii(start.subarray(0, -maxCutBytes))
  const text = createDecoder(encoding, { isUndecided, oldLineEnds: false })(start)
  const oldLineEnds = text.includes('\r') && !text.includes('\n')
  return {
    encoding,
    text: oldLineEnds ? text.replaceAll('\r', '\n') : text,
    createDecoder: () => createDecoder(encoding, { isUndecided, oldLineEnds }),
  }
}

/** The length of a piece of text, in UTF-16 code units. It is small, so that few rows are read before they are needed. */
const pieceLength = 16 * 1024

/** Yields the text of a file in pieces. */
export async function* readText(bytes: OpenBytes, { createDecoder: create }: TextStart): AsyncGenerator<string> {
  const decode = create()
  for await (const chunk of readAll(bytes)) {
    const text = decode(chunk)
    for (let start = 0; start < text.length; start += pieceLength) yield text.slice(start, start + pieceLength)
  }
  yield decode()
}
