// All checks of an installation, for the command `npm run doctor`.
import pg from 'pg'
import { pickDatabaseSettings, type Config } from './config.ts'
import { features } from './features.ts'
import { error, ok, runChecks, type Check, type CheckContext, type Finding } from './platform/doctor/check.ts'
import { checkDatabase, checkKey, checkMigrations, checkRowSecurity } from './platform/doctor/database.ts'
import { checkJobs } from './platform/doctor/jobs.ts'
import { checkJournal } from './platform/doctor/journal.ts'
import { checkAi, checkBackup, checkFolder, checkMail, checkKeyFile, checkZones } from './platform/doctor/machine.ts'
import { openForCheck } from './platform/database/open.ts'
import { OperatorError } from './platform/operator-error.ts'
import { openKeyFile } from './platform/security/key-file.ts'
import { openStorage } from './platform/storage/open.ts'

/** `comparesHashes`: also reads all bytes of files. `repairs`: repairs what can be repaired without risk. */
export type DoctorOptions = { comparesHashes: boolean; repairs: boolean; now: Date }

export type Result = Finding & { name: string }

/** Checks an installation, with Foyer running or stopped. Changes nothing without the option `repairs`. */
export async function* examine(config: Config, options: DoctorOptions): AsyncGenerator<Result> {
  const { now } = options
  const folder = config.data.folder
  const usesFolder = config.database === undefined || 'folder' in config.storage
  yield { name: 'Settings', ...ok('The settings are valid.') }
  yield* runChecks([
    { name: 'Key', run: () => checkKeyFile(config.keyFile) },
    ...(usesFolder ? [{ name: 'Disk', run: () => checkFolder(folder) }] : []),
    { name: 'Mail', run: () => checkMail(config.mail.server?.reveal()) },
    { name: 'AI', run: () => checkAi(config.ai, config.allowedHosts) },
    { name: 'Backup', run: () => checkBackup(folder, now) },
    { name: 'Time zones', run: () => checkZones(now) },
  ])
  await using resources = new AsyncDisposableStack()
  const database = await connect(config, resources).catch((thrown: unknown) => error(describeError(thrown, config)))
  if ('status' in database) {
    yield { name: 'Database', ...database }
    return
  }
  const { tableOwner, application } = database
  yield* runChecks([{ name: 'Key', run: () => checkKey(tableOwner, openKeyFile(config.keyFile)) }])
  const storage = await openStorage(config.storage)
  yield* examineRows({ ...options, tableOwner, storage, quotaBytes: config.fileLimits.quotaBytes }, application)
}

/** Connects as the role that owns the tables. Also returns the connection settings of the application's role. */
async function connect(config: Config, resources: AsyncDisposableStack): Promise<{ tableOwner: pg.Client; application: pg.ClientConfig }> {
  const { connections } = resources.adopt(await openForCheck(pickDatabaseSettings(config)), ({ stop }) => stop())
  const tableOwner = resources.adopt(new pg.Client(connections.tableOwner), (client) => client.end())
  await tableOwner.connect()
  return { tableOwner, application: connections.application }
}

/** Checks the rows of an installation and its stored bytes. Without the migrations of this version the rows are not checked. */
export async function* examineRows(context: Omit<CheckContext, 'journaledTables'>, application: pg.ClientConfig): AsyncGenerator<Result> {
  const kinds = features.flatMap((feature) => [...(feature.kinds ?? []), ...(feature.trashTables ?? [])])
  const fullContext: CheckContext = { ...context, journaledTables: kinds.map(({ table }) => table) }
  let isMigrated = true
  for await (const result of runChecks([
    { name: 'Database', run: () => checkDatabase(fullContext) },
    { name: 'Migrations', run: () => checkMigrations(fullContext) },
  ])) {
    isMigrated &&= result.status !== 'error'
    yield result
  }
  if (!isMigrated) return
  const checks: Check[] = [
    { name: 'Row security', run: () => checkRowSecurity(fullContext, application) },
    { name: 'Journal', run: () => checkJournal(fullContext) },
    { name: 'Jobs', run: () => checkJobs(fullContext) },
    ...features.flatMap((feature) => feature.checks?.(fullContext) ?? []),
  ]
  yield* runChecks(checks)
}

function describeError(thrown: unknown, { database, data }: Config): string {
  if (thrown instanceof OperatorError) return thrown.message // the message says what to do
  const reason = thrown instanceof Error ? thrown.message || thrown.name : String(thrown)
  return `The database cannot be reached: ${reason}. Check ${database ? 'DATABASE_URL' : `the data folder ${data.folder}`}.`
}
