import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase, openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { computeChecksums, createEmptyDatabase, queryAs } from '#server/testing/installations.ts'
import { addExamples } from '#server/testing/examples.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { sql } from '../database/database.ts'
import { migrationsFolder } from '../database/migrate.ts'
import { writeBackup } from './backup.ts'
import type { Installation } from './files.ts'
import { restoreBackup } from './restore.ts'
import { tarBuffer, tarEnd } from './tar.ts'

const key = 'k'.repeat(43) // as long as a real key of the installation

/** A temporary folder for all files of these tests. `source` is the installation that `file` is a backup of. */
let testFolder: string
let app: TestApp
let ada: Person
let grace: Person
let source: Installation
let file: string
beforeAll(async () => {
  testFolder = mkdtempSync(join(tmpdir(), 'foyer-backup-'))
  source = createInstallation()
  writeFileSync(source.keyFile, key)
  mkdirSync(join(source.folder, 'files/ada'), { recursive: true })
  writeFileSync(join(source.folder, 'files/ada/photo'), 'a photo')
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  grace = await signInAs(app, 'grace')
  for (const person of [ada, grace]) await addExamples(app, person)
  await makeOldHistory(app.connections.tableOwner)
  await app.stop() // its jobs would change the rows with which the tests compare restored rows
  file = join(testFolder, 'foyer.backup')
  await writeBackup(app.connections.tableOwner, source, file)
})
afterAll(() => rmSync(testFolder, { recursive: true, force: true }))

let target: Installation
beforeEach(() => {
  target = createInstallation()
})

test('a restore restores the rows and the history of two owners, their files and the key', async () => {
  const tableOwner = await createEmptyDatabase()
  expect(await restore(tableOwner)).toBeGreaterThan(20)
  expect(await computeChecksums(tableOwner)).toEqual(await computeChecksums(app.connections.tableOwner))
  expect(readFileSync(target.keyFile, 'utf8')).toBe(key)
  expect(readFileSync(join(target.folder, 'files/ada/photo'), 'utf8')).toBe('a photo')
})

test('after a restore sessions are valid, changes before the newest one can be undone, and deleted records can be restored', async () => {
  const tableOwner = await createEmptyDatabase()
  await restore(tableOwner)
  const restored = await openTestApp({ connections: { tableOwner, application: { ...tableOwner, user: 'foyer_app' } } })
  const send: Person['send'] = (options) => restored.server.inject({ ...options, headers: { authorization: `Bearer ${ada.token}` } })
  const [contact] = (await send({ url: '/api/contacts?search=ada' })).json().rows
  await send({ method: 'PATCH', url: `/api/contacts/${contact.id}`, payload: { title: 'Countess' } })
  const [newest, older] = (await send({ url: `/api/changes?record=${contact.id}` })).json().rows
  expect(newest).toMatchObject({ columns: [{ name: 'title', before: '', after: 'Countess' }] })
  expect(older).toMatchObject({ columns: [{ name: 'department', before: '', after: 'Engines' }] })
  expect((await send({ method: 'POST', url: `/api/changes/${older.change}/undo` })).statusCode).toBe(200)
  expect((await send({ url: `/api/contacts/${contact.id}` })).json()).toMatchObject({ department: '', title: 'Countess' })
  const [deletedContact] = (await send({ url: '/api/trash' })).json().rows
  expect((await send({ method: 'POST', url: `/api/trash/${deletedContact.id}/restore` })).statusCode).toBe(200)
  expect((await send({ url: '/api/contacts?search=luigi' })).json().rows).toHaveLength(1)
  await restored.stop()
})

test('a transaction that commits during a backup is in the backup with all of its rows, or with no row', async () => {
  // each owner has two contacts, whose inserts are not journaled, and each transaction gives both the same title
  const busyApp = await openTestApp()
  const owners = await Promise.all((['ada', 'grace'] as const).map(async (name) => (await signInAs(busyApp, name)).id))
  for (const owner of owners) await queryAs(busyApp.connections.tableOwner, 'insert into crm_contacts (user_id) values ($1), ($1)', [owner])
  let isOver = false
  const writing = owners.map(async (owner) => {
    for (let count = 0; !isOver; count++) {
      await busyApp.database.transaction(callerFor(owner), 'Both', async () => {
        for (const isFirst of [true, false]) await setTitle(owner, isFirst, `title ${count}`)
      })
    }
  })
  const busyFile = join(testFolder, 'busy.backup')
  await writeBackup(busyApp.connections.tableOwner, createInstallation(), busyFile)
  isOver = true
  await Promise.all(writing)
  await busyApp.stop()
  const tableOwner = await createEmptyDatabase()
  await restore(tableOwner, { from: busyFile })
  // `lost`: the number of changes that are counted in the column `version` and are missing in the journal
  const selectCounts = `select user_id, count(distinct title)::int as titles, count(distinct version)::int as versions, sum(version - 1)::int - (
      select count(*)::int from journal j where j.user_id = c.user_id) as lost from crm_contacts c group by user_id`
  const consistentRows = owners.map((id) => ({ user_id: id, titles: 1, versions: 1, lost: 0 }))
  expect(await queryAs(tableOwner, selectCounts)).toEqual(expect.arrayContaining(consistentRows))
})

