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

// a separate server, because roles are shared by all databases of a server
let host: string
let folder: string
let open: AsyncDisposableStack

beforeAll(async () => {
  const server = await startTestServer()
  host = server.host
  return server.stop
})
beforeEach(() => {
  open = new AsyncDisposableStack()
  folder = mkdtempSync(join(tmpdir(), 'foyer-migrations-'))
  open.defer(() => rmSync(folder, { recursive: true, force: true }))
})
afterEach(() => open.disposeAsync())

test('a role that owns its database and can create roles is sufficient', async () => {
  await expect(migrate(await ownerOf('plain', 'nocreaterole'))).rejects.toThrow(
    /^The database has no role foyer_app, and our role may not create it: .* CREATE ROLE foyer_app LOGIN.*CREATEROLE\.$/,
  )
  const owner = await ownerOf('creator', 'createrole')
  const names = readMigrations(ourFolder).map(({ name }) => name)
  expect(await migrate(owner, { applicationPassword: "it's secret" })).toEqual(names)
  expect(
    await asSuperuser(
      `select rolsuper, rolbypassrls, rolcreaterole, rolpassword like 'SCRAM%' as locked from pg_authid where rolname = 'foyer_app'`,
    ),
  ).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, locked: true }])
  expect(await migrate(owner)).toEqual([])
})

test('a role without the right to create roles is sufficient if foyer_app exists', async () => {
  await createApplicationRole()
  const owner = await ownerOf('second', 'nocreaterole')
  expect(await migrate(owner, { applicationPassword: 'not ours to set' })).not.toEqual([])
  const application = new pg.Client({ ...owner, user: 'foyer_app' })
  await application.connect()
  await expect(application.query('create table mine ()')).rejects.toThrow('permission denied')
  expect((await application.query('select from crm_contacts')).rowCount).toBe(0)
  await application.end()
})

test('two processes that start at the same time run each migration once', async () => {
  await createApplicationRole()
  const owner = await ownerOf('twice', 'nocreaterole')
  const [one, other] = await Promise.all([migrate(owner), migrate(owner)])
  expect([...one, ...other].toSorted()).toEqual(readMigrations(ourFolder).map(({ name }) => name))
})

test.each([
  ['superuser', 'nosuperuser', /^The role foyer_app is not subject to row security: run ALTER ROLE/],
  ['bypassrls', 'nobypassrls', /^The role foyer_app is not subject to row security: run ALTER ROLE/],
  ['nologin', 'login', /^The role foyer_app may not log in: run ALTER ROLE/],
])('an application role with %s is refused', async (wrong, right, sentence) => {
  await createApplicationRole()
  await asSuperuser(`alter role foyer_app ${wrong}`)
  open.defer(async () => void (await asSuperuser(`alter role foyer_app ${right}`)))
  await expect(migrate(await ownerOf(`with_${wrong}`, 'nocreaterole'))).rejects.toThrow(sentence)
})

test('an application role that is a member of the owning role is refused', async () => {
  await createApplicationRole()
  const owner = await ownerOf('generous', 'nocreaterole')
  await asSuperuser(`grant ${owner.user} to foyer_app`)
  open.defer(async () => void (await asSuperuser(`revoke ${owner.user} from foyer_app`)))
  await expect(migrate(owner)).rejects.toThrow('is not subject to row security')
})

test('the application role gets the right to connect to a closed database', async () => {
  await createApplicationRole()
  const owner = await ownerOf('closed', 'nocreaterole')
  await asSuperuser(`revoke all on database ${owner.database} from public`)
  await migrate(owner)
  expect(await asSuperuser(`select has_database_privilege('foyer_app', '${owner.database}', 'connect, temporary') as open`)).toEqual([
    { open: true },
  ])
})

test('a migration that fails changes nothing, and the next start continues with it', async () => {
  await createApplicationRole()
  const owner = await ownerOf('halfway', 'nocreaterole')
  write('0001_one.sql', 'create table one (id int);')
  write('0002_two.sql', 'create table two (id int); select 1 / 0;')
  await expect(migrate(owner, { folder })).rejects.toThrow('The migration 0002_two.sql failed: division by zero')
  expect(await tablesOf(owner)).toEqual(['one'])
  write('0002_two.sql', 'create table two (id int);')
  write('0003_three.sql', 'create table three (id int);')
  expect(await migrate(owner, { folder })).toEqual(['0002_two.sql', '0003_three.sql'])
  expect(await tablesOf(owner)).toEqual(['one', 'three', 'two'])
})

