// Creates the application from connection pools, platform and features, without listening on a port. `main.ts` and the tests use it.
import type { LookupFunction } from 'node:net'
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify'
import type pg from 'pg'
import type { Route } from '#contract/route.ts'
import { features, kinds, takeoutTables, publicPages, screens } from './features.ts'
import { createAi } from './platform/ai/ai.ts'
import type { AiSettings } from './platform/ai/settings.ts'
import { createDatabase, type Database } from './platform/database/database.ts'
import { watchDisk, type DiskLimits } from './platform/database/disk-watch.ts'
import { openPool } from './platform/database/pool.ts'
import { openSharedSlots } from './platform/database/shared-slots.ts'
import type { AppContext } from './platform/feature/context.ts'
import { errorCode } from './platform/error-code.ts'
import { createServer } from './platform/http/server.ts'
import { serveDocuments } from './platform/http/documents.ts'
import { mountHealth } from './platform/http/health.ts'
import { findIdentity } from './platform/http/identity.ts'
import { createRouter, type Router } from './platform/http/router.ts'
import type { Pages } from './platform/http/pages.ts'
import { startWorker } from './platform/jobs/worker.ts'
import { createChangeFeed } from './platform/journal/change-feed.ts'
import { createRecordSpace } from './platform/journal/record-space.ts'
import { createMailJobHandler } from './platform/mail/job.ts'
import type { Mail } from './platform/mail/mail.ts'
import { createOutboundFetch } from './platform/outbound/outbound.ts'
import { createDeleteJobHandler } from './platform/records/large-delete.ts'
import type { Storage } from './platform/storage/storage.ts'
import { warnAboutZoneData } from './platform/time/check-data.ts'
import { listSchedules } from './schedule.ts'

export type AppOptions = {
  /**
   * The connection settings of two roles. `application` runs the requests. `tableOwner` owns the tables and runs the queue of jobs, the
   * change feed and the schedules.
   */
  connections: { application: pg.ClientConfig; tableOwner: pg.ClientConfig }
  /** The public origin, such as `https://foyer.example`. */
  address: string
  isSignUpOpen: boolean
  /** The number of proxies in front of the server, whose forwarded headers are trusted. */
  trustedProxies: number
  mail: Mail
  pages: Pages
  logger: FastifyServerOptions['logger']
  isDevelopment: boolean
  now: () => Date
  storage: Storage
  /** The installation's key. It signs links and cookies, and encrypts secrets before they are stored. */
  installationKey: string
  /** The maximum size of all files of an owner, and of a file in a JSON body, in bytes. */
  fileLimits: { quotaBytes: number; jsonFileBytes: number }
  /** The maximum size of all records of an owner with their history, in bytes. */
  recordQuotaBytes: number
  ai: AiSettings
  /** Hosts with private addresses that outbound requests to addresses of users may reach. */
  allowedHosts: readonly string[]
  /** Finds the addresses of names for outbound requests, by default with the system's resolver. */
  lookup?: LookupFunction
  /** The disks of the database. */
  disk: DiskLimits
}

export type App = {
  server: FastifyInstance
  database: Database
  routes: Route[]
  /** The context of the features, for tests of functions that run inside the process. */
  context: AppContext
  router: Router
  stop: () => Promise<void>
}

/** The maximum number of database connections for requests. */
const maxConnections = 12
/** The maximum number of database connections of the role that owns the tables. */
const maxTableOwnerConnections = 4

/** Creates the application and starts its worker. `stop` ends all parts, the connection pools at the end. */
export async function createApp(options: AppOptions): Promise<App> {
  const { address, now, mail, pages, allowedHosts, lookup } = options
  const server = await createServer(options)
  let isStopping = false
  const onConnectionError = (error: Error): void => {
    // the pools end before their connections are closed, and the end of the embedded database then counts as an error of these
    if (!isStopping) server.log.warn({ code: errorCode(error), reason: error.message }, 'a database connection was lost')
  }
  const pool = openPool(options.connections.application, maxConnections, onConnectionError, options)
  const tableOwnerPool = openPool(options.connections.tableOwner, maxTableOwnerConnections, onConnectionError)
  const slots = openSharedSlots(options.connections.tableOwner)
  const disk = watchDisk(options.disk, server.log)
  const recordSpace = createRecordSpace(tableOwnerPool, options.recordQuotaBytes, server.log)
  const database = createDatabase(pool, slots, {
    readDisk: disk.state,
    reportFull: disk.reportFull,
    readRemainingBytes: recordSpace.readRemainingBytes,
    countWritten: recordSpace.count,
  })
  const changeFeed = createChangeFeed(tableOwnerPool)
  const titledTables = [...kinds, ...features.flatMap((feature) => feature.trashTables ?? [])]
  const context: AppContext = {
    database,
    mail,
    ai: createAi({ allowedHosts, operatorUrl: options.ai.connection?.baseUrl, ...(lookup && { lookup }) }),
    outbound: createOutboundFetch({ allowedHosts, ...(lookup && { lookup }) }),
    changeFeed,
    slots,
    disk,
    now,
    storage: options.storage,
    installationKey: options.installationKey,
    settings: {
      address,
      isSignUpOpen: options.isSignUpOpen,
      ...options.fileLimits,
      recordQuotaBytes: options.recordQuotaBytes,
      ai: options.ai,
      allowedHosts,
    },
    kinds,
    titledTables,
    tablesForSessionsOnly: features.flatMap((feature) => feature.tablesForSessionsOnly ?? []),
    takeoutTables,
    takeoutFiles: features.flatMap((feature) => feature.listTakeoutFiles ?? []),
  }
  const largeBodyBytes = computeJsonBytes(options.fileLimits.jsonFileBytes)
  const router = createRouter(server, { database, pool, slots, now, installationKey: options.installationKey, largeBodyBytes })
  warnAboutZoneData(server.log, now())
  const isSignedIn = async (request: FastifyRequest): Promise<boolean> => (await findIdentity(router.finders.user, request)) !== undefined
  mountHealth(router, { pool, disk, address })
  for (const feature of features) feature.mount?.(router, context)
  serveDocuments(server, {
    pages,
    screens,
    publicPages,
    services: {
      database,
      address,
      now,
      installationKey: options.installationKey,
      sendsMail: mail.isConfigured,
      isSignedIn,
      visitors: router.visitors,
    },
  })
  const worker = await startWorker({
    pool: tableOwnerPool,
    leaseConnection: options.connections.tableOwner,
    handlers: [
      createMailJobHandler(mail, now),
      createDeleteJobHandler(database),
      ...features.flatMap(({ jobs }) => jobs?.(context, tableOwnerPool) ?? []),
    ],
    schedules: listSchedules(tableOwnerPool, now),
    log: server.log,
    now,
  })
  return {
    server,
    database,
    routes: router.routes,
    context,
    router,
    stop: async () => {
      await changeFeed.stop()
      await Promise.all([server.close(), worker.stop()]) // at the same time, because both wait several seconds for slow clients and jobs
      await slots.stop()
      disk.stop()
      await recordSpace.stop()
      isStopping = true
      await Promise.all([pool.end(), tableOwnerPool.end()])
    },
  }
}

/** Returns the size of a JSON body with a file in base64, which needs four bytes for three, and with its other fields. */
const computeJsonBytes = (fileBytes: number): number => Math.ceil(fileBytes / 3) * 4 + 16 * 1024
