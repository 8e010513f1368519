// The job of an import: interruptions, failures, stops, undo while it runs, and two imports at the same time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { openDiskStorage } from '#server/platform/storage/disk.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { later } from '#server/testing/cleaning.ts'
import { importsOf } from '#server/testing/imports.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

let app: TestApp
/** By how much the clock of the application is ahead. */
let aheadMs = 0
let ada: Person
let imports: ReturnType<typeof importsOf>
let contacts: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp({ now: () => new Date(Date.now() + aheadMs) })
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  imports = importsOf(ada)
  contacts = recordsOf(ada, '/api/contacts')
})

const createFile = (count: number, prefix = 'ann'): string =>
  ['First name,Last name,Email', ...Array.from({ length: count }, (_, index) => `Ann,Lee,${prefix}${index}@example.org`)].join('\n')
const countContacts = async (): Promise<number> => {
  const { rows } = await app.tableOwner.query<{ count: number }>('select count(*)::int as count from crm_contacts where user_id = $1', [
    ada.id,
  ])
  return rows[0]?.count ?? 0
}
const isConsistent = ({ created, updated, skipped, failed, rows_done: done }: Import): boolean =>
  created + updated + skipped + failed === done

test('an import that the user stops keeps the rows so far, and can be undone', async () => {
  const { id } = await imports.upload(createFile(20_000))
  await imports.start(id)
  await vi.waitUntil(async () => (await imports.get(id)).rows_done > 0, { timeout: 20_000, interval: 5 })
  const stopped = await imports.stop(id)
  expect(stopped).toMatchObject({ status: 'stopped', rows_total: 20_000 })
  expect(stopped.rows_done).toBeLessThan(20_000)
  expect(isConsistent(stopped)).toBe(true)
  expect(await countContacts()).toBe(stopped.created)
  expect(await imports.stop(id)).toEqual(stopped)
  await imports.undo(stopped.undo_id)
  expect(await countContacts()).toBe(0)
})

test('an import that is stopped while its rows are counted stops counting', async () => {
  const { id } = await imports.upload(`Name\n${'\n'.repeat(6_000_000)}a`)
  await imports.start(id)
  const countJobs = async (where: string) =>
    (await app.tableOwner.query(`select from jobs.jobs where owner = $1 ${where}`, [ada.id])).rowCount
  await vi.waitUntil(async () => (await countJobs('and taken_by is not null')) === 1, { timeout: 20_000, interval: 5 })
  expect(await imports.stop(id)).toMatchObject({ status: 'stopped', rows_done: 0 })
  await vi.waitUntil(async () => (await countJobs('')) === 0, { timeout: 60_000, interval: 10 })
  expect(await imports.get(id)).toMatchObject({ status: 'stopped', rows_total: null })
})

test('a running import is not deleted; after it was stopped, it is deleted with its file, and the imported rows stay', async () => {
  const { id } = await imports.upload(createFile(20_000))
  await imports.start(id)
  await vi.waitUntil(async () => (await imports.get(id)).rows_done > 0, { timeout: 20_000, interval: 5 })
  const remove = () => ada.send({ method: 'DELETE', url: `/api/imports/${id}` })
  const refused = await remove()
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    { code: 'import_running', title: 'This import is running. Stop it first.' },
  ])
  const { rows_done: done } = await imports.get(id)
  await vi.waitUntil(async () => (await imports.get(id)).rows_done > done, { timeout: 20_000, interval: 5 }) // it continues
  const { created } = await imports.stop(id)
  expect((await remove()).statusCode).toBe(204)
  const hasJob = async () => (await app.tableOwner.query('select from jobs.jobs where owner = $1', [ada.id])).rowCount !== 0
  await vi.waitUntil(async () => !(await hasJob()), { timeout: 20_000, interval: 10 })
  expect((await ada.send({ url: `/api/imports/${id}` })).statusCode).toBe(404)
  expect(await countContacts()).toBe(created)
  expect((await ada.send({ url: '/api/storage' })).json()).toMatchObject({ used_bytes: 0 })
})

