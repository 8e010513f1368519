import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer } from '#server/testing/postgres.ts'
import { OperatorError } from '../operator-error.ts'
import { migrate, readMigrations } from './migrate.ts'

const ourFolder = new URL('../../../database/migrations/', import.meta.url).pathname

/** The folder of the socket of a separate server. The tests need one, because roles are shared by all databases of a server. */
let host: string
/** A folder for the migrations of one test. */
let folder: string
let cleanup: AsyncDisposableStack
const key = 'a key of an installation in tests'
const keyFile = { path: '/nowhere', find: () => key, findOrCreate: () => key }

beforeAll(async () => {
  const server = await startTestServer()
  host = server.host
  return server.stop
})
beforeEach(() => {
  cleanup = new AsyncDisposableStack()
  folder = mkdtempSync(join(tmpdir(), 'foyer-migrations-'))
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
})
afterEach(() => cleanup.disposeAsync())

test('the migrations can run as a role that only owns its database and can create roles', async () => {
  await expect(migrate(await createOwner('plain', 'nocreaterole'))).rejects.toThrow(
    /^The database has no role foyer_app, and our role may not create it: .* CREATE ROLE foyer_app LOGIN.*CREATEROLE\.$/,
  )
  const owner = await createOwner('creator', 'createrole')
  const names = readMigrations(ourFolder).map(({ name }) => name)
  expect(await migrate(owner, { key: { file: keyFile, setsPassword: true } })).toEqual(names)
  expect(
    await runAsSuperuser(
      `select rolsuper, rolbypassrls, rolcreaterole, rolpassword like 'SCRAM%' as has_password from pg_authid where rolname = 'foyer_app'`,
    ),
  ).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, has_password: true }])
  expect(await migrate(owner)).toEqual([])
})

test('the migrations can run as a role without the right to create roles if foyer_app exists', async () => {
  await createApplicationRole()
  const owner = await createOwner('second', 'nocreaterole')
  expect(await migrate(owner, { key: { file: keyFile, setsPassword: true } })).not.toEqual([])
  const application = new pg.Client({ ...owner, user: 'foyer_app' })
  await application.connect()
  await expect(application.query('create table mine ()')).rejects.toThrow('permission denied')
  expect((await application.query('select from crm_contacts')).rowCount).toBe(0)
  await application.end()
})

test('two processes that start at the same time run each migration once', async () => {
  await createApplicationRole()
  const owner = await createOwner('twice', 'nocreaterole')
  const [firstRun, secondRun] = await Promise.all([migrate(owner), migrate(owner)])
  expect([...firstRun, ...secondRun].toSorted()).toEqual(readMigrations(ourFolder).map(({ name }) => name))
})

test.each([
  ['superuser', 'nosuperuser', /^The role foyer_app is not subject to row security: run ALTER ROLE/],
  ['bypassrls', 'nobypassrls', /^The role foyer_app is not subject to row security: run ALTER ROLE/],
  ['nologin', 'login', /^The role foyer_app may not log in: run ALTER ROLE/],
])('an application role with %s is refused', async (forbiddenAttribute, allowedAttribute, message) => {
  await createApplicationRole()
  await runAsSuperuser(`alter role foyer_app ${forbiddenAttribute}`)
  cleanup.defer(async () => void (await runAsSuperuser(`alter role foyer_app ${allowedAttribute}`)))
  await expect(migrate(await createOwner(`with_${forbiddenAttribute}`, 'nocreaterole'))).rejects.toThrow(message)
})

test('an application role that is a member of the owning role is refused', async () => {
  await createApplicationRole()
  const owner = await createOwner('generous', 'nocreaterole')
  await runAsSuperuser(`grant ${owner.user} to foyer_app`)
  cleanup.defer(async () => void (await runAsSuperuser(`revoke ${owner.user} from foyer_app`)))
  await expect(migrate(owner)).rejects.toThrow('is not subject to row security')
})

test('the application role gets the right to connect if the database does not grant it to every role', async () => {
  await createApplicationRole()
  const owner = await createOwner('closed', 'nocreaterole')
  await runAsSuperuser(`revoke all on database ${owner.database} from public`)
  await migrate(owner)
  expect(
    await runAsSuperuser(`select has_database_privilege('foyer_app', '${owner.database}', 'connect, temporary') as "canConnect"`),
  ).toEqual([{ canConnect: true }])
})

test('a migration that fails changes nothing, and the next start continues with it', async () => {
  await createApplicationRole()
  const owner = await createOwner('halfway', 'nocreaterole')
  writeMigration('0001_one.sql', 'create table one (id int);')
  writeMigration('0002_two.sql', 'create table two (id int); select 1 / 0;')
  await expect(migrate(owner, { folder })).rejects.toThrow('The migration 0002_two.sql failed: division by zero')
  expect(await tablesOf(owner)).toEqual(['one'])
  writeMigration('0002_two.sql', 'create table two (id int);')
  writeMigration('0003_three.sql', 'create table three (id int);')
  expect(await migrate(owner, { folder })).toEqual(['0002_two.sql', '0003_three.sql'])
  expect(await tablesOf(owner)).toEqual(['one', 'three', 'two'])
})

