/** A file in an archive. */
export type Entry = { name: string; body: Buffer }

const blockBytes = 512

/** Two empty blocks. */
export const tarEnd: Buffer = Buffer.alloc(2 * blockBytes)

/** A file as it stands in an archive (POSIX ustar), so that every `tar` can open it. Names take up to 100 bytes. */
export function tarEntry(name: string, body: Buffer, at: Date): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long for an archive`)
  const header = Buffer.alloc(blockBytes)
  header.write(name, 0)
  header.write('0000600\0' + '0000000\0'.repeat(2), 100) // mode, owner and group
  header.write(`${octal(body.length, 11)} ${octal(Math.floor(at.getTime() / 1000), 11)} `, 124)
  header.write('0', 156) // a plain file
  header.write('ustar', 257)
  header.write('00', 263)
  header.write(`${octal(checksum(header), 6)}\0 `, 148)
  return Buffer.concat([header, body, Buffer.alloc(paddingOf(body.length))])
}

/** The files of an archive, one after the other. Reads to the end of the source. Throws when it is no archive, or not whole. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const iterator = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  try {
    for (let header = await take(blockBytes); header[0] !== 0; header = await take(blockBytes)) {
      if (textAt(header, 257, 5) !== 'ustar' || parseInt(textAt(header, 148, 8), 8) !== checksum(header)) throw new Error('No archive')
      const size = parseInt(textAt(header, 124, 12), 8)
      yield { name: textAt(header, 0, 100), body: await take(size) }
      await take(paddingOf(size))
    }
    while (!(await iterator.next()).done); // only at its end does the source know that it was whole
  } finally {
    await iterator.return?.()
  }

  async function take(bytes: number): Promise<Buffer> {
    const parts = [rest]
    for (let missing = bytes - rest.length; missing > 0;) {
      const { done, value } = await iterator.next()
      if (done) throw new Error('The archive ends too early')
      parts.push(value)
      missing -= value.length
    }
    const all = Buffer.concat(parts)
    rest = all.subarray(bytes)
    return all.subarray(0, bytes)
  }
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

const paddingOf = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes

const textAt = (header: Buffer, from: number, bytes: number): string => header.toString('utf8', from, from + bytes).replace(/\0.*$/s, '')

/** The sum of a header's bytes, those of the sum itself taken as spaces. */
function checksum(header: Buffer): number {
  return Buffer.from(header)
    .fill(' ', 148, 156)
    .reduce((sum, byte) => sum + byte, 0)
}
