import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql, type Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { errorCode } from '#server/platform/error-code.ts'
import { readApiKey, readBearerToken } from '#server/platform/http/credentials.ts'
import type { RequestIdentity } from '#server/platform/http/identity.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { hashToken, newToken } from '#server/platform/security/token.ts'
import { insertSession, touchSession, type VerifiedUser } from './sessions.store.ts'
import { visitorOf, type Visitor } from '#server/platform/http/visitor.ts'

const dayMs = 24 * 60 * 60 * 1000
/** The lifetime of a session after its last use. */
const sessionLifeMs = 30 * dayMs
/** How long browsers keep the cookie: longer than `sessionLifeMs`, because the cookie is set only at the sign-in. */
const cookieLifeMs = 400 * dayMs // browsers keep no cookie longer: https://www.rfc-editor.org/info/rfc6265bis
/** The minimum time between two writes of a session's last use. */
const touchIntervalMs = 60 * 60 * 1000
/** The time for which this process caches a session. A session that another process ends can still be used for this time. */
const cacheMs = 5000
/** The maximum number of cached sessions. A full cache is emptied. */
const maxCached = 10_000

type SessionIdentity = RequestIdentity & { session: string }

/** The sessions of users. A request names its session by a token in a cookie or in the header `Authorization: Bearer`. */
type Sessions = {
  /** Finds the session of a request and its user. */
  identify: (request: FastifyRequest) => Promise<SessionIdentity | undefined>
  /**
   * Begins a session and sets its cookie. Returns the token for clients without cookies. Throws `wrong_credentials` when the password has
   * changed since it was verified, because the change has ended all earlier sessions and would miss this one.
   */
  begin: (user: VerifiedUser, request: FastifyRequest, reply: FastifyReply) => Promise<{ id: string; token: string }>
  /** Removes the cookie. */
  clearCookie: (reply: FastifyReply) => void
  /** Removes the sessions of an owner from the cache of this process. Must be called when sessions end. */
  forget: (owner: string) => void
}

export function createSessions(database: Database, { now, isHttps }: { now: () => Date; isHttps: boolean }): Sessions {
  const cookieName = isHttps ? '__Host-foyer' : 'foyer'
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps } as const
  const cache = new Map<string, { identity: SessionIdentity; expiresAtMs: number }>()
  /** Counts the calls of `forget`. A session that was read before such a call may have ended, so it is not cached. */
  let forgetCount = 0

  async function findByToken(token: string, visitor: Visitor): Promise<SessionIdentity | undefined> {
    const time = now()
    const hash = hashToken(token)
    const [row] = await database.read(visitor, () =>
      sql<{ id: string; user_id: string; last_seen_at: string }>('select id, user_id, last_seen_at from app.session_by_token($1, $2)', [
        hash,
        time,
      ]),
    )
    if (!row) return undefined
    if (time.getTime() - Date.parse(row.last_seen_at) > touchIntervalMs) {
      // sessions are not journaled, so the label is not used
      const touch = database.batch(callerFor(row.user_id), '', () => touchSession(row.user_id, row.id, time, expiryAfter(time)))
      // on a full disk the session can still be read
      await touch.catch((error: unknown) => {
        if (errorCode(error) !== '53100') throw error // PostgreSQL's code of a full disk
      })
    }
    return { ...callerFor(row.user_id), session: row.id }
  }

  async function identify(request: FastifyRequest): Promise<SessionIdentity | undefined> {
    const token = readToken(request, cookieName)
    if (token === undefined) return undefined
    const cachedSession = cache.get(token)
    if (cachedSession && cachedSession.expiresAtMs > now().getTime()) return cachedSession.identity
    cache.delete(token)
    const countBefore = forgetCount
    const identity = await findByToken(token, visitorOf(request))
    if (!identity || forgetCount !== countBefore) return identity
    if (cache.size >= maxCached) cache.clear()
    cache.set(token, { identity, expiresAtMs: now().getTime() + cacheMs })
    return identity
  }

  return {
    identify,
    begin: async (user, request, reply) => {
      const { token, hash } = newToken()
      const time = now()
      const userAgent = (request.headers['user-agent'] ?? '').slice(0, 500)
      const id = await database.batch(callerFor(user.id), '', () =>
        insertSession(user, { hash, now: time, expiresAt: expiryAfter(time), userAgent }),
      )
      if (id === undefined) throw new Refusal('wrong_credentials')
      reply.setCookie(cookieName, token, { ...options, maxAge: cookieLifeMs / 1000 })
      return { id, token }
    },
    clearCookie: (reply) => void reply.clearCookie(cookieName, options),
    forget: (owner) => {
      forgetCount++
      for (const [token, { identity }] of cache) if (identity.owner === owner) cache.delete(token)
    },
  }
}

const expiryAfter = (lastUse: Date): Date => new Date(lastUse.getTime() + sessionLifeMs)

/** Returns the token of a request; undefined if it has no token. With a Bearer token or an API key the cookie is not read. */
const readToken = (request: FastifyRequest, cookieName: string): string | undefined =>
  readApiKey(request) === undefined ? (readBearerToken(request) ?? request.cookies[cookieName]) : undefined
