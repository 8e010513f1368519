// The real program refuses to start: it prints one sentence that says what is wrong and what to do, and ends with exit code 1.
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, inject, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { queryAs } from '#server/testing/installations.ts'
import { mountSmallDisk } from '#server/testing/small-disk.ts'
import { runUntilEnd } from '#server/testing/start.ts'

const isRoot = process.getuid?.() === 0
let home: string
let silentServer: Server
/** Settings with which the start succeeds. The application's role has its own URL, so that no password of a role is changed. */
let workingSettings: Record<string, string>

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'foyer-start-'))
  chmodSync(home, 0o755)
  silentServer = createServer(() => {}).listen(0, '127.0.0.1') // accepts connections and never responds
  await once(silentServer, 'listening')
  const { tableOwner } = await cloneDatabase()
  const database = String(tableOwner.database)
  workingSettings = {
    PORT: '0',
    FOYER_DATA: join(home, 'data'),
    DATABASE_URL: urlOf('foyer', database),
    DATABASE_APP_URL: urlOf('foyer_app', database),
  }
  await queryAs(superuser(), `create role newcomer login`)
  return () => {
    silentServer.close()
    rmSync(home, { recursive: true })
  }
})

const superuser = () => ({ host: inject('postgres').host, user: 'postgres', database: 'postgres' })

/** Returns a URL of the PostgreSQL of the tests, which can be reached by its socket only. */
const urlOf = (role: string, database: string): string =>
  `postgres://${role}@localhost/${database}?host=${encodeURIComponent(inject('postgres').host)}`

const silentPort = (): string => {
  const address = silentServer.address()
  return typeof address === 'object' && address ? String(address.port) : ''
}

/**
 * Makes a data folder with a database folder `pg` of the account `owner`. It has the files that PostgreSQL reads first, but `pg_control` is
 * damaged. Returns the data folder.
 */
function makeDamagedDatabase(name: string, owner: number): string {
  const folder = join(home, name)
  mkdirSync(join(folder, 'pg/global'), { recursive: true, mode: 0o711 })
  const files = { PG_VERSION: '18\n', 'postgresql.conf': '', 'pg_hba.conf': '', 'pg_ident.conf': '', 'global/pg_control': 'x'.repeat(8192) }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, 'pg', file), text)
  if (isRoot) for (const path of ['', 'global', ...Object.keys(files)]) chownSync(join(folder, 'pg', path), owner, owner)
  chmodSync(join(folder, 'pg'), 0o700)
  return folder
}

/** An account that exists on every system and owns no files. */
const nobody = 65_534

type Case = [name: string, settings: () => Record<string, string>, sentence: RegExp, canRun?: boolean]

