import { createHash } from 'node:crypto'
import { formatActor } from '#contract/actors.ts'
import type { Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { errorCode } from '#server/platform/error-code.ts'
import { readApiKey } from '#server/platform/http/credentials.ts'
import type { FindIdentity } from '#server/platform/http/identity.ts'
import { visitorOf } from '#server/platform/http/visitor.ts'
import { findActiveKey, storeLastUse } from './api-keys.store.ts'

/** The minimum time between two writes of a key's last use. */
const minLastUseIntervalMs = 60_000
/** The maximum number of requests with one key in a minute. */
const maxRequestsPerMinute = 600

/** Hashes a key with SHA-256, which is sufficient for 32 random bytes. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/**
 * Returns the function that finds the identity of a request with an API key. It reads the key for each request, so that a key that was
 * deleted, or has expired, is refused at once, in all processes.
 */
export const createKeyFinder =
  (database: Database, now: () => Date): FindIdentity =>
  async (request) => {
    const key = readApiKey(request)
    if (key === undefined || !/^sk_[\da-f]{64}$/.test(key)) return undefined
    const time = now()
    const found = await database.read(visitorOf(request), () => findActiveKey(hashKey(key), time))
    if (!found) return undefined
    const { id, user_id: owner, scopes, last_used_at: lastUse } = found
    if (lastUse === null || time.getTime() - Date.parse(lastUse) >= minLastUseIntervalMs) {
      // keys are not journaled, so the label is not used
      const stored = database.batch(callerFor(owner), '', () => storeLastUse(owner, id, time, minLastUseIntervalMs))
      // on a full disk the key can still be used for reading
      await stored.catch((error: unknown) => {
        if (errorCode(error) !== '53100') throw error // PostgreSQL's code of a full disk
      })
    }
    return { owner, actor: formatActor('api_key', id), scopes, hasAllRights: false, maxRequestsPerMinute }
  }
