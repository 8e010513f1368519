import type { FastifyRequest } from 'fastify'
import { actorOf } from '#contract/actors.ts'
import { sql, type Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import type { SignedIn } from '#server/platform/http/mount.ts'
import type { Sessions } from '#server/platform/http/sessions.ts'
import { hashToken, newToken } from '#server/platform/security/token.ts'
import { insertSession, touchSession } from './sessions.store.ts'

const day = 24 * 60 * 60 * 1000
/** A session ends this long after it was last used. */
const sessionLifeMs = 30 * day
/** How often the last use of a session is stored. */
const touchIntervalMs = 60 * 60 * 1000
/** How long this process keeps a session that another process may have ended. */
const cacheMs = 5000
const maxCached = 10_000

/** Without an owner: only the functions that look up sessions, emails and reset links give rows. */
export const anonymous = { owner: '', actor: actorOf('visitor') }

export function createSessions(database: Database, { now, https }: { now: () => Date; https: boolean }): Sessions {
  const cookie = https ? '__Host-foyer' : 'foyer'
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: https } as const
  const cached = new Map<string, SignedIn & { until: number }>()

  async function find(token: string): Promise<SignedIn | undefined> {
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
    return { owner: row.user_id, session: row.id }
  }

  async function authenticate(request: FastifyRequest): Promise<SignedIn | undefined> {
    const token = readToken(request, cookie)
    if (token === undefined) return undefined
    const known = cached.get(token)
    if (known && known.until > now().getTime()) return known
    cached.delete(token)
    const found = await find(token)
    if (!found) return undefined
    if (cached.size >= maxCached) cached.clear()
    cached.set(token, { ...found, until: now().getTime() + cacheMs })
    return found
  }

  return {
    authenticate,
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
      for (const [token, known] of cached) if (known.owner === owner) cached.delete(token)
    },
  }
}

function readToken(request: FastifyRequest, cookie: string): string | undefined {
  const { authorization } = request.headers
  if (authorization?.startsWith('Bearer ')) return authorization.slice('Bearer '.length)
  return request.cookies[cookie]
}