/** Without these URLs Foyer starts the embedded database. */
const embeddedSettings = { DATABASE_URL: '', DATABASE_APP_URL: '' }
const cases: Case[] = [
  ['an empty PORT', () => ({ PORT: '' }), /^PORT is empty; it must be a whole number from 0 to 65535\.$/],
  [
    'a HOST that is no address',
    () => ({ HOST: '256.1.1.1' }),
    /^HOST is "256\.1\.1\.1"; it must be a name or an address of this machine, /,
  ],
  [
    'a port in use',
    () => ({ PORT: silentPort() }),
    /^Another program uses the port \d+ on 127\.0\.0\.1: stop that program, or set PORT to /,
  ],
  ['an unknown host', () => ({ HOST: 'nowhere.invalid' }), /^The host nowhere\.invalid was not found: set HOST to /],
  ['an address of another machine', () => ({ HOST: '192.0.2.1' }), /^192\.0\.2\.1 is not an address of this machine: set HOST to /],
  [
    'a key file that cannot be read',
    () => ({ FOYER_SECRET_FILE: home }),
    /^Foyer cannot read the key in .+: give the file to the account /,
  ],
  [
    'a database server that does not run',
    () => ({ DATABASE_URL: 'postgres://foyer:hidden@127.0.0.1:1/foyer' }),
    /^No server listens at 127\.0\.0\.1:1: start PostgreSQL there, or correct DATABASE_URL\.$/,
  ],
  [
    'an unknown database server',
    () => ({ DATABASE_URL: 'postgres://foyer:hidden@nowhere.invalid/foyer' }),
    /^The host of nowhere\.invalid:5432 was not found: correct DATABASE_URL, or check the network\.$/,
  ],
  [
    'a server that is not PostgreSQL',
    () => ({ DATABASE_URL: `postgres://foyer@127.0.0.1:${silentPort()}/foyer?connect_timeout=1` }),
    /^The server at 127\.0\.0\.1:\d+ does not answer like PostgreSQL \(.+\): correct DATABASE_URL\.$/,
  ],
  [
    'a database that does not exist',
    () => ({ DATABASE_URL: urlOf('foyer', 'nowhere') }),
    /^PostgreSQL at \S+ has no database nowhere: run CREATE DATABASE nowhere OWNER foyer, or correct DATABASE_URL\.$/,
  ],
  [
    'a database role that does not exist',
    () => ({ DATABASE_URL: urlOf('stranger', 'postgres') }),
    /^PostgreSQL at \S+ refuses the role stranger \(.+\): correct the name and the password in DATABASE_URL, or pg_hba\.conf\.$/,
  ],
  [
    'a database role without rights',
    () => ({ DATABASE_URL: urlOf('newcomer', 'postgres') }),
    /^The role newcomer has too few rights on the database postgres \(.+\): run ALTER DATABASE postgres OWNER TO newcomer\.$/,
  ],
  [
    "an application's role that does not exist",
    () => ({ DATABASE_APP_URL: urlOf('stranger', 'postgres') }),
    /^PostgreSQL at \S+ refuses the role stranger \(.+\): correct the name and the password in DATABASE_APP_URL, or pg_hba\.conf\.$/,
  ],
  [
    'a damaged pg_control',
    () => ({ ...embeddedSettings, FOYER_DATA: makeDamagedDatabase('damaged', nobody) }),
    /^The database in \S+\/damaged\/pg is damaged \(.+\): keep this folder, and restore a backup with `npm run restore` into another FOYER_DATA\.$/,
  ],
  [
    'a folder pg of another account',
    () => ({ ...embeddedSettings, FOYER_DATA: makeDamagedDatabase('foreign', 0) }),
    /^The database runs as the account \w+, which cannot use \S+\/foreign\/pg \(it belongs to the account root\): run chown -R \d+ \S+, and chmod 700 \S+\.$/,
    isRoot,
  ],
]

test.concurrent.for(cases)('a start is refused for %s', async ([, settings, sentence, canRun = true], { expect, skip }) => {
  if (!canRun) skip()
  const { code, output } = await runUntilEnd({ ...workingSettings, ...settings() })
  expect(output.trim()).toMatch(sentence)
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(output, 'the password in DATABASE_URL is not printed').not.toContain('hidden')
  expect(code).toBe(1)
})

test.concurrent('a start is refused for a data folder on a full disk', async ({ expect, skip }) => {
  using disk = mountSmallDisk()
  if (!disk) return skip()
  const folder = join(disk.folder, 'data')
  const start = () => runUntilEnd({ ...workingSettings, ...embeddedSettings, FOYER_DATA: folder })
  const startOnSmallDisk = await start()
  expect(startOnSmallDisk.output.trim()).toMatch(
    /^The disk of \S+\/data is full \(\d+ MB free, 128 MB needed\): free some space, then start again\.$/,
  )
  expect(startOnSmallDisk.code).toBe(1)
  disk.fill()
  const startOnFullDisk = await start()
  expect(startOnFullDisk.output.trim()).toMatch(/^The disk of \S+\/data is full \(.+\): free some space, then start again\.$/)
  expect(startOnFullDisk.code).toBe(1)
  expect(existsSync(join(folder, 'pg'))).toBe(false)
})

test.concurrent('a start is refused for a data folder on a disk that cannot be written', async ({ expect, skip }) => {
  using disk = mountSmallDisk()
  if (!disk) return skip()
  for (const name of ['new', 'used']) {
    const folder = join(disk.folder, name)
    if (name === 'used') mkdirSync(join(folder, 'run'), { recursive: true })
    disk.setReadOnly(true)
    const { code, output } = await runUntilEnd({ ...workingSettings, ...embeddedSettings, FOYER_DATA: folder })
    expect(output.trim()).toMatch(/^Foyer cannot use the data folder \S+ \(EROFS.+\): choose another with FOYER_DATA\.$/)
    expect(code).toBe(1)
    disk.setReadOnly(false)
    expect(existsSync(join(folder, 'pg'))).toBe(false)
  }
})
