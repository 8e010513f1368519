// The checks of `npm run doctor`. Each test makes one kind of damage by hand, and expects that only the check for it reports a problem.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDiskStorage } from '#server/platform/storage/disk.ts'
import { openS3Storage } from '#server/platform/storage/s3.ts'
import { StorageError, type Storage } from '#server/platform/storage/storage.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { examineApp, listProblems } from '#server/testing/doctor.ts'
import { createEmptyDatabase, queryAs } from '#server/testing/installations.ts'
import { addFile } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, undo } from '#server/testing/records.ts'
import { startS3, type S3StandIn } from '#server/testing/s3.ts'

const folder = mkdtempSync(join(tmpdir(), 'foyer-doctor-'))
let s3: S3StandIn
beforeAll(async () => void (s3 = await startS3()))
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const dayMs = 24 * 60 * 60 * 1000
const inDays = (days: number): Date => new Date(Date.now() + days * dayMs)

/** Stores bytes under a key without a row in the database. */
async function store(storage: Storage, key: string, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  const id = await storage.startUpload(key, bytes.byteLength)
  const tag = await storage.writePart({ key, id }, 0, Readable.from([bytes]), bytes.byteLength)
  await storage.finishUpload({ key, id }, [tag])
}

describe.each([
  ['on disk', () => openDiskStorage(folder)],
  ['in S3', () => openS3Storage(s3.settings)],
])('with bytes %s', (_name, open) => {
  let app: TestApp
  let storage: Storage
  let ada: Person
  beforeEach(async () => {
    storage = open()
    for await (const { key, uploadId } of storage.list(''))
      await (uploadId === undefined ? storage.delete(key) : storage.cancelUpload({ key, id: uploadId }))
    app = await openTestApp({ storage })
    ada = await signInAs(app, 'ada')
    return () => app.stop()
  })
  const problems = async (options: Partial<Parameters<typeof examineApp>[1]> = {}): Promise<string[]> =>
    // without the check of jobs, which would report overdue schedules at a later `now`; the tests of the database below include the check
    listProblems((await examineApp(app, { storage, ...options })).filter(({ name }) => name !== 'Jobs'))
  const damage = (text: string, values: unknown[] = []): Promise<unknown> => app.tableOwner.query(text, values)
  const listKeys = async (): Promise<string[]> => {
    const keys: string[] = []
    for await (const { key } of storage.list('')) keys.push(key)
    return keys.toSorted()
  }
  const waitForHash = (): Promise<void> =>
    expect.poll(async () => (await app.tableOwner.query('select from stored_objects where sha256 is null')).rowCount).toBe(0)

  test('all checks of an installation with files, deleted files and an unfinished upload are ok', async () => {
    await addFile(ada, {}, Buffer.from('kept'))
    await addFile(ada, {}, Buffer.alloc(0))
    const deleted = await addFile(ada, {}, Buffer.from('deleted'))
    const remove = () => recordsOf(ada, '/api/files').remove(deleted.id)
    await undo(ada, await remove()).then(remove) // deleted twice, and counted once
    await ada.send({ method: 'POST', url: '/api/uploads', payload: { file_name: 'a', file_size: 10 } })
    await waitForHash()
    const results = await examineApp(app, { storage, comparesHashes: true })
    expect(listProblems(results)).toEqual([])
    expect(results.map(({ name, text }) => `${name}: ${text}`)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Migrations: All \d+ migrations have run\.$/),
        'Stored files: 3 stored objects have their bytes.',
        'Uploads: 1 unfinished upload.',
        'Trash: 1 deleted file can be restored.',
        'Content of files: 3 objects have the bytes of their upload.',
      ]),
    )
  })

  test('a file without bytes is an error', async () => {
    const { storage_path: path } = await addFile(ada)
    await storage.delete(path)
    expect(await problems()).toEqual([`error Stored files: 1 stored object has no bytes: ${path}. Restore the bytes from a backup.`])
  })

  test('bytes of another size are an error', async () => {
    const { storage_path: path } = await addFile(ada, {}, Buffer.from('ten bytes.'))
    await storage.delete(path)
    await store(storage, path, 'nine byte')
    expect(await problems()).toEqual([`error Stored files: 1 stored object has the wrong size: ${path}. Restore the bytes from a backup.`])
  })

  test('changed bytes of the same size are found by their hash', async () => {
    const { storage_path: path } = await addFile(ada, {}, Buffer.from('ten bytes.'))
    await waitForHash()
    await storage.delete(path)
    await store(storage, path, 'ten other.')
    expect(await problems()).toEqual([])
    expect(await problems({ comparesHashes: true })).toEqual([
      `error Content of files: 1 object has other bytes than at the upload: ${path}. Restore a backup.`,
    ])
  })

  test('bytes that cannot be read are not reported as changed', async () => {
    await addFile(ada, {}, Buffer.from('ten bytes.'))
    await waitForHash()
    const unreadableStorage: Storage = {
      ...storage,
      read: () => {
        throw new StorageError('unavailable', 'The store is down')
      },
    }
    expect(await problems({ storage: unreadableStorage, comparesHashes: true })).toEqual([
      'error Content of files: 1 object could not be read: The store is down. Check the disk or the store, and run this again.',
    ])
  })

  test('a file that disagrees with its stored object is an error', async () => {
    const { id } = await addFile(ada)
    await damage('update files set file_size = 99')
    expect(await problems()).toEqual([`error Stored files: 1 file does not agree with its stored object: ${id}. Restore a backup.`])
  })

  test('a deleted file that cannot be restored is an error', async () => {
    const file = await addFile(ada)
    await recordsOf(ada, '/api/files').remove(file.id)
    await damage('alter table stored_objects disable trigger delete_bytes; delete from stored_objects')
    await storage.delete(file.storage_path)
    expect(await problems()).toEqual(['error Trash: 1 deleted file cannot be restored, because the bytes are gone. Restore a backup.'])
  })

  test('bytes without a row are reported after a day, and a repair deletes them and nothing else', async () => {
    const kept = await addFile(ada)
    await addFile(ada)
    await addFile(ada)
    const [orphan, upload] = [`${ada.id}/${randomUUID()}`, `${ada.id}/${randomUUID()}`]
    await store(storage, orphan, 'orphan')
    await storage.startUpload(upload, 10)
    await store(storage, 'elsewhere/backup.tar', 'of somebody else')
    await ada.send({ method: 'POST', url: '/api/uploads', payload: { file_name: 'a', file_size: 10 } })
    const before = await listKeys()
    expect(await problems()).toEqual([])
    const names = [orphan, upload].toSorted().join(', ')
    expect(await problems({ now: inDays(2) })).toEqual([
      `warning Unneeded bytes: 2 objects have no row: ${names}. Delete them with npm run doctor -- --repair.`,
    ])
    expect(await problems({ now: inDays(2), repairs: true })).toEqual([
      `warning Unneeded bytes: Repaired: 2 objects without a row were deleted: ${names}.`,
    ])
    expect(await listKeys()).toEqual(before.filter((key) => key !== orphan && key !== upload))
    expect(await listKeys()).toContain(kept.storage_path)
    expect(await problems({ now: inDays(2) })).toEqual([])
  })

  test('a repair deletes nothing if more stored objects have no row than have one, as with the wrong database', async () => {
    const keys = [`${ada.id}/${randomUUID()}`, `${ada.id}/${randomUUID()}`]
    for (const key of keys) await store(storage, key, 'bytes')
    expect(await problems({ now: inDays(2), repairs: true })).toEqual([
      expect.stringMatching(/^error Unneeded bytes: 2 objects have no row, more than have one: .* Nothing was deleted/),
    ])
    expect(await listKeys()).toEqual(keys.toSorted())
  })

  test('uploads that expired days ago are reported', async () => {
    // an upload expires after 7 days, and a daily schedule deletes it
    await ada.send({ method: 'POST', url: '/api/uploads', payload: { file_name: 'a', file_size: 10 } })
    expect(await problems({ now: inDays(8) })).toEqual([])
    expect(await problems({ now: inDays(10) })).toEqual(['warning Uploads: 1 upload expired and is still here. Let Foyer run for a day.'])
  })

  test('a wrong sum of stored bytes is reported, and a repair computes it again', async () => {
    await addFile(ada, {}, Buffer.from('ten bytes.'))
    await damage('update storage_use set stored_bytes = stored_bytes + 1 where user_id = $1', [ada.id])
    expect(await problems()).toEqual([
      'warning Storage used: 1 account has a wrong sum of stored bytes. Correct it with npm run doctor -- --repair.',
    ])
    expect(await problems({ repairs: true })).toEqual(['warning Storage used: Repaired: 1 sum of stored bytes was computed again.'])
    expect(await problems()).toEqual([])
    const { rows } = await app.tableOwner.query<{ bytes: string }>('select stored_bytes as bytes from storage_use where user_id = $1', [
      ada.id,
    ])
    expect(rows.map(({ bytes }) => Number(bytes))).toEqual([10])
  })

  test('an account above the quota is reported', async () => {
    await addFile(ada, {}, Buffer.from('ten bytes.'))
    expect(await problems({ quotaBytes: 9 })).toEqual([
      'warning Storage used: 1 account uses more than 0.0 MB, and cannot upload. Raise FOYER_QUOTA_GB.',
    ])
  })
})