test('a migration that was changed or removed after it ran is refused, one with other line endings is not', async () => {
  await createApplicationRole()
  const owner = await ownerOf('changed', 'nocreaterole')
  write('0001_one.sql', 'create table one (\n  id int\n);\n')
  await migrate(owner, { folder })
  write('0001_one.sql', 'create table one (\r\n  id int\r\n);\r\n')
  expect(await migrate(owner, { folder })).toEqual([])
  write('0001_one.sql', 'create table one (id bigint);')
  await expect(migrate(owner, { folder })).rejects.toThrow(/^0001_one.sql was changed after the database had it: put it back/)
  rmSync(join(folder, '0001_one.sql'))
  await expect(migrate(owner, { folder })).rejects.toThrow(
    /^The database has had 0001_one.sql, which this Foyer does not know: start the newer/,
  )
})

test('a migration that waits for an open reader lets other readers through and runs when the reader ends', async () => {
  await createApplicationRole()
  const owner = await ownerOf('busy', 'nocreaterole')
  write('0001_one.sql', 'create table one (id int);')
  await migrate(owner, { folder })
  write('0002_two.sql', 'alter table one add column name text;')
  const [reader, other] = [await connect(owner), await connect(owner)]
  await reader.query('begin; select from one')
  const migrating = migrate(owner, { folder })
  for (let times = 0; times < 2; times++) {
    await expect.poll(() => other.query('select from pg_locks where not granted').then(({ rowCount }) => rowCount)).toBe(1)
    expect((await other.query('select from one')).rowCount).toBe(0) // the reader is still there
  }
  await reader.query('commit')
  expect(await migrating).toEqual(['0002_two.sql'])
})

test('a migration that gets no lock fails, changes nothing and names the processes that hold the lock', async () => {
  await createApplicationRole()
  const owner = await ownerOf('locked', 'nocreaterole')
  write('0001_one.sql', 'create table one (id int);')
  await migrate(owner, { folder })
  write('0002_two.sql', 'create table two (id int); alter table one add column name text;')
  const reader = await connect(owner)
  await reader.query('begin; select from one')
  const { rows } = await reader.query<{ pid: number }>('select pg_backend_pid() as pid')
  const failure = migrate(owner, { folder, maxLockWaitMs: 1 })
  await expect(failure).rejects.toThrow(OperatorError)
  await expect(failure).rejects.toThrow(`held by other connections (process ${rows[0]?.pid})`)
  expect(await tablesOf(owner)).toEqual(['one'])
})

test('files with a wrong name or the same number are refused', () => {
  cpSync(ourFolder, folder, { recursive: true })
  write('0001_again.sql', '')
  expect(() => readMigrations(folder)).toThrow('Two migrations in')
  write('7_seven.sql', '')
  expect(() => readMigrations(folder)).toThrow('is not called like 0001_contacts.sql')
})

test('a server before PostgreSQL 18 is refused', async () => {
  const server = await oldServer()
  open.defer(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  await expect(migrate({ host: '127.0.0.1', ...(port && { port }), user: 'foyer', database: 'foyer' })).rejects.toThrow(
    'Foyer needs PostgreSQL 18 or newer, and this server is 17.5: upgrade it, or unset DATABASE_URL.',
  )
})

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)

async function asSuperuser(text: string): Promise<unknown[]> {
  const client = new pg.Client({ host, user: 'postgres', database: 'postgres' })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

/** A role that owns a database and nothing else, as on a managed server. */
async function ownerOf(name: string, right: string): Promise<{ host: string; user: string; database: string }> {
  await asSuperuser(`create role ${name} login nosuperuser ${right}`)
  await asSuperuser(`create database ${name} owner ${name}`)
  return { host, user: name, database: name }
}

async function createApplicationRole(): Promise<void> {
  if ((await asSuperuser(`select 1 from pg_roles where rolname = 'foyer_app'`)).length === 0)
    await asSuperuser('create role foyer_app login')
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection)
  await client.connect()
  open.defer(() => client.end())
  return client
}

async function tablesOf(owner: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(owner)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public' order by 1`)
  await client.end()
  return rows.map(({ name }) => name)
}

/** A server with the part of PostgreSQL's protocol that the check needs, and the version 17.5. */
function oldServer(): Promise<Server> {
  const message = (type: string, ...parts: (string | number[])[]): Buffer => {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const column = (name: string): (string | number[])[] => [`${name}\0`, [0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]]
  const value = (text: string): (string | number[])[] => [[0, 0, 0, text.length], text]
  const ready = message('Z', 'I')
  const answer = [
    message('T', [0, 2], ...column('number'), ...column('version')),
    message('D', [0, 2], ...value('170005'), ...value('17.5')),
    message('C', 'SELECT 1\0'),
    ready,
  ]
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', [0, 0, 0, 0]), ready]))
      socket.on('data', () => socket.write(Buffer.concat(answer)))
    })
    socket.on('error', () => socket.destroy())
  })
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)))
}
