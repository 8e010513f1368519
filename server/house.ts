// Puts the house together: pools, platform, features. The program and the tests open it the same way.
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type pg from 'pg'
import type { Route } from '#contract/route.ts'
import { createSessions } from './accounts/sessions.ts'
import { phoneKeysTask } from './contacts/phone-keys.job.ts'
import { mountFeatures } from './features.ts'
import { createDatabase, type Database } from './platform/database/database.ts'
import { openPool } from './platform/database/pool.ts'
import type { House } from './platform/feature.ts'
import { createApp } from './platform/http/app.ts'
import { serveDocuments } from './platform/http/documents.ts'
import { mountHealth } from './platform/http/health.ts'
import { createLimits } from './platform/http/limits.ts'
import type { Door } from './platform/http/mount.ts'
import type { Pages } from './platform/http/pages.ts'
import { startWorker } from './platform/jobs/worker.ts'
import { findRepeat } from './platform/journal/history.ts'
import { tailJournal } from './platform/journal/tail.ts'
import { mailTask } from './platform/mail/job.ts'
import type { Mail } from './platform/mail/mail.ts'
import { clocks } from './schedule.ts'

export type Plan = {
  /** How the application's role connects, and the role that owns the tables (jobs, tail, nightly work). */
  connections: { application: pg.ClientConfig; owner: pg.ClientConfig }
  address: string
  signUpOpen: boolean
  trustedProxies: number
  mail: Mail
  pages: Pages
  logger: FastifyServerOptions['logger']
  development: boolean
  now: () => Date
}

export type OpenHouse = { app: FastifyInstance; database: Database; routes: Route[]; stop: () => Promise<void> }

/** Everything but the listening port. `stop` ends what runs, in reverse order. */
export async function openHouse(plan: Plan): Promise<OpenHouse> {
  const { address, now, mail, pages } = plan
  const app = await createApp(plan)
  const complain = (error: Error): void => app.log.warn({ err: error }, 'a database connection was lost')
  const pool = openPool(plan.connections.application, 12, complain)
  const bookkeeping = openPool(plan.connections.owner, 4, complain)
  const database = createDatabase(pool)
  const tail = tailJournal(bookkeeping)
  const house: House = { database, mail, tail, now, settings: { address, signUpOpen: plan.signUpOpen } }
  const sessions = createSessions(database, { now, https: address.startsWith('https:') })
  const { authenticate } = sessions
  const door: Door = {
    app,
    authenticate,
    countTry: createLimits(pool, now),
    findRepeat: (who, key) => database.read(who, () => findRepeat(who.owner, key)),
    mounted: [],
  }
  mountHealth(door, pool, address)
  mountFeatures(door, house, sessions)
  serveDocuments(app, { pages, address, now, isSignedIn: async (request) => (await authenticate(request)) !== undefined })
  const worker = await startWorker({
    pool: bookkeeping,
    listen: plan.connections.owner,
    tasks: { mail: mailTask(mail), 'phone keys': phoneKeysTask(bookkeeping) },
    clocks: clocks(bookkeeping, now),
    log: app.log,
    now,
  })
  return {
    app,
    database,
    routes: door.mounted,
    stop: async () => {
      await tail.stop()
      await app.close()
      await worker.stop()
      await Promise.all([pool.end(), bookkeeping.end()])
    },
  }
}
