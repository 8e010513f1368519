// Reads and writes tar archives. An archive consists of blocks of 512 bytes: each file has a header block and then its content, padded to
// full blocks. What does not fit into a header, such as a long name, is in pax records, in a separate entry before the file.

/** A file in an archive. If the caller does not read the whole body, the rest is skipped when the next entry is requested. */
export type Entry = { name: string; bytes: number; body: AsyncIterable<Buffer> }

/** The content of a file and its size. */
type Content = { bytes: number; body: AsyncIterable<Buffer> | Iterable<Buffer> }

const blockBytes = 512
const maxNameBytes = 100
const maxSize = 0o77777777777 // 8 GiB - 1, in 11 octal digits
/** Limits the memory that a damaged or hostile archive can use. */
const maxPaxBytes = 1024 * 1024
/** The types of entries in a header: a file, and pax records for the next file. */
const fileType = '0'
const paxType = 'x'

/** The end of an archive: two empty blocks. */
export const tarEnd: Buffer = Buffer.alloc(2 * blockBytes)

/**
 * Formats a file as blocks of a POSIX pax archive, which every `tar` can open. Throws when the size of the body differs from
 * `content.bytes`.
 */
export async function* tarEntry(name: string, content: Content, at: Date): AsyncGenerator<Buffer> {
  const { bytes, body } = content
  const records = { ...(needsPax(name) && { path: name }), ...(bytes > maxSize && { size: String(bytes) }) }
  if (Object.keys(records).length > 0) yield formatPaxEntry(records, at)
  yield formatHeader(toShortName(name), Math.min(bytes, maxSize), fileType, at)
  let written = 0
  for await (const chunk of body) {
    written += chunk.length
    yield chunk
  }
  if (written !== bytes) throw new Error(`${name} has ${written} bytes, but its header says ${bytes}`)
  yield Buffer.alloc(countPadding(bytes))
}

/** Formats a file whose content is in memory. */
export const tarBuffer = (name: string, body: Buffer, at: Date): AsyncGenerator<Buffer> =>
  tarEntry(name, { bytes: body.length, body: [body] }, at)

/**
 * Returns the files of an archive, one after the other. Reads to the end of the source. Throws if the source is not a tar archive or is
 * incomplete.
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const iterator = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  let unreadBytes = 0 // of the current file
  try {
    let records: Record<string, string> = {}
    for (let block = await readBytes(blockBytes); block[0] !== 0; block = await readBytes(blockBytes)) {
      // the offsets are those of the ustar format
      if (readText(block, 257, 5) !== 'ustar' || parseInt(readText(block, 148, 8), 8) !== computeChecksum(block))
        throw new Error('This is not a tar archive')
      const type = readText(block, 156, 1)
      const bytes = Number(records['size'] ?? parseInt(readText(block, 124, 12), 8))
      if (type === paxType) {
        if (bytes > maxPaxBytes) throw new Error('This is not a tar archive')
        records = readPax(await readBytes(bytes))
      } else {
        unreadBytes = bytes
        if (type === fileType) yield { name: records['path'] ?? readText(block, 0, maxNameBytes), bytes, body: readBody() }
        for await (const chunk of readBody()) void chunk // skips what the caller has not read
        records = {}
      }
      await readBytes(countPadding(bytes))
    }
    while (!(await iterator.next()).done); // reads to the end, where an incomplete source throws
  } finally {
    await iterator.return?.()
  }

  async function* readBody(): AsyncGenerator<Buffer> {
    while (unreadBytes > 0) {
      const chunk = await readSome(unreadBytes)
      unreadBytes -= chunk.length
      yield chunk
    }
  }

  /** Reads exactly this number of bytes. */
  async function readBytes(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = []
    let missing = bytes
    while (missing > 0) {
      const part = await readSome(missing)
      parts.push(part)
      missing -= part.length
    }
    return Buffer.concat(parts)
  }

  /** Reads at least one byte. Throws at the end of the source. */
  async function readSome(maxBytes: number): Promise<Buffer> {
    while (rest.length === 0) {
      const { done, value } = await iterator.next()
      if (done) throw new Error('The archive ends too early')
      rest = value
    }
    const part = rest.subarray(0, maxBytes)
    rest = rest.subarray(part.length)
    return part
  }
}

/** Formats the header block of a file. The offsets are those of the ustar format; numbers are in octal digits. */
function formatHeader(name: string, bytes: number, type: string, at: Date): Buffer {
  const block = Buffer.alloc(blockBytes)
  block.write(name, 0)
  block.write('0000600\0' + '0000000\0'.repeat(2), 100) // mode, owner and group
  block.write(`${formatOctal(bytes, 11)} ${formatOctal(Math.floor(at.getTime() / 1000), 11)} `, 124)
  block.write(type, 156)
  block.write('ustar', 257)
  block.write('00', 263)
  block.write(`${formatOctal(computeChecksum(block), 6)}\0 `, 148)
  return block
}

/** Returns whether a name is too long for a header, or has characters that are not printable ASCII. */
const needsPax = (name: string): boolean => name.length > maxNameBytes || !/^[ -~]*$/.test(name)

/** Returns the name in the header. Programs with pax support ignore it and read the name from the records. */
const toShortName = (name: string): string => name.replaceAll(/[^ -~]/gu, '_').slice(0, maxNameBytes)

/** Formats the pax records that complete the header of the next entry. */
function formatPaxEntry(records: Record<string, string>, at: Date): Buffer {
  const body = Buffer.concat(Object.entries(records).map(([key, value]) => formatPaxRecord(key, value)))
  return Buffer.concat([formatHeader('PaxHeader', body.length, paxType, at), body, Buffer.alloc(countPadding(body.length))])
}

/** Formats "27 path=folder/files/name\n". The number counts all bytes of the record, including its own digits. */
function formatPaxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`)
  let bytes = rest.length // repeats, because an additional digit increases the number
  while (bytes !== rest.length + String(bytes).length) bytes = rest.length + String(bytes).length
  return Buffer.concat([Buffer.from(String(bytes)), rest])
}

/** Parses pax records. */
function readPax(body: Buffer): Record<string, string> {
  const records: Record<string, string> = {}
  let start = 0
  while (start < body.length) {
    const bytes = parseInt(body.toString('utf8', start, start + 8))
    const [, key, value] = /^\d+ ([^=]+)=(.*)\n$/s.exec(body.toString('utf8', start, start + bytes)) ?? []
    if (key === undefined || value === undefined) throw new Error('This is not a tar archive')
    records[key] = value
    start += bytes
  }
  return records
}

const formatOctal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

/** Returns the number of bytes that fill the last block of a file. */
const countPadding = (bytes: number): number => (blockBytes - (bytes % blockBytes)) % blockBytes

/** Reads a text field of a header, which ends at its first zero byte. */
const readText = (block: Buffer, from: number, bytes: number): string => block.toString('utf8', from, from + bytes).replace(/\0.*$/s, '')

/** Returns the sum of the bytes of a header. The eight bytes of the checksum field count as spaces. */
function computeChecksum(block: Buffer): number {
  return Buffer.from(block)
    .fill(' ', 148, 156)
    .reduce((sum, byte) => sum + byte, 0)
}
