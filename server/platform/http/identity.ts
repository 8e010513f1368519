import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '#contract/errors.ts'
import { scopesOf, type Route } from '#contract/route.ts'
import type { Identity } from '#server/platform/identity.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { readApiKey } from './credentials.ts'
import { networkOf, type Attempts, type CountAttempt } from './limits.ts'

/**
 * The identity of a request. `session` is the id of its session, if it has one. `maxRequestsPerMinute` limits all requests of the identity
 * together.
 */
export type RequestIdentity = Identity & { session?: string; maxRequestsPerMinute?: number }

/** Finds the identity of a request. Returns undefined when the request has no credentials that this function accepts. */
export type FindIdentity = (request: FastifyRequest) => Promise<RequestIdentity | undefined>

/**
 * The functions that features register for each type of caller. They are called in their order, and the first identity that one of them
 * finds is the identity of the request.
 */
export type IdentityFinders = Record<Exclude<Route['caller'], 'anyone'>, FindIdentity[]>

type Services = { finders: IdentityFinders; countAttempt: CountAttempt; attempts: Pick<Attempts, 'count' | 'refuseExhausted'> }

/**
 * Counts the request against the limits of its route and returns its identity; undefined for a route that anyone may call. Throws
 * `too_many_requests`, `not_signed_in`, `key_unknown`, `not_found` (a public page that does not exist) or `scope_missing`.
 */
export async function identify(
  { finders, countAttempt, attempts }: Services,
  route: Route,
  request: FastifyRequest,
): Promise<RequestIdentity | undefined> {
  const { perNetwork, perIdentity, refusedPerNetwork } = route.maxRequestsIn15Minutes ?? {}
  const name = `${route.method} ${route.path}`
  if (perNetwork) await countAttempt(perNetwork, name, networkOf(request.ip))
  if (refusedPerNetwork) attempts.refuseExhausted({ key: refusedKey(route, request) })
  if (route.caller === 'anyone') return undefined
  const identity = await findIdentity(finders[route.caller], request)
  if (!identity) throw new Refusal(codeForNoIdentity(route, request))
  const { owner, actor, maxRequestsPerMinute } = identity
  if (maxRequestsPerMinute !== undefined)
    await attempts.count({ key: ['requests', owner, actor], windowSeconds: 60, limit: maxRequestsPerMinute })
  if (route.caller === 'user' && !mayCall(identity, route)) throw new Refusal('scope_missing')
  if (perIdentity) await countAttempt(perIdentity, name, owner, actor)
  return identity
}

/** Counts a request that was refused, if its route has a limit for these. When it is exceeded, `identify` refuses further requests. */
export async function countRefused({ countAttempt }: Pick<Services, 'countAttempt'>, route: Route, request: FastifyRequest): Promise<void> {
  const { refusedPerNetwork } = route.maxRequestsIn15Minutes ?? {}
  if (!refusedPerNetwork) return
  // the response reports the error for which the request was refused
  await countAttempt(refusedPerNetwork, ...refusedKey(route, request)).catch(() => {})
}

const refusedKey = ({ method, path }: Route, { ip }: FastifyRequest): string[] => [`refused ${method} ${path}`, networkOf(ip)]

/** Returns the error code for a request whose identity was not found. */
function codeForNoIdentity({ caller }: Route, request: FastifyRequest): ErrorCode {
  if (caller === 'visitor') return 'not_found'
  return readApiKey(request) === undefined ? 'not_signed_in' : 'key_unknown'
}

/** Returns the first identity that one of the functions finds; undefined when the request has no valid credentials. */
export async function findIdentity(finders: readonly FindIdentity[], request: FastifyRequest): Promise<RequestIdentity | undefined> {
  for (const find of finders) {
    const identity = await find(request)
    if (identity) return identity
  }
  return undefined
}

/** Whether the identity may call the route: with a session, or with one of the scopes of the route. */
const mayCall = ({ session, scopes }: RequestIdentity, route: Route): boolean =>
  session !== undefined || scopesOf(route).some((scope) => scopes.includes(scope))
