// Parses the headers of downloads: ranges of bytes, and entity tags, which name a version of a file.

/** The positions of the first and the last byte, both included. */
export type ByteRange = { start: number; end: number }

/**
 * Parses a `Range` header. Returns undefined if the whole file must be sent: without the header, and for several ranges or a malformed
 * range, which a server may ignore (RFC 9110). Returns `unsatisfiable` when the range begins after the end of the file.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const lastBytes = Number(last) // `bytes=-10` asks for the last 10 bytes
    return lastBytes === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - lastBytes), end: size - 1 }
  }
  if (last !== '' && Number(last) < Number(first)) return undefined
  if (Number(first) >= size) return 'unsatisfiable'
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** Whether an `If-Match` header allows this entity tag. Weak tags (`W/"..."`) never match, as RFC 9110 requires for this header. */
export const allowsTag = (header: string | undefined, tag: string): boolean =>
  header === undefined || readTags(header).some((entry) => entry === '*' || entry === tag)

/** Whether an `If-None-Match` header names this entity tag. Weak tags match too, as RFC 9110 requires for this header. */
export const matchesTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined && readTags(header).some((entry) => entry === '*' || entry.replace(/^W\//, '') === tag)

const readTags = (header: string): string[] => header.split(',').map((entry) => entry.trim())