test('the journal of past months is restored into its monthly partitions', async () => {
  const tableOwner = await createEmptyDatabase()
  await restore(tableOwner)
  expect(await queryAs(tableOwner, 'select count(*)::int as count from journal_202401')).toEqual([{ count: 1 }])
  expect(await queryAs(tableOwner, 'select count(*)::int as count from journal_default')).toEqual([{ count: 0 }])
})

test('a backup can be restored into an installation that was started once and has no users', async () => {
  const { tableOwner } = await cloneDatabase()
  await queryAs(tableOwner, `insert into jobs.schedules values ('removed schedule', now())`)
  await restore(tableOwner)
  expect(await computeChecksums(tableOwner)).toEqual(await computeChecksums(app.connections.tableOwner))
})

test('migrations that the backup does not have are run after the restore', async () => {
  const tableOwner = await createEmptyDatabase()
  await restore(tableOwner, {
    migrations: copyMigrations('alter table crm_contacts add column later text; update crm_contacts set later = name;'),
  })
  expect(await queryAs(tableOwner, `select count(*)::int as count from crm_contacts where later = 'Ada Example'`)).toEqual([{ count: 2 }])
})

test('restored rows fire no triggers, and rows that are inserted later do', async () => {
  const migrations = copyMigrations(
    `create function app.stamp() returns trigger language plpgsql as $$ begin new.title := 'stamped'; return new; end $$;
     create trigger stamp before insert on crm_contacts for each row execute function app.stamp();`,
  )
  const first = await createEmptyDatabase()
  const tableOwner = await createEmptyDatabase()
  await restore(first, { migrations })
  const from = join(testFolder, 'stamped.backup')
  await writeBackup(first, createInstallation(), from)
  await restore(tableOwner, { from, migrations, installation: createInstallation() })
  expect(await queryAs(tableOwner, `select from crm_contacts where title = 'stamped'`)).toEqual([])
  expect(await queryAs(tableOwner, 'insert into crm_contacts (user_id) values ($1) returning title', [ada.id])).toEqual([
    { title: 'stamped' },
  ])
})

test.each<[string, () => string | Buffer | Promise<Buffer>, RegExp]>([
  ['lacks its last bytes', () => readFileSync(file).subarray(0, -20), /is damaged or incomplete: restore another copy of it\.$/],
  ['lacks its second half', () => readFileSync(file).subarray(0, statSync(file).size / 2), /is damaged or incomplete/],
  ['has one changed byte', () => flipBit(readFileSync(file)), /is damaged or incomplete/],
  ['lacks its completion file', () => createArchive([readManifestBlocks()], {}), /is damaged or incomplete/],
  ['is empty', () => '', /is damaged or incomplete/],
  ['is a CSV file', () => 'name,email\nAda,ada@example.org\n', /is not a backup that this Foyer can read\.$/],
  ['is another gzipped archive', () => createArchive([], { photo: 'a photo' }), /is not a backup/],
  [
    'has a file with a path out of the folder',
    () => createArchive([readManifestBlocks()], { 'folder/files/../../outside': '' }),
    /is damaged or incomplete/,
  ],
  ['is a gzipped CSV file', () => gzipSync('name,email\n'.repeat(1000)), /is not a backup/],
])('a file that %s is refused, and nothing is written', async (_name, createBody, message) => {
  const broken = join(testFolder, 'broken')
  writeFileSync(broken, await createBody())
  await expect(restoreBackup(broken, { open: refuseToOpen, installation: target })).rejects.toThrow(message)
  expect(readdirSync(target.folder)).toEqual([])
})

test('a backup of a newer version of Foyer is refused', async () => {
  await expect(restoreBackup(file, { open: refuseToOpen, installation: target, migrations: copyMigrations() })).rejects.toThrow(
    /was written by another version of Foyer with the migration \d{4}_\w+\.sql: restore it with that version or a newer one\.$/,
  )
})

test('a database with a migration that the backup does not have is refused', async () => {
  const { tableOwner } = await cloneDatabase()
  await queryAs(tableOwner, `insert into app.migrations (name, checksum) values ('9999_later.sql', '')`)
  await expect(restore(tableOwner)).rejects.toThrow(
    /^The migration 9999_later\.sql has run on this database, but the backup is older than this migration: set/,
  )
  expect(readdirSync(target.folder)).toEqual([])
})

test('an installation with users is refused and left unchanged', async () => {
  const otherApp = await openTestApp()
  await addExamples(otherApp, await signInAs(otherApp, 'edsger'))
  await otherApp.stop() // its jobs would change the rows
  const before = await computeChecksums(otherApp.connections.tableOwner)
  await expect(restore(otherApp.connections.tableOwner)).rejects.toThrow(
    /^This installation already has users, and a restore would replace them: set/,
  )
  expect(await computeChecksums(otherApp.connections.tableOwner)).toEqual(before)
  expect(readdirSync(target.folder)).toEqual([])
})

