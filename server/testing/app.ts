import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { createApp, type App, type AppOptions } from '#server/app.ts'
import type { Pages } from '#server/platform/http/pages.ts'
import { listSchedules } from '#server/schedule.ts'
import { setHashCost } from '#server/platform/security/password.ts'
import { setProofDifficulty } from '#server/platform/http/visitors/proof-of-work.ts'
import { openDiskStorage } from '#server/platform/storage/disk.ts'

const emptyPages: Pages = {
  application: async () => '<!doctype html>',
  publicPage: async () => ({ bytes: 0, withParts: () => Buffer.from('<!doctype html>') }),
}

setHashCost({ logN: 1, r: 8, p: 1 }) // the lowest cost, so that passwords are hashed fast
setProofDifficulty({ iterations: 1, prefix: '0' })

export type TestApp = App & {
  /**
   * A pool of the role that owns the tables and bypasses row security. Tests use it for checks, and to create rows that no route creates.
   */
  tableOwner: pg.Pool
  connections: AppOptions['connections']
  /** The folder of the stored objects, unless the options name another storage. */
  filesFolder: string
  /** Runs a schedule by its name, as it runs at the time `now`. */
  runSchedule: (name: string, now?: Date) => Promise<void>
}

/** Opens the application on a separate database, a copy of the migrated template. */
export async function openTestApp(options: Partial<AppOptions> = {}): Promise<TestApp> {
  const connections = options.connections ?? (await cloneDatabase())
  const filesFolder = mkdtempSync(join(tmpdir(), 'foyer-test-files-'))
  const app = await createApp({
    connections,
    address: 'http://foyer.test',
    isSignUpOpen: true,
    trustedProxies: 0,
    mail: { isConfigured: false, send: async () => {} },
    pages: emptyPages,
    logger: false,
    isDevelopment: true,
    now: () => new Date(),
    storage: openDiskStorage(filesFolder),
    installationKey: 'the key of an installation in tests',
    fileLimits: { quotaBytes: 10 * 1024 ** 3, jsonFileBytes: 1024 ** 2 },
    recordQuotaBytes: 10 * 1024 ** 3,
    ai: { connection: undefined, maxTokensPerDay: undefined },
    allowedHosts: [],
    disk: { folders: [], minFreeBytes: 0 },
    ...options,
  })
  const tableOwner = new pg.Pool({ ...connections.tableOwner, max: 2 })
  const runSchedule = async (name: string, now = new Date()): Promise<void> => {
    const schedule = listSchedules(tableOwner, () => now).find((each) => each.name === name)
    if (!schedule) throw new Error(`There is no schedule ${name}`)
    await schedule.run(new AbortController().signal)
  }
  const stop = async (): Promise<void> => {
    await app.stop()
    await tableOwner.end()
    rmSync(filesFolder, { recursive: true })
  }
  return { ...app, stop, tableOwner, connections, filesFolder, runSchedule }
}

/** Creates a database for one test file, as a copy of the migrated template. */
export async function cloneDatabase(): Promise<AppOptions['connections']> {
  const { host, template } = inject('postgres')
  const database = `test_${process.pid}_${process.hrtime.bigint()}`
  const admin = new pg.Client({ host, user: 'postgres', database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${database} template ${template} strategy file_copy owner foyer`)
  await admin.end()
  return { application: { host, database, user: 'foyer_app' }, tableOwner: { host, database, user: 'foyer' } }
}
