import pg from 'pg'
import { inject } from 'vitest'
import { createApp, type App, type AppOptions } from '#server/app.ts'
import type { Pages } from '#server/platform/http/pages.ts'

const readEmptyPage = async (): Promise<string> => '<!doctype html>'
const emptyPages: Pages = { application: readEmptyPage, publicPage: readEmptyPage }

export type TestApp = App & {
  /**
   * A pool of the role that owns the tables and bypasses row security. Tests use it for checks, and to create rows that no route creates.
   */
  tableOwner: pg.Pool
  connections: AppOptions['connections']
}

/** Opens the application on a separate database, a copy of the migrated template. */
export async function openTestApp(options: Partial<AppOptions> = {}): Promise<TestApp> {
  const connections = options.connections ?? (await cloneDatabase())
  const app = await createApp({
    connections,
    address: 'http://foyer.test',
    isSignUpOpen: true,
    trustedProxies: 0,
    mail: { sends: false, send: async () => {} },
    pages: emptyPages,
    logger: false,
    isDevelopment: true,
    now: () => new Date(),
    ...options,
  })
  const tableOwner = new pg.Pool({ ...connections.tableOwner, max: 2 })
  const stop = async (): Promise<void> => {
    await app.stop()
    await tableOwner.end()
  }
  return { ...app, stop, tableOwner, connections }
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
