import { constants, crc32, deflateRawSync } from 'node:zlib'

/** An entry of a zip file. `size` is the size that the file announces, if it is not the real one. */
type ZipEntry = { name: string; content: string | Buffer | PackedContent; size?: number }
/** Content that is already compressed, because uncompressed it is too large for a test. `size` is its size before compression, in bytes. */
type PackedContent = { packed: Buffer; size: number }

/**
 * Returns a zip file. The positions of the fields are those of the local file header in PKWARE's "APPNOTE", counted after the signature.
 */
export function createZip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, size: announced } of entries) {
    const { packed, size, crc } = pack(content)
    const path = Buffer.from(name)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0) // version 2.0 of the format
    fields.writeUInt16LE(8, 4) // deflated
    fields.writeUInt32LE(crc, 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(announced ?? size, 18)
    fields.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, path, packed])
    const position = Buffer.alloc(14)
    position.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, position, path]))
    files.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06'), end])
}

function pack(content: ZipEntry['content']): PackedContent & { crc: number } {
  // the reader of zip files does not compare the checksum
  if (typeof content === 'object' && 'packed' in content) return { ...content, crc: 0 }
  const bytes = Buffer.from(content)
  return { packed: deflateRawSync(bytes), size: bytes.length, crc: crc32(bytes) }
}

/** Compresses a text in which `repeated` occurs `count` times, without ever having the whole text in memory. */
export function packRepeated(before: string, repeated: string, count: number, after: string): PackedContent {
  const pieces = [before, repeated, after].map((text) => Buffer.from(text))
  const [first, block, last] = pieces.map((piece, index) =>
    deflateRawSync(piece, { finishFlush: index === 2 ? constants.Z_FINISH : constants.Z_FULL_FLUSH }),
  )
  if (!first || !block || !last) throw new Error('There is nothing to pack')
  const size = Buffer.byteLength(before) + Buffer.byteLength(repeated) * count + Buffer.byteLength(after)
  return { packed: Buffer.concat([first, ...Array.from({ length: count }, () => block), last]), size }
}
