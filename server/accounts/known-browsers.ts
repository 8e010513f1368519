import { createHash, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createSigner } from '#server/platform/security/signer.ts'
import type { UserWithHash } from './accounts.ts'

/** The lifetime of the cookie, a year: browsers accept at most 400 days. Each sign-in renews the cookie. */
const lifeMs = 365 * 24 * 60 * 60 * 1000

/**
 * Recognises browsers in which a user has signed in before, by a signed cookie for each user. The cookie is not a session: it only lets the
 * browser try to sign in when too many wrong passwords have locked out browsers without the cookie. A new password makes all these
 * cookies of the user invalid.
 */
export type KnownBrowsers = {
  /** Returns the id of the browser; undefined if this user has not signed in with it, or the cookie is not valid. */
  findId: (request: FastifyRequest, user: UserWithHash) => string | undefined
  /** Sets the cookie. */
  remember: (reply: FastifyReply, user: UserWithHash) => void
}

export function createKnownBrowsers({
  installationKey,
  now,
  isHttps,
}: {
  installationKey: string
  now: () => Date
  isHttps: boolean
}): KnownBrowsers {
  const signer = createSigner(installationKey, 'known browsers')
  // browsers accept a cookie with the prefix `__Secure-` only over HTTPS
  const nameOf = (user: UserWithHash): string => `${isHttps ? '__Secure-' : ''}foyer-known-${digest(user.id)}`
  /** The cookie's signed text is the random id of the browser and this suffix. */
  const suffixOf = ({ id, passwordHash }: UserWithHash): string => ` ${id} ${digest(passwordHash)}`
  return {
    findId: (request, user) => {
      const verification = signer.verify(request.cookies[nameOf(user)] ?? '', now())
      if (typeof verification === 'string') return undefined // the text is the reason why the signature is not accepted
      return verification.text.endsWith(suffixOf(user)) ? verification.text.split(' ')[0] : undefined
    },
    remember: (reply, user) => {
      const token = signer.sign(`${randomUUID()}${suffixOf(user)}`, new Date(now().getTime() + lifeMs))
      const options = { path: '/api/session', httpOnly: true, sameSite: 'lax', secure: isHttps } as const
      reply.setCookie(nameOf(user), token, { ...options, maxAge: lifeMs / 1000 })
    },
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