describe('the database', () => {
  let app: TestApp
  let storage: Storage
  let ada: Person
  beforeEach(async () => {
    app = await openTestApp()
    storage = openDiskStorage(app.filesFolder)
    ada = await signInAs(app, 'ada')
    return () => app.stop()
  })
  const problems = async (options: Partial<Parameters<typeof examineApp>[1]> = {}): Promise<string[]> =>
    listProblems(await examineApp(app, { storage, ...options }))
  /** Each call alters at most one table, because locks of several tables can cause a deadlock with the jobs of the running application. */
  const damage = (text: string, values: unknown[] = []): Promise<unknown> => app.tableOwner.query(text, values)

  test('a storage that cannot be listed is an error, and not a reason to call bytes unneeded', async () => {
    const list = (): never => {
      throw new Error('The store is down')
    }
    const brokenStorage: Storage = { ...storage, list }
    expect(await problems({ storage: brokenStorage })).toEqual([
      'error Stored files: This could not be checked: The store is down.',
      'error Unneeded bytes: The storage could not be listed, as the check of stored files says.',
    ])
  })

  test('missing, changed and unknown migrations are errors, and the rows are then not checked', async () => {
    await damage(`delete from app.migrations where name like '0035%'; update app.migrations set checksum = 'x' where name like '0001%';
      insert into app.migrations (name, checksum) values ('9999_later.sql', 'y')`)
    const results = await examineApp(app, { storage })
    expect(listProblems(results)).toEqual([
      expect.stringMatching(/^error Migrations: 1 migration did not run: 0035_files\.sql\. Start Foyer\.$/),
      'error Migrations: A newer version of Foyer has run 9999_later.sql. Start the newer version, or restore a backup.',
      'error Migrations: 0001_foundation.sql was changed after it had run. Restore its old text.',
    ])
    expect(results.map(({ name }) => name)).not.toContain('Journal')
  })

  test('a database without tables is an error, and stays empty', async () => {
    const tableOwner = await createEmptyDatabase()
    const connections = { tableOwner, application: { ...tableOwner, user: 'foyer_app' } }
    const results = await examineApp({ ...app, connections }, { storage })
    expect(listProblems(results)).toEqual([
      expect.stringMatching(/^error Migrations: \d+ migrations did not run: 0001_foundation\.sql, .* Start Foyer\.$/),
    ])
    expect(await queryAs(tableOwner, `select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  })

  test('a table without row security, open policies and a missing journal are errors', async () => {
    await damage('alter table notes disable row level security; alter table tasks disable trigger journal_delete_direct')
    await damage('drop policy own on deals; create policy all_rows on deals using (true)')
    await damage('drop policy own on companies; create policy all_writes on companies using (user_id = app.owner()) with check (true)')
    expect(await problems()).toEqual([
      expect.stringMatching(/^error Row security: Row security does not apply to notes, /),
      expect.stringMatching(/^error Row security: The owner is not compared by the policies companies\.all_writes, deals\.all_rows\. /),
      expect.stringMatching(/^error Row security: Changes of tasks are not written to the journal/),
    ])
  })

  test('journal lines without change set or partition and changes from the future are reported', async () => {
    await recordsOf(ada, '/api/companies').add({ name: 'Acme' })
    await damage('delete from changesets')
    await damage(`insert into changesets (id, user_id, actor) values (app.uuid_floor(now() + interval '2 years'), $1, 'user:x')`, [ada.id])
    await damage(
      `insert into journal (change, step, line, user_id, table_name, row_id, operation, cascade, version, columns)
       select app.uuid_floor(now() + interval '2 years'), 1, 1, $1, 'companies', uuidv7(), 'U', false, 1, '{}'`,
      [ada.id],
    )
    expect(await problems()).toEqual([
      expect.stringMatching(/^error Journal: \d+ lines? of the journal ha(s|ve) no change set/),
      expect.stringMatching(/^warning Journal: 1 change has a time in the future/),
      expect.stringMatching(/^warning Journal: 1 line of the journal is in no partition of a month/),
    ])
  })

  test('failed and late jobs and overdue schedules are reported while Foyer runs', async () => {
    await damage(`insert into jobs.schedules values ('old work', now() - interval '1 day');
      insert into jobs.jobs (owner, type, payload, added_at) values ('${ada.id}', 'of a newer version', '{}', now() - interval '1 day');
      insert into jobs.jobs (owner, type, payload, failed_at, error) values ('${ada.id}', 'import contacts', '{}', now(), 'It failed')`)
    expect(await problems()).toEqual([
      'warning Jobs: 1 job failed (import contacts). The table jobs.jobs has the errors, and forgets them after 30 days.',
      'warning Jobs: 1 job waiting, the oldest for 1440 minutes. Look at the log of Foyer.',
      'warning Jobs: Work is overdue: old work. Look at the log of Foyer.',
    ])
  })

  test('jobs of a killed process are reported, and a repair lets them wait again', async () => {
    const stoppedApp = await openTestApp()
    const { id } = await signInAs(stoppedApp, 'ada')
    await stoppedApp.stop()
    const insertJob = `insert into jobs.jobs (owner, type, payload, taken_by, taken_at) values ($1, 'hash file', '{}', 999999, now())`
    await queryAs(stoppedApp.connections.tableOwner, insertJob, [id]) // no process has the lease number 999999
    const listProblemsOfStoppedApp = async (repairs: boolean): Promise<string[]> =>
      listProblems(await examineApp(stoppedApp, { storage, repairs }))
    expect(await listProblemsOfStoppedApp(false)).toEqual([
      'warning Jobs: 1 job of a killed process is not running. Start Foyer, or run npm run doctor -- --repair.',
    ])
    expect(await listProblemsOfStoppedApp(true)).toEqual(['warning Jobs: Repaired: 1 job of a killed process waits again.'])
    expect(await listProblemsOfStoppedApp(false)).toEqual([])
  })
})
