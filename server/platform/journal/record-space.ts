// Counts the bytes that owners write to records and journal, in memory first, so that a write does not update a row that others wait for.
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { sql } from '#server/platform/database/database.ts'

/** Counts the space that the records and the journal of each owner need. */
export type RecordSpace = {
  /** Adds the bytes of a committed write; negative for an erased history. */
  count: (owner: string, bytes: number) => void
  /**
   * Returns the bytes that are left of the owner's quota. Returns undefined if PostgreSQL must look it up: because this process has not
   * stored the owner's sum in the last seconds and so does not know it, or because less than a tenth is left.
   */
  readRemainingBytes: (owner: string) => number | undefined
  /** Stores what is not stored yet. */
  stop: () => Promise<void>
}

/** A larger sum is stored immediately, so that other processes know it. */
const maxUnstoredBytes = 1_000_000
const storeEveryMs = 1000
/** The time for which a sum read from the database is used. Other processes may change the sum in the meantime. */
const sumValidMs = 5000
/** The maximum number of owners whose sums are kept in memory. */
const maxKnownSums = 10_000

/**
 * Creates the counter. It stores the sums after a second at the latest. A crash loses the bytes of that second, which `correctRecordSpace`
 * adds when it measures everything again, once a day. `tableOwner` connects as the role that owns the tables.
 */
export function createRecordSpace(tableOwner: pg.Pool, quotaBytes: number, log: Pick<FastifyBaseLogger, 'warn'>): RecordSpace {
  /** Bytes of each owner that are not stored yet. */
  const unstored = new Map<string, number>()
  /** The stored sum of each owner. `until`: the time after which it is not used any more. */
  const knownSums = new Map<string, { bytes: number; until: number }>()
  let timer: NodeJS.Timeout | undefined
  let storing: Promise<void> = Promise.resolve()

  const add = (owner: string, bytes: number): number => {
    const sum = (unstored.get(owner) ?? 0) + bytes
    if (sum === 0) unstored.delete(owner)
    else unstored.set(owner, sum)
    return sum
  }

  async function store(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const sums = [...unstored]
    if (sums.length === 0) return
    try {
      const { rows } = await tableOwner.query<{ owner: string; bytes: string }>('select owner, bytes from app.add_record_use($1, $2)', [
        sums.map(([owner]) => owner),
        sums.map(([, bytes]) => bytes),
      ])
      for (const [owner, bytes] of sums) add(owner, -bytes)
      if (knownSums.size > maxKnownSums) knownSums.clear()
      for (const { owner, bytes } of rows) knownSums.set(owner, { bytes: Number(bytes), until: performance.now() + sumValidMs })
    } catch (error) {
      log.warn({ err: error }, 'the space of records could not be stored')
      startTimer()
    }
  }

  const startTimer = (): void => void (timer ??= setTimeout(() => void queueStore(), storeEveryMs).unref())
  const queueStore = (): Promise<void> => (storing = storing.then(store))

  return {
    count: (owner, bytes) => {
      if (owner === '' || bytes === 0) return
      if (Math.abs(add(owner, bytes)) > maxUnstoredBytes) void queueStore()
      else startTimer()
    },
    readRemainingBytes: (owner) => {
      const sum = knownSums.get(owner)
      if (!sum || sum.until < performance.now()) return undefined
      const remainingBytes = quotaBytes - sum.bytes - (unstored.get(owner) ?? 0)
      return remainingBytes > quotaBytes / 10 ? remainingBytes : undefined
    },
    stop: async () => {
      await queueStore()
      clearTimeout(timer)
    },
  }
}

/** Returns the bytes of the owner's records and journal. Must be called inside `read` or `transaction`. */
export async function readRecordSpace(owner: string): Promise<number> {
  const [row] = await sql<{ bytes: number }>('select bytes from record_use where user_id = $1', [owner])
  return Math.max(0, row?.bytes ?? 0)
}

/** Measures the stored records and journals of all owners again. `tableOwner` connects as the role that owns the tables. */
export async function correctRecordSpace(tableOwner: pg.Pool): Promise<void> {
  await tableOwner.query('select app.correct_record_use()')
}
