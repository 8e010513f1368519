import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Route } from '#contract/route.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { SharedSlots } from '#server/platform/database/shared-slots.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { findEarlierWrite, type EarlierWrite } from '#server/platform/journal/history.ts'
import { bodyLimitBytes } from './body.ts'
import type { IdentityFinders } from './identity.ts'
import { createVisitors, type Visitors } from './visitors/visitors.ts'
import { createAttempts, type Attempts, type CountAttempt } from './limits.ts'

/** Features add their routes to the router with `mount`. The router also has the services that every route needs. */
export type Router = {
  server: FastifyInstance
  /** Features add the functions that find the identity of a request. */
  finders: IdentityFinders
  /** Counts an attempt within the default time of a counter, as most routes need it. */
  countAttempt: CountAttempt
  /** All counters of attempts, for limits with another time or with attempts that are given back. */
  attempts: Attempts
  /** Protects the forms of public pages from programs and floods. */
  visitors: Visitors
  /** Limits how many files are sent to one owner at the same time. */
  slots: SharedSlots
  /** The maximum size of the bodies of routes with `largeBody`, in bytes. */
  largeBodyBytes: number
  findEarlierWrite: (caller: Caller, key: string) => Promise<EarlierWrite | undefined>
  /** All mounted routes, for the OpenAPI document and the tests of every route. */
  routes: Route[]
  /** The functions that run mounted routes without a request, for `callRoute`. */
  runInProcess: Map<Route, (caller: Caller, input: object) => Promise<unknown>>
}

type Services = { database: Database; pool: pg.Pool; slots: SharedSlots; now: () => Date; installationKey: string; largeBodyBytes?: number }

/**
 * Creates a router without routes. `pool` connects as the application's role. Without `largeBodyBytes`, the bodies of all routes have the
 * same maximum size.
 */
export function createRouter(
  server: FastifyInstance,
  { database, pool, slots, now, installationKey, largeBodyBytes = bodyLimitBytes }: Services,
): Router {
  const attempts = createAttempts(pool, now)
  return {
    server,
    finders: { user: [], visitor: [] },
    countAttempt: (limit, ...key) => attempts.count({ key, limit }),
    attempts,
    visitors: createVisitors({ installationKey, attempts, now }),
    slots,
    largeBodyBytes,
    findEarlierWrite: (caller, key) => database.read(caller, () => findEarlierWrite(caller.owner, key)),
    routes: [],
    runInProcess: new Map(),
  }
}
