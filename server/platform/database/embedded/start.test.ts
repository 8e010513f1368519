import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { spawnDatabaseProcess, startDatabaseProcess, type DatabaseProcess } from '#server/testing/database-process.ts'
import { createCluster } from './cluster.ts'
import { prepareFolder } from './folder.ts'
import { prepareProgramFolder } from './programs.ts'
import { startEmbedded, type EmbeddedDatabase } from './start.ts'

const isRoot = process.getuid?.() === 0
/** The data folder of a stopped database. The tests use it one after the other, because creating a database takes a second. */
let sharedFolder: string
let testFolder: string
let folder: string
let cleanup: AsyncDisposableStack

beforeAll(async () => {
  sharedFolder = join(await createTemporaryFolder(), 'data')
  // the first start is killed while it creates the database
  const killedProcess = spawnDatabaseProcess(sharedFolder)
  await vi.waitUntil(() => existsSync(join(sharedFolder, 'pg.new/PG_VERSION')), { interval: 5, timeout: 20_000 })
  killedProcess.kill('SIGKILL')
  const first = await startEmbedded({ folder: sharedFolder, isConfigured: true })
  await first.stop()
  return () => rmSync(join(sharedFolder, '..'), { recursive: true, force: true })
})
beforeEach(async () => {
  cleanup = new AsyncDisposableStack()
  testFolder = await createTemporaryFolder()
  cleanup.defer(() => rmSync(testFolder, { recursive: true, force: true }))
  folder = join(testFolder, 'data')
})
afterEach(() => cleanup.disposeAsync())

test('a start creates the role foyer and its database, even after an earlier start was killed before it had created them', async () => {
  useSharedCluster()
  const database = await start()
  const [role] = await query(database, 'select rolsuper, rolcreaterole, rolbypassrls from pg_roles where rolname = current_user')
  expect(role).toEqual({ rolsuper: false, rolcreaterole: true, rolbypassrls: false })
  expect(await query(database, `select datname, pg_get_userbyid(datdba) as owner from pg_database where datname = 'foyer'`)).toEqual([
    { datname: 'foyer', owner: 'foyer' },
  ])
  // this word has 9 trigrams if the database knows the letters of all scripts, and none if it knows only Latin letters
  await query(database, 'create extension pg_trgm')
  expect(await query(database, `select cardinality(show_trgm('Шевченко')) as trigrams`)).toEqual([{ trigrams: 9 }])
})

test('a database that was created with LC_CTYPE C still starts', async () => {
  const { systemAccount, path, isFolderReachable } = prepareFolder(folder, { isConfigured: true })
  const cluster = {
    folder: join(path, 'pg'),
    programs: prepareProgramFolder(systemAccount),
    systemAccount,
    isFolderReachable,
    logFile: join(path, 'postgres.log'),
  }
  await createCluster(cluster, ['--no-sync'], ['xx_XX.UTF-8', 'C']) // the first value does not exist on any machine
  const database = await start()
  expect(await query(database, `select datctype, lower('ШЕВЧЕНКО') as folded from pg_database where datname = 'foyer'`)).toEqual([
    { datctype: 'C', folded: 'шевченко' },
  ])
})

test('one of three concurrent starts after a killed server succeeds, and the errors of the other two describe its process', async () => {
  useSharedCluster()
  await (await startHolder()).end('SIGKILL')
  const starts = await Promise.all([1, 2, 3].map(() => startDatabaseProcess(folder)))
  for (const holder of starts) cleanup.defer(() => holder.end('SIGTERM'))
  const [winner, ...others] = starts.toSorted((a, b) => b.firstMessage.localeCompare(a.firstMessage))
  expect(winner?.firstMessage).toBe('up')
  const pattern = `^The data folder ${folder} is in use by the Foyer at http://foyer.example \\(process ${winner?.process.pid} on \\S+ since \\S+\\): stop`
  for (const { firstMessage } of others) expect(firstMessage).toMatch(new RegExp(pattern))
})