test('the undo of a running import ends the import', async () => {
  const { id } = await imports.upload(createFile(20_000))
  await imports.start(id)
  await vi.waitUntil(async () => (await imports.get(id)).rows_done > 0, { timeout: 20_000, interval: 5 })
  const { undo_id: undoId } = await imports.get(id)
  await imports.undo(undoId)
  expect(await imports.waitForEnd(id)).toMatchObject({ status: 'stopped', undone: true, undo_id: null })
  expect(await countContacts()).toBe(0)
})

test('an import continues after the server was stopped and started', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-import-test-'))
  const storage = openDiskStorage(folder)
  const first = await openTestApp({ storage })
  const grace = await signInAs(first, 'grace')
  const before = importsOf(grace)
  const { id } = await before.upload(createFile(4000))
  await before.start(id)
  await vi.waitUntil(async () => (await before.get(id)).rows_done > 0, { timeout: 20_000, interval: 5 })
  const { rows_done: done, status } = await before.get(id)
  await first.stop()
  const second = await openTestApp({ connections: first.connections, storage })
  const send: Person['send'] = (options) =>
    second.server.inject({ ...options, headers: { authorization: `Bearer ${grace.token}`, ...options.headers } })
  expect([status, done < 4000]).toEqual(['running', true])
  expect(await importsOf({ send }).waitForEnd(id)).toMatchObject({ status: 'finished', created: 4000, rows_done: 4000 })
  await second.stop()
  rmSync(folder, { recursive: true })
})

test('a job whose rows another process has stored is repeated, and does not end the import', async () => {
  const { id } = await imports.upload(createFile(4000))
  await imports.start(id)
  await vi.waitUntil(async () => (await imports.get(id)).rows_done > 0, { timeout: 20_000, interval: 5 })
  await app.tableOwner.query('update imports set rows_done = rows_done + 500, skipped_count = skipped_count + 500 where id = $1', [id])
  const hasFailed = async (): Promise<boolean> =>
    (await app.tableOwner.query('select from jobs.jobs where owner = $1 and attempts > 0', [ada.id])).rowCount === 1
  await vi.waitUntil(hasFailed, { timeout: 20_000, interval: 10 })
  expect(await imports.get(id)).toMatchObject({ status: 'running' })
  aheadMs += 60_000 // so that the next attempt is due
  expect(await imports.waitForEnd(id)).toMatchObject({ status: 'finished', created: 3500, skipped: 500, rows_done: 4000 })
})

test('two imports of the same people at the same time create each of them once', async () => {
  const [one, other] = await Promise.all([imports.upload(createFile(1500)), imports.upload(createFile(1500).replaceAll('Ann', 'Anna'))])
  await Promise.all([imports.start(one.id), imports.start(other.id)])
  const results = await Promise.all([imports.waitForEnd(one.id), imports.waitForEnd(other.id)])
  expect(results.every(({ status, failed }) => status === 'finished' && failed === 0)).toBe(true)
  expect(results.reduce((sum, { created }) => sum + created, 0)).toBe(1500)
  expect(await countContacts()).toBe(1500)
})

test('two imports of the same companies at the same time, in two processes, create each of them once', async () => {
  const storage = openDiskStorage(app.filesFolder)
  const other = await openTestApp({ connections: app.connections, storage })
  const file = ['Name', ...Array.from({ length: 3000 }, (_, index) => `Engines ${index}`)].join('\n')
  const ids = await Promise.all([1, 2].map(async () => (await imports.upload(file, { kind: 'company', fileName: 'companies.csv' })).id))
  await Promise.all(ids.map((id) => imports.start(id)))
  const results = await Promise.all(ids.map((id) => imports.waitForEnd(id)))
  await other.stop()
  expect(results.map(({ status, failed }) => [status, failed])).toEqual([
    ['finished', 0],
    ['finished', 0],
  ])
  expect(results.reduce((sum, { created }) => sum + created, 0)).toBe(3000)
})

test('an import whose file is gone fails with a sentence', async () => {
  const { id } = await imports.upload(createFile(10))
  const { rows } = await app.tableOwner.query<{ storage_path: string }>('select storage_path from stored_objects where user_id = $1', [
    ada.id,
  ])
  await app.context.storage.delete(rows[0]?.storage_path ?? '')
  await imports.start(id)
  expect(await imports.waitForEnd(id)).toMatchObject({
    status: 'failed',
    problem: 'The file of this import no longer exists. Upload it again.',
    rows_done: 0,
    undo_id: null,
  })
})

