import { randomBytes, randomInt } from 'node:crypto'

/** The lowest UUID, which sorts before every id. A query for the rows after this id begins with the first row. */
export const lowestId = '00000000-0000-0000-0000-000000000000'

/** The time and the counter of the last id. */
let last = { ms: 0, counter: 0 }
const maxCounter = 0xfff

/**
 * Returns a UUID of version 7: the time in milliseconds and random bits, so that newer ids sort after older ones. The ids of a process
 * sort in the order of the calls, also within a millisecond and after the clock of the machine was set back (RFC 9562, 6.2, method 1).
 */
export function newId(): string {
  last = nextTimeAndCounter(Date.now())
  const { ms, counter } = last
  const bytes = randomBytes(16)
  bytes.writeUIntBE(ms, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6) // the upper four bits are the version
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f) // the upper two bits are the variant
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Returns a time and a counter that sort after those of the last id. */
function nextTimeAndCounter(ms: number): typeof last {
  if (ms > last.ms) return { ms, counter: randomInt(maxCounter >> 1) } // leaves room for further ids of this millisecond
  return last.counter < maxCounter ? { ms: last.ms, counter: last.counter + 1 } : { ms: last.ms + 1, counter: 0 }
}
