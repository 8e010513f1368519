// An external PostgreSQL: over the network, with passwords, as a role that is not a superuser.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { openTestApp } from '#server/testing/app.ts'
import { findFreePort } from '#server/testing/port.ts'
import { startTestServer } from '#server/testing/postgres.ts'
import { openKeyFile, type KeyFile } from '../security/key-file.ts'
import { acceptKey } from './installation-key.ts'
import { openDatabase, openDatabaseForCommand, openForCheck } from './open.ts'

let host: string
let port: number
let folder: string
let keyFile: KeyFile
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-open-'))
  keyFile = openKeyFile(join(folder, 'secret.key'))
  port = await findFreePort()
  const server = await startTestServer({ listen_addresses: '127.0.0.1', port })
  host = server.host
  await runAsSuperuser(
    // local connections need no password; connections over the network do
    `do $$ begin
       execute format('copy (values (%L), (%L)) to %L', 'local all all trust', 'host all all 127.0.0.1/32 scram-sha-256', current_setting('hba_file'));
       perform pg_reload_conf();
     end $$`,
    `create role customer login createrole nosuperuser password 'it is ours'`,
    'create database customer owner customer',
    'create database neighbour owner customer',
    `create role modest login nosuperuser password 'it is ours'`,
    'create database modest owner modest',
  )
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})

test('the application works on an external server, with a password and under row security', async () => {
  const ownerUrl = `postgres://customer:it%20is%20ours@127.0.0.1:${port}/customer`
  const openedDatabase = await openDatabase({
    data: unusedFolder,
    external: { ownerUrl, applicationUrl: undefined },
    keyFile,
  })
  const context = await openTestApp({ connections: openedDatabase.connections })
  const post = (url: string, payload: Record<string, unknown>, headers = {}) =>
    context.server.inject({ method: 'POST', url, payload, headers })
  await post('/api/users', { email: 'ada@example.org', password: 'engine no. 1', full_name: 'Ada Lovelace' })
  const { token } = (await post('/api/session', { email: 'ada@example.org', password: 'engine no. 1' })).json()
  const headers = { authorization: `Bearer ${token}` }
  const addResponse = await post('/api/contacts', { first_name: 'Grace', last_name: 'Hopper' }, headers)
  expect(addResponse.statusCode, addResponse.body).toBe(201)
  const searchResponse = await context.server.inject({ url: '/api/contacts?search=HOPP', headers })
  expect(searchResponse.json().rows).toHaveLength(1)
  expect((await post(`/api/changes/${String(addResponse.headers['foyer-change'])}/undo`, {}, headers)).statusCode).toBe(200)
  const { rows } = await context.tableOwner.query(`select rolsuper from pg_roles where rolname in ('customer', 'foyer_app')`)
  expect(rows).toEqual([{ rolsuper: false }, { rolsuper: false }])
  await context.stop()
  await openedDatabase.stop()
})

test('a second start, a command of the operator and a check connect to the same external database', async () => {
  for (const open of [openDatabase, openDatabaseForCommand, openForCheck]) {
    const { connections } = await open(createSettings('customer', keyFile))
    const client = new pg.Client(connections.application)
    await client.connect()
    expect((await client.query('select current_user as role')).rows).toEqual([{ role: 'foyer_app' }])
    await client.end()
  }
})

/** Returns settings with this database of the role `customer` and this file of the installation's key. */
const createSettings = (database: string, file: KeyFile) => {
  const ownerUrl = `postgres://customer:it%20is%20ours@127.0.0.1:${port}/${database}`
  return { data: unusedFolder, external: { ownerUrl, applicationUrl: undefined }, keyFile: file }
}

test('a start with another key or without the key is refused, and the first Foyer goes on working', async () => {
  const { connections } = await openDatabase(createSettings('customer', keyFile))
  const otherKey = openKeyFile(join(folder, 'other.key'))
  writeFileSync(otherKey.path, 'the key of another machine of the operator')
  const missingKey = openKeyFile(join(folder, 'missing.key'))
  await expect(openDatabase(createSettings('customer', otherKey))).rejects.toThrow(
    `The key in ${otherKey.path} is not the key of this database: put the installation's key into ${otherKey.path}`,
  )
  await expect(openDatabase(createSettings('customer', missingKey))).rejects.toThrow(
    `The database belongs to a key, and ${missingKey.path} does not exist`,
  )
  await expect(openDatabase(createSettings('neighbour', otherKey))).rejects.toThrow(
    'is not the key of the other Foyer on this database server',
  )
  await expect(openForCheck(createSettings('customer', missingKey))).rejects.toThrow(`${missingKey.path} does not exist`)
  expect(existsSync(missingKey.path)).toBe(false)
  const client = new pg.Client(connections.application)
  await client.connect()
  await client.end()
  await openDatabase(createSettings('neighbour', keyFile)) // another database of the same server works with the same key
})

test('an owner role that cannot create roles works if DATABASE_APP_URL names the application role', async () => {
  const ownerUrl = `postgres://modest:it%20is%20ours@127.0.0.1:${port}/modest`
  await runAsSuperuser(`alter role foyer_app password 'given by the administrator'`)
  const applicationUrl = `postgres://foyer_app:given%20by%20the%20administrator@127.0.0.1:${port}/modest`
  const { connections } = await openDatabase({ data: unusedFolder, external: { ownerUrl, applicationUrl }, keyFile })
  const client = new pg.Client(connections.application)
  await client.connect()
  expect((await client.query('select from crm_contacts')).rowCount).toBe(0)
  await client.end()
})

test('an application role to which row security does not apply is refused', async () => {
  const address = `127.0.0.1:${port}/customer`
  const ownerUrl = `postgres://customer:it%20is%20ours@${address}`
  await expect(openDatabase({ data: unusedFolder, external: { ownerUrl, applicationUrl: ownerUrl }, keyFile })).rejects.toThrow(
    'Row security does not apply to the database role customer: use the role foyer_app in DATABASE_APP_URL',
  )
  // if the owner URL has the user and the password as query parameters, the application still connects as foyer_app
  const withParameters = { ownerUrl: `postgres://${address}?user=customer&password=it%20is%20ours`, applicationUrl: undefined }
  const { connections } = await openDatabase({ data: unusedFolder, external: withParameters, keyFile })
  const client = new pg.Client(connections.application)
  await client.connect()
  expect((await client.query('select current_user as role')).rows).toEqual([{ role: 'foyer_app' }])
  await client.end()
})

test('after the operator has accepted another key, two concurrent starts with that key succeed, and the old key is refused', async () => {
  await openDatabase(createSettings('customer', keyFile))
  const newKey = openKeyFile(join(folder, 'new.key'))
  const tableOwner = new pg.Client({ connectionString: createSettings('customer', newKey).external.ownerUrl })
  await tableOwner.connect()
  await acceptKey(tableOwner, newKey)
  await tableOwner.end()
  const starts = await Promise.all([1, 2].map(() => openDatabase(createSettings('customer', newKey))))
  for (const { connections } of starts) {
    const client = new pg.Client(connections.application)
    await client.connect()
    await client.end()
  }
  await expect(openDatabase(createSettings('customer', keyFile))).rejects.toThrow('is not the key of this database')
})

/** The folder of an embedded database, which these tests do not use. */
const unusedFolder = { folder: '/nowhere', isConfigured: true }

async function runAsSuperuser(...statements: string[]): Promise<void> {
  const client = new pg.Client({ host, port, user: 'postgres', database: 'postgres' })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