test('a start is refused if a migration was changed or removed after it ran, except for a change of line endings', async () => {
  await createApplicationRole()
  const owner = await createOwner('changed', 'nocreaterole')
  writeMigration('0001_one.sql', 'create table one (\n  id int\n);\n')
  await migrate(owner, { folder })
  writeMigration('0001_one.sql', 'create table one (\r\n  id int\r\n);\r\n')
  expect(await migrate(owner, { folder })).toEqual([])
  writeMigration('0001_one.sql', 'create table one (id bigint);')
  await expect(migrate(owner, { folder })).rejects.toThrow(
    /^The migration 0001_one.sql was changed after it had run on this database: restore its old text/,
  )
  rmSync(join(folder, '0001_one.sql'))
  await expect(migrate(owner, { folder })).rejects.toThrow(
    /^The migration 0001_one.sql has run on this database, but this version of Foyer does not have it: start the newer/,
  )
})

test('a migration that waits for a transaction does not block other reads, and runs when the transaction ends', async () => {
  await createApplicationRole()
  const owner = await createOwner('busy', 'nocreaterole')
  writeMigration('0001_one.sql', 'create table one (id int);')
  await migrate(owner, { folder })
  writeMigration('0002_two.sql', 'alter table one add column name text;')
  const [reader, otherReader] = [await connect(owner), await connect(owner)]
  await reader.query('begin; select from one')
  const migration = migrate(owner, { folder })
  // the migration waits for the lock, gives up, and tries again, which happens twice here
  for (let round = 0; round < 2; round++) {
    await expect.poll(() => otherReader.query('select from pg_locks where not granted').then(({ rowCount }) => rowCount)).toBe(1)
    expect((await otherReader.query('select from one')).rowCount).toBe(0) // the transaction of the first reader is still open
  }
  await reader.query('commit')
  expect(await migration).toEqual(['0002_two.sql'])
})

test('a migration that gets no lock fails, changes nothing and names the processes that hold the lock', async () => {
  await createApplicationRole()
  const owner = await createOwner('locked', 'nocreaterole')
  writeMigration('0001_one.sql', 'create table one (id int);')
  await migrate(owner, { folder })
  writeMigration('0002_two.sql', 'create table two (id int); alter table one add column name text;')
  const reader = await connect(owner)
  await reader.query('begin; select from one')
  const { rows } = await reader.query<{ pid: number }>('select pg_backend_pid() as pid')
  const failure = migrate(owner, { folder, maxLockWaitMs: 1 })
  await expect(failure).rejects.toThrow(OperatorError)
  await expect(failure).rejects.toThrow(`held by other connections (process ${rows[0]?.pid})`)
  expect(await tablesOf(owner)).toEqual(['one'])
})

test('migration files with a wrong name or the same number are refused', () => {
  cpSync(ourFolder, folder, { recursive: true })
  writeMigration('0001_again.sql', '')
  expect(() => readMigrations(folder)).toThrow('Two migrations in')
  writeMigration('7_seven.sql', '')
  expect(() => readMigrations(folder)).toThrow('does not have a name like 0001_contacts.sql')
})

test('a server before PostgreSQL 18 is refused', async () => {
  const server = await startOldServer()
  cleanup.defer(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  await expect(migrate({ host: '127.0.0.1', ...(port && { port }), user: 'foyer', database: 'foyer' })).rejects.toThrow(
    'Foyer needs PostgreSQL 18 or newer, and this server is 17.5: upgrade it, or unset DATABASE_URL.',
  )
})

const writeMigration = (name: string, text: string): void => writeFileSync(join(folder, name), text)

async function runAsSuperuser(text: string): Promise<unknown[]> {
  const client = new pg.Client({ host, user: 'postgres', database: 'postgres' })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

/** Creates a role that owns a database, as on a managed server. `attribute`: whether it can create roles. It has no other rights. */
async function createOwner(name: string, attribute: string): Promise<{ host: string; user: string; database: string }> {
  await runAsSuperuser(`create role ${name} login nosuperuser ${attribute}`)
  await runAsSuperuser(`create database ${name} owner ${name}`)
  return { host, user: name, database: name }
}

async function createApplicationRole(): Promise<void> {
  if ((await runAsSuperuser(`select 1 from pg_roles where rolname = 'foyer_app'`)).length === 0)
    await runAsSuperuser('create role foyer_app login')
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection)
  await client.connect()
  cleanup.defer(() => client.end())
  return client
}

async function tablesOf(tableOwner: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(tableOwner)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public' order by 1`)
  await client.end()
  return rows.map(({ name }) => name)
}

/**
 * Starts a server that says it has version 17.5. It has only the part of PostgreSQL's protocol that the check needs: it accepts each
 * connection (message R), and answers each query with one row (T describes the columns, D has the values, C ends the rows, Z means ready).
 */
function startOldServer(): Promise<Server> {
  const message = (type: string, ...parts: (string | number[])[]): Buffer => {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  /** The description of a column: its name, and bytes that say that its type is text. */
  const column = (name: string): (string | number[])[] => [`${name}\0`, [0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]]
  const value = (text: string): (string | number[])[] => [[0, 0, 0, text.length], text]
  const ready = message('Z', 'I')
  const response = [
    message('T', [0, 2], ...column('number'), ...column('version')),
    message('D', [0, 2], ...value('170005'), ...value('17.5')),
    message('C', 'SELECT 1\0'),
    ready,
  ]
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', [0, 0, 0, 0]), ready]))
      socket.on('data', () => socket.write(Buffer.concat(response)))
    })
    socket.on('error', () => socket.destroy())
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