test('a start waits for a Foyer that is stopping', async () => {
  useSharedCluster()
  const holder = await startHolder()
  holder.process.kill('SIGTERM')
  const database = await start()
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('the database that a killed server left running is ended and started again without losing a commit', async () => {
  useSharedCluster()
  const holder = await startHolder()
  const client = await connect(join(folder, 'run'))
  await holder.end('SIGKILL')
  await client.query('create table kept as select 1 as one') // the database still runs
  const database = await start()
  await expect(client.query('select one from kept')).rejects.toThrow('not queryable')
  expect(await query(database, 'select one from kept')).toEqual([{ one: 1 }])
})

test('a killed database is restarted, even if one of its child processes still runs a query', async () => {
  useSharedCluster()
  const database = await start()
  await query(database, 'create table before as select 1 as one')
  const runningQuery = query(database, endlessQuery).catch(String)
  await expect.poll(() => query(database, selectRunningQueries)).toContainEqual({ query: endlessQuery })
  process.kill(readDatabaseProcessId(), 'SIGKILL')
  expect(await runningQuery).toContain('terminated')
  await expect.poll(() => query(database, 'select one from before').catch(String)).toEqual([{ one: 1 }])
})

test('a start succeeds after a server and its database were killed together', async () => {
  useSharedCluster()
  const holder = await startHolder()
  const client = await connect(join(folder, 'run'))
  const runningQuery = client.query(endlessQuery).catch(String)
  await expect.poll(() => query({ socketFolder: join(folder, 'run') }, selectRunningQueries)).toContainEqual({ query: endlessQuery })
  process.kill(readDatabaseProcessId(), 'SIGKILL')
  await holder.end('SIGKILL')
  const database = await start()
  expect(await runningQuery).toContain('terminated')
  expect(await query(database, selectRunningQueries)).not.toContainEqual({ query: endlessQuery })
})

test('a start waits until an old database stops listening, and fails if that database continues to listen', async () => {
  useSharedCluster()
  mkdirSync(join(folder, 'run'), { recursive: true })
  const listener = createServer((connection) => connection.end())
  await once(listener.listen(join(folder, 'run/.s.PGSQL.5432')), 'listening')
  await expect(start()).rejects.toThrow('A database that this process cannot see, perhaps in another container, still serves')
  listener.once('connection', () => listener.close())
  expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a database that ends six times within a minute is not restarted', async () => {
  useSharedCluster()
  const database = await start()
  for (let kills = 0; kills < 6; kills++) {
    await expect.poll(() => query(database, 'select 1').catch(String), { interval: 20 }).toHaveLength(1)
    process.kill(readDatabaseProcessId(), 'SIGKILL')
  }
  expect(await database.crashed).toMatch(/^PostgreSQL ended 6 times within a minute:\n/)
})

test('data of another major version of PostgreSQL is refused, and the error says what to do', async () => {
  mkdirSync(join(folder, 'pg'), { recursive: true })
  writeFileSync(join(folder, 'pg/PG_VERSION'), '17\n')
  await expect(start()).rejects.toThrow(
    /was written by PostgreSQL 17, and this version of Foyer needs 18: run `npm run backup` with .* `npm run restore` with this version/,
  )
})

test('a start succeeds in a data folder whose path is longer than a socket path can be', async () => {
  folder = join(testFolder, 'd'.repeat(60), 'e'.repeat(60))
  useSharedCluster()
  const database = await start()
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  // the lock is in the data folder, not in a temporary folder
  expect(readdirSync(join(folder, 'run'))).toContainEqual(expect.stringMatching(/^owner-/))
})

test('a folder that the system account cannot reach is refused if the operator set it', async () => {
  const barrier = join(testFolder, 'private')
  mkdirSync(barrier, { mode: isRoot ? 0o700 : 0o500 })
  folder = join(barrier, 'data')
  const reason = isRoot ? `cannot enter ${barrier} on the way to ${folder}: choose a FOYER_DATA` : `cannot use the data folder ${folder}`
  await expect(start()).rejects.toThrow(reason)
  expect(existsSync(folder)).toBe(false)
})

test('the default folder works even if the system account of the database cannot reach it by its path', async () => {
  mkdirSync(join(testFolder, 'private'), { mode: 0o700 })
  folder = join(testFolder, 'private/data')
  const first = await startDatabaseProcess(folder, { isConfigured: false })
  expect(first.firstMessage).toBe('up')
  await first.end('SIGKILL')
  const database = await start({ isConfigured: false })
  await query(database, 'create extension pg_trgm')
  process.kill(readDatabaseProcessId(), 'SIGKILL')
  await expect.poll(() => query(database, 'select 1 as one').catch(String)).toEqual([{ one: 1 }])
})

/** A query that runs for hours and never checks whether its server is still running. */
const endlessQuery = 'select count(*) from generate_series(1, 1e12::bigint)'

const selectRunningQueries = `select query from pg_stat_activity where state = 'active'`

const createTemporaryFolder = async (): Promise<string> => {
  const path = await mkdtemp('/tmp/foyer-test-')
  chmodSync(path, 0o755)
  return path
}

/** Moves the stopped database to `folder` until the end of the test. */
function useSharedCluster(): void {
  mkdirSync(dirname(folder), { recursive: true })
  renameSync(sharedFolder, folder)
  cleanup.defer(() => renameSync(folder, sharedFolder))
}

async function start({ isConfigured = true } = {}): Promise<EmbeddedDatabase> {
  return cleanup.adopt(await startEmbedded({ folder, isConfigured }), ({ stop }) => stop())
}

/** Starts the database in another process, which then holds the lock of the folder. */
async function startHolder(): Promise<DatabaseProcess> {
  const holder = cleanup.adopt(await startDatabaseProcess(folder), ({ end }) => end('SIGTERM'))
  expect(holder.firstMessage).toBe('up')
  return holder
}

async function query({ socketFolder }: { socketFolder: string }, text: string): Promise<unknown[]> {
  const client = await connect(socketFolder)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

async function connect(socketFolder: string): Promise<pg.Client> {
  const client = new pg.Client({ host: socketFolder, user: 'foyer', database: 'foyer' })
  client.on('error', () => {}) // the error is expected, because the tests kill the server
  await client.connect()
  return client
}

/** Returns the id of the main process of PostgreSQL. */
function readDatabaseProcessId(): number {
  return parseInt(readFileSync(join(folder, 'pg/postmaster.pid'), 'utf8'))
}
