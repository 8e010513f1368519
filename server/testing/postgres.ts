import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { storeZoneChanges } from '#server/bookings/zones/zone-rules.ts'
import { createCluster } from '#server/platform/database/embedded/cluster.ts'
import { makePrivateFolder, prepareFolder } from '#server/platform/database/embedded/folder.ts'
import { prepareProgramFolder } from '#server/platform/database/embedded/programs.ts'
import { createFoyerDatabase } from '#server/platform/database/embedded/start.ts'
import { startServer } from '#server/platform/database/embedded/server.ts'
import { createServerSettings } from '#server/platform/database/embedded/settings.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { ensurePartitions } from '#server/platform/journal/purge.ts'
import { listSchedules } from '#server/schedule.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; template: string }
  }
}

const template = 'template_foyer'
/** Settings that make PostgreSQL faster, but unsafe against power failures. */
const fastSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '32MB', max_connections: 200 }
/** PostgreSQL does not vacuum and analyse at times of its own, so that the plans of a test depend on what the test analyses. */
const repeatablePlans = { autovacuum: 'off' }

/** Starts one PostgreSQL for the whole test run, with a migrated template database that each test file copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { host, stop } = await startTestServer()
  await createFoyerDatabase(host, template)
  const connection = { host, user: 'foyer', database: template }
  await migrate(connection)
  await prepareSchedules(connection)
  project.provide('postgres', { host, template })
  return stop
}

/**
 * Stores the rules of all time zones and makes the partitions of the journal, as the first start of an installation does, and makes all
 * schedules that run once an hour or less often never due. The worker of each application would otherwise run all of them at its start,
 * which needs more processor time than most tests. Tests run these schedules with `runSchedule`.
 */
async function prepareSchedules(connection: pg.PoolConfig): Promise<void> {
  const tableOwner = new pg.Pool({ ...connection, max: 1 })
  await storeZoneChanges(tableOwner, new Date())
  await ensurePartitions(tableOwner)
  const schedules = listSchedules(tableOwner, () => new Date()).filter(({ everySeconds }) => everySeconds >= 60 * 60)
  await tableOwner.query(`insert into jobs.schedules (name, due_at) select unnest($1::text[]), 'infinity'`, [
    schedules.map(({ name }) => name),
  ])
  await tableOwner.end()
}

/** Starts a PostgreSQL without the roles and databases of Foyer. `host` is the folder of its socket. */
export async function startTestServer(
  settings: Record<string, string | number> = {},
): Promise<{ host: string; stop: () => Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), 'foyer-test-'))
  chmodSync(home, 0o711) // the system account must be able to enter the folder
  const { path, systemAccount, isFolderReachable } = prepareFolder(home, { isConfigured: false })
  const cluster = {
    folder: join(path, 'pg'),
    programs: prepareProgramFolder(systemAccount),
    systemAccount,
    isFolderReachable,
    logFile: join(path, 'postgres.log'),
  }
  const host = join(path, 'run')
  makePrivateFolder(host, systemAccount)
  await createCluster(cluster, ['--no-sync'])
  const server = await startServer(cluster, { ...createServerSettings(), ...fastSettings, ...repeatablePlans, ...settings })
  return {
    host,
    stop: async () => {
      await server.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
