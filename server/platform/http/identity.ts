import type { FastifyRequest } from 'fastify'
import type { Route } from '#contract/route.ts'
import type { Identity } from '#server/platform/identity.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { networkOf, type CountAttempt } from './limits.ts'

/** The identity of a request. `session` is the id of its session, if it has one. */
export type RequestIdentity = Identity & { session?: string }

/** Finds the identity of a request. Returns undefined when the request has no credentials that this function accepts. */
export type FindIdentity = (request: FastifyRequest) => Promise<RequestIdentity | undefined>

/**
 * The functions that features register for each type of caller. They are called in their order, and the first identity that one of them
 * finds is the identity of the request.
 */
export type IdentityFinders = Record<Exclude<Route['caller'], 'anyone'>, FindIdentity[]>

type Services = { finders: IdentityFinders; countAttempt: CountAttempt }

/**
 * Counts the request against the limits of its route and returns its identity; undefined for a route that anyone may call. Throws
 * `too_many_requests`, `not_signed_in`, `not_found` (a public page that does not exist) or `scope_missing`.
 */
export async function identify(
  { finders, countAttempt }: Services,
  route: Route,
  request: FastifyRequest,
): Promise<RequestIdentity | undefined> {
  const { perNetwork, perIdentity } = route.maxAttempts ?? {}
  const name = `${route.method} ${route.path}`
  if (perNetwork) await countAttempt(perNetwork, name, networkOf(request.ip))
  if (route.caller === 'anyone') return undefined
  const identity = await findIdentity(finders[route.caller], request)
  if (!identity) throw new Refusal(route.caller === 'user' ? 'not_signed_in' : 'not_found')
  if (route.caller === 'user' && !mayCall(identity, route)) throw new Refusal('scope_missing')
  if (perIdentity) await countAttempt(perIdentity, name, identity.owner, identity.actor)
  return identity
}

/** Returns the first identity that one of the functions finds; undefined when the request has no valid credentials. */
export async function findIdentity(finders: readonly FindIdentity[], request: FastifyRequest): Promise<RequestIdentity | undefined> {
  for (const find of finders) {
    const identity = await find(request)
    if (identity) return identity
  }
  return undefined
}

/** Whether the identity may call the route. A route without a scope requires a session. */
const mayCall = ({ session, scopes }: RequestIdentity, { scope }: Route): boolean =>
  session !== undefined || (scope !== undefined && scopes.includes(scope))