test('a database that a running server uses is refused', async () => {
  const otherApp = await openTestApp()
  await expect(restore(otherApp.connections.tableOwner)).rejects.toThrow(
    'A Foyer server is using this database: stop it first, then restore.',
  )
  await otherApp.stop()
})

test('a backup whose key differs from the key of the installation is refused', async () => {
  writeFileSync(target.keyFile, 'another')
  await expect(restore(await createEmptyDatabase())).rejects.toThrow(/secret\.key exists and differs from the file in the backup/)
  expect(readFileSync(target.keyFile, 'utf8')).toBe('another')
})

test('a restore that fails leaves no rows and no files', async () => {
  const { tableOwner } = await cloneDatabase()
  await queryAs(
    tableOwner,
    `alter table crm_contacts add constraint refused_name check (first_name <> 'Luigi' and first_name <> 'Charles')`,
  )
  await expect(restore(tableOwner)).rejects.toThrow('refused_name')
  expect(await queryAs(tableOwner, 'select from users')).toEqual([])
  expect(existsSync(target.keyFile)).toBe(false)
  expect(readdirSync(target.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toEqual([])
})

test('a backup never replaces an existing file, and only the file owner may read it', async () => {
  await expect(writeBackup(app.connections.tableOwner, target, file)).rejects.toThrow(`${file} exists already: choose another name.`)
  await expect(writeBackup(app.connections.tableOwner, target, join(testFolder, 'no/such/place'))).rejects.toThrow(
    /^The backup cannot be written to/,
  )
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(testFolder).filter((name) => name.endsWith('.part'))).toEqual([])
})

function createInstallation(): Installation {
  const folder = mkdtempSync(join(testFolder, 'data-'))
  return { folder, keyFile: join(folder, 'secret.key') }
}

/** Restores a backup, by default the backup of two owners. Returns the number of rows. */
async function restore(
  tableOwner: pg.ClientConfig,
  { from = file, migrations = migrationsFolder, installation = target } = {},
): Promise<number> {
  const { rows } = await restoreBackup(from, { open: async () => ({ tableOwner, stop: async () => {} }), installation, migrations })
  return rows
}

/** Passed as `open` where a restore must fail before it opens the database. */
const refuseToOpen = (): Promise<never> => Promise.reject(new Error('The database was opened'))

/** Creates a folder with the migrations of Foyer and the additional migration `later`, or without `later` all except the last one. */
function copyMigrations(later?: string): string {
  const folder = mkdtempSync(join(testFolder, 'migrations-'))
  cpSync(migrationsFolder, folder, { recursive: true })
  if (later) writeFileSync(join(folder, '9999_later.sql'), later)
  else rmSync(join(folder, readdirSync(folder).toSorted().at(-1) ?? ''))
  return folder
}

/** Adds a change from January 2024, and the partition of the journal for that month. */
async function makeOldHistory(tableOwner: pg.ClientConfig): Promise<void> {
  await queryAs(
    tableOwner,
    `create table journal_202401 partition of journal
    for values from (app.uuid_floor('2024-01-01 00:00Z')) to (app.uuid_floor('2024-02-01 00:00Z'))`,
  )
  const id = `app.uuid_floor('2024-01-15 00:00Z')`
  await queryAs(tableOwner, `insert into changesets (id, user_id, actor, at) values (${id}, $1, 'test', '2024-01-15')`, [ada.id])
  await queryAs(
    tableOwner,
    `insert into journal (change, step, line, user_id, table_name, row_id, operation, cascade, version, columns)
     values (${id}, 0, 1, $1, 'crm_contacts', $1, 'U', false, 2, '{title}')`,
    [ada.id],
  )
}

/** Sets the title of the first or of the second contact of an owner. */
async function setTitle(owner: string, isFirst: boolean, title: string): Promise<void> {
  const id = isFirst ? 'min(id::text)' : 'max(id::text)'
  await sql(`update crm_contacts set title = $2 where id::text = (select ${id} from crm_contacts where user_id = $1) and user_id = $1`, [
    owner,
    title,
  ])
}

/** Changes one bit in the middle. */
function flipBit(bytes: Buffer): Buffer {
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes
}

/** Creates a gzipped archive: first `beginning`, the first blocks of another archive, then `files`. */
async function createArchive(beginning: Buffer[], files: Record<string, string>): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, text]) => buffer(tarBuffer(name, Buffer.from(text), new Date())))
  return gzipSync(Buffer.concat([...beginning, ...(await Promise.all(entries)), tarEnd]))
}

/** Returns the blocks of the backup's first file, the manifest. A header has 512 bytes; the size of the file is in octal digits at 124. */
function readManifestBlocks(): Buffer {
  const archive = gunzipSync(readFileSync(file))
  const size = parseInt(archive.toString('utf8', 124, 136), 8)
  return archive.subarray(0, 512 + Math.ceil(size / 512) * 512)
}