test('an import above the quota of records fails with a sentence; what was imported stays and can be undone', async () => {
  const small = await openTestApp({ recordQuotaBytes: 2_000_000 })
  const person = await signInAs(small, 'ada')
  const smallImports = importsOf(person)
  const result = await smallImports.run(createFile(5000))
  expect(result).toMatchObject({
    status: 'failed',
    problem: 'Your records and their history need more space than this server gives to an account.',
  })
  expect(isConsistent(result)).toBe(true)
  expect(result.created).toBeGreaterThan(0)
  await smallImports.undo(result.undo_id)
  expect((await recordsOf(person, '/api/contacts').query('/count')).json().count).toBe(0)
  await small.stop()
})

test('a running import without a job is shown as failed', async () => {
  const { id } = await imports.upload(createFile(10))
  await app.tableOwner.query(`update imports set status = 'running' where id = $1`, [id])
  await app.runSchedule('abandoned imports')
  expect(await imports.get(id)).toMatchObject({ status: 'failed', problem: expect.stringContaining('broke off') })
})

test('imports that were not started are deleted after seven days, and reported rows 30 days after the end', async () => {
  const waiting = await imports.upload(createFile(1))
  const { id } = await imports.run(createFile(1).replace('\n', '\n,,\n'))
  expect(await imports.rows(id, 'skipped')).toHaveLength(1)
  await app.runSchedule('expired imports', later(6))
  await app.runSchedule('failed and skipped rows of old imports', later(29))
  expect(await imports.get(waiting.id)).toMatchObject({ status: 'uploaded' })
  expect(await imports.rows(id, 'skipped')).toHaveLength(1)
  await app.runSchedule('expired imports', later(8))
  await app.runSchedule('failed and skipped rows of old imports', later(31))
  expect((await ada.send({ url: `/api/imports/${waiting.id}` })).statusCode).toBe(404)
  expect(await imports.rows(id, 'skipped')).toEqual([])
  await app.runSchedule('unneeded stored objects', later(9))
  expect((await ada.send({ url: '/api/storage' })).json()).toMatchObject({ used_bytes: 0 })
})

test('the statistics of the tables are updated while an import fills them, and not for few rows in a large table', async () => {
  const readStatistics = async () => {
    await app.tableOwner.query('select pg_stat_force_next_flush()')
    const { rows } = await app.tableOwner.query<{ rows: number; analyses: number }>(
      `select c.reltuples::int as rows, s.analyze_count::int as analyses from pg_class c join pg_stat_user_tables s on s.relid = c.oid
       where c.relname in ('crm_contacts', 'notes') order by c.relname`,
    )
    return rows
  }
  const file = (count: number, prefix: string): string =>
    createFile(count, prefix).replaceAll('example.org', 'example.org,Likes oak').replace('Email', 'Email,Notes')
  const before = await readStatistics()
  await imports.run(file(4000, 'oak'))
  const [contactTable, noteTable] = await readStatistics()
  for (const table of [contactTable, noteTable]) expect(table?.rows).toBeGreaterThanOrEqual(2000)
  expect(contactTable?.analyses).toBeLessThanOrEqual((before[0]?.analyses ?? 0) + 4) // after 500, 1000, 2000 and 4000 rows
  await imports.run(file(500, 'ash'))
  expect(await readStatistics()).toEqual([contactTable, noteTable])
})

test('if only the database refuses a row, that row fails and the others are imported', async () => {
  await app.tableOwner.query(`alter table crm_contacts add constraint no_zed check (first_name <> 'Zed')`)
  const file = createFile(20).replace('Ann,Lee,ann7@', 'Zed,Lee,ann7@')
  const result = await imports.run(file)
  await app.tableOwner.query('alter table crm_contacts drop constraint no_zed')
  expect(result).toMatchObject({ status: 'finished', created: 19, failed: 1 })
  expect(await imports.rows(result.id, 'failed')).toMatchObject([{ line: 9, reason: 'The database cannot store this row.' }])
  expect((await contacts.query('/count')).json().count).toBe(19)
})
