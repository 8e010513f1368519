/** A file in an archive. The unread rest of its body is skipped when the next entry is requested. */
export type Entry = { name: string; bytes: number; body: AsyncIterable<Buffer> }

type Content = { bytes: number; body: AsyncIterable<Buffer> | Iterable<Buffer> }

const blockBytes = 512
const maxNameBytes = 100
const maxSize = 0o77777777777 // 8 GiB - 1, in 11 octal digits
const maxPaxBytes = 1024 * 1024
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
  if (Object.keys(records).length > 0) yield paxEntry(records, at)
  yield header(shortName(name), Math.min(bytes, maxSize), fileType, at)
  let written = 0
  for await (const chunk of body) {
    written += chunk.length
    yield chunk
  }
  if (written !== bytes) throw new Error(`${name} has ${written} bytes, and not the ${bytes} that were announced`)
  yield Buffer.alloc(paddingOf(bytes))
}

/** Formats a file whose content is in memory. */
export const tarBuffer = (name: string, body: Buffer, at: Date): AsyncGenerator<Buffer> =>
  tarEntry(name, { bytes: body.length, body: [body] }, at)

/** Returns the files of an archive, one after the other. Reads to the end of the source. Throws when it is not an archive, or incomplete. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const iterator = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  let unread = 0 // bytes of the current body
  try {
    let records: Record<string, string> = {}
    for (let block = await take(blockBytes); block[0] !== 0; block = await take(blockBytes)) {
      if (textAt(block, 257, 5) !== 'ustar' || parseInt(textAt(block, 148, 8), 8) !== checksum(block)) throw new Error('No archive')
      const type = textAt(block, 156, 1)
      const bytes = Number(records['size'] ?? parseInt(textAt(block, 124, 12), 8))
      if (type === paxType) {
        if (bytes > maxPaxBytes) throw new Error('No archive')
        records = readPax(await take(bytes))
      } else {
        unread = bytes
        if (type === fileType) yield { name: records['path'] ?? textAt(block, 0, maxNameBytes), bytes, body: present() }
        for await (const chunk of present()) void chunk
        records = {}
      }
      await take(paddingOf(bytes))
    }
    while (!(await iterator.next()).done); // the source throws at its end if it is incomplete
  } finally {
    await iterator.return?.()
  }

  async function* present(): AsyncGenerator<Buffer> {
    while (unread > 0) {
      const chunk = await some(unread)
      unread -= chunk.length
      yield chunk
    }
  }

  async function take(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let missing = bytes; missing > 0;) {
      const part = await some(missing)
      parts.push(part)
      missing -= part.length
    }
    return Buffer.concat(parts)
  }

  async function some(maxBytes: number): Promise<Buffer> {
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

function header(name: string, bytes: number, type: string, at: Date): Buffer {
  const block = Buffer.alloc(blockBytes)
  block.write(name, 0)
  block.write('0000600\0' + '0000000\0'.repeat(2), 100) // mode, owner and group
  block.write(`${octal(bytes, 11)} ${octal(Math.floor(at.getTime() / 1000), 11)} `, 124)
  block.write(type, 156)
  block.write('ustar', 257)
  block.write('00', 263)
  block.write(`${octal(checksum(block), 6)}\0 `, 148)
  return block
}

/** Whether a name is too long for a header, or has characters that programs read differently there. */
const needsPax = (name: string): boolean => name.length > maxNameBytes || !/^[ -~]*$/.test(name)

/** Returns the name for programs without pax support; the others read it from the records. */
const shortName = (name: string): string => name.replaceAll(/[^ -~]/gu, '_').slice(0, maxNameBytes)

/** Formats the pax records that complete the header of the next entry. */
function paxEntry(records: Record<string, string>, at: Date): Buffer {
  const body = Buffer.concat(Object.entries(records).map(([key, value]) => paxRecord(key, value)))
  return Buffer.concat([header('PaxHeader', body.length, paxType, at), body, Buffer.alloc(paddingOf(body.length))])
}

/** Formats "27 path=folder/files/name\n". The number counts all bytes of the record, including its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`)
  let bytes = rest.length
  while (bytes !== rest.length + String(bytes).length) bytes = rest.length + String(bytes).length
  return Buffer.concat([Buffer.from(String(bytes)), rest])
}

function readPax(body: Buffer): Record<string, string> {
  const records: Record<string, string> = {}
  for (let at = 0; at < body.length;) {
    const bytes = parseInt(body.toString('utf8', at, at + 8))
    const [, key, value] = /^\d+ ([^=]+)=(.*)\n$/s.exec(body.toString('utf8', at, at + bytes)) ?? []
    if (key === undefined || value === undefined) throw new Error('No archive')
    records[key] = value
    at += bytes
  }
  return records
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

const paddingOf = (bytes: number): number => (blockBytes - (bytes % blockBytes)) % blockBytes

const textAt = (block: Buffer, from: number, bytes: number): string => block.toString('utf8', from, from + bytes).replace(/\0.*$/s, '')

/** Adds the bytes of a header, counting those of the checksum field as spaces. */
function checksum(block: Buffer): number {
  return Buffer.from(block)
    .fill(' ', 148, 156)
    .reduce((sum, byte) => sum + byte, 0)
}
