import type { FastifyReply, FastifyRequest } from 'fastify'
import { formatActor } from '#contract/actors.ts'
import { sql, type Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import type { RequestIdentity } from '#server/platform/http/identity.ts'
import type { Identity } from '#server/platform/identity.ts'
import { hashToken, newToken } from '#server/platform/security/token.ts'
import { insertSession, touchSession } from './sessions.store.ts'

const day = 24 * 60 * 60 * 1000
/** The lifetime of a session after its last use. */
const sessionLifeMs = 30 * day
/** The minimum time between two writes of a session's last use. */
const touchIntervalMs = 60 * 60 * 1000
/** The time for which this process caches a session, which another process may have ended. */
const cacheMs = 5000
const maxCached = 10_000

/** An identity without an owner. It can only call the SQL functions that look up sessions, emails and reset links. */
export const anonymous: Identity = { owner: '', actor: formatActor('visitor'), scopes: [] }

type SessionIdentity = RequestIdentity & { session: string }

/** The sessions of users, identified by a token in a cookie or in `Authorization: Bearer`. */
type Sessions = {
  /** Finds the user of a request. */
  identify: (request: FastifyRequest) => Promise<SessionIdentity | undefined>
  /** Begins a session and sets its cookie. Programs use the returned token. */
  begin: (owner: string, request: FastifyRequest, reply: FastifyReply) => Promise<{ id: string; token: string }>
  /** Removes the cookie. */
  clearCookie: (reply: FastifyReply) => void
  /** Removes the sessions of an owner from the cache of this process. Must be called when sessions end. */
  forget: (owner: string) => void
}

export function createSessions(database: Database, { now, https }: { now: () => Date; https: boolean }): Sessions {
  const cookie = https ? '__Host-foyer' : 'foyer'
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: https } as const
  const cached = new Map<string, { identity: SessionIdentity; until: number }>()

  async function find(token: string): Promise<SessionIdentity | undefined> {
    const at = now()
    const hash = hashToken(token)
    const [row] = await database.read(anonymous, () =>
      sql<{ id: string; user_id: string; last_seen_at: string }>('select id, user_id, last_seen_at from app.session_by_token($1, $2)', [
        hash,
        at,
      ]),
    )
    if (!row) return undefined
    if (at.getTime() - Date.parse(row.last_seen_at) > touchIntervalMs) {
      await database.batch(callerFor(row.user_id), '', () => touchSession(row.user_id, row.id, at, new Date(at.getTime() + sessionLifeMs)))
    }
    return { ...callerFor(row.user_id), session: row.id }
  }

  async function identify(request: FastifyRequest): Promise<SessionIdentity | undefined> {
    const token = readToken(request, cookie)
    if (token === undefined) return undefined
    const known = cached.get(token)
    if (known && known.until > now().getTime()) return known.identity
    cached.delete(token)
    const found = await find(token)
    if (!found) return undefined
    if (cached.size >= maxCached) cached.clear()
    cached.set(token, { identity: found, until: now().getTime() + cacheMs })
    return found
  }

  return {
    identify,
    begin: async (owner, request, reply) => {
      const { token, hash } = newToken()
      const at = now()
      const userAgent = (request.headers['user-agent'] ?? '').slice(0, 500)
      const id = await database.batch(callerFor(owner), '', () =>
        insertSession(owner, { hash, now: at, expiresAt: new Date(at.getTime() + sessionLifeMs), userAgent }),
      )
      reply.setCookie(cookie, token, { ...options, maxAge: sessionLifeMs / 1000 })
      return { id, token }
    },
    clearCookie: (reply) => void reply.clearCookie(cookie, options),
    forget: (owner) => {
      for (const [token, known] of cached) if (known.identity.owner === owner) cached.delete(token)
    },
  }
}

function readToken(request: FastifyRequest, cookie: string): string | undefined {
  const { authorization } = request.headers
  if (authorization?.startsWith('Bearer ')) return authorization.slice('Bearer '.length)
  return request.cookies[cookie]
}
