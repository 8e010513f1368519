// Stored bytes exist exactly as long as a file or an undo needs them.
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { purge } from '#server/platform/journal/purge.ts'
import { openDiskStorage } from '#server/platform/storage/disk.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { later } from '#server/testing/cleaning.ts'
import { examineApp, listProblems } from '#server/testing/doctor.ts'
import { addFile, waitForText } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { createRandom } from '#server/testing/random.ts'
import { recordsOf, undo } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

const stepCount = process.env['FOYER_FULL'] === '1' ? 1000 : 80

/**
 * Runs the schedule that deletes unneeded objects, as it runs when all objects are older than a day, and waits until the jobs have deleted
 * their bytes.
 */
async function clean(): Promise<void> {
  await app.runSchedule('unneeded stored objects', later(2))
  await expect.poll(countJobs).toBe(0)
}

async function countJobs(): Promise<number> {
  const { rows } = await app.tableOwner.query<{ count: number }>('select count(*)::int as count from jobs.jobs')
  return rows[0]?.count ?? 0
}

async function listPathsOfRows(owner: string): Promise<string[]> {
  const { rows } = await app.tableOwner.query<{ path: string }>('select storage_path as path from stored_objects where user_id = $1', [
    owner,
  ])
  return rows.map(({ path }) => path).toSorted()
}

function listPathsOnDisk(owner: string): string[] {
  const folder = join(app.filesFolder, owner)
  return existsSync(folder)
    ? readdirSync(folder)
        .map((name) => `${owner}/${name}`)
        .toSorted()
    : []
}

/** Reads all pages of a list. */
async function listAll(path: string): Promise<{ id: string }[]> {
  const rows: { id: string }[] = []
  let after = ''
  do {
    const page: { rows: { id: string }[]; next: string | null } = (await ada.send({ url: `${path}?limit=200${after}` })).json()
    rows.push(...page.rows)
    after = page.next === null ? '' : `&after=${page.next}`
  } while (after !== '')
  return rows
}

const read = async ({ id }: { id: string }): Promise<Buffer> => (await ada.send({ url: `/api/files/${id}/content` })).rawPayload

test('the bytes of a deleted file stay as long as it can be restored', async () => {
  const file = await addFile(ada, {}, Buffer.from('bytes'))
  const deleted = await recordsOf(ada, '/api/files').remove(file.id)
  await clean()
  await undo(ada, deleted)
  expect(String(await read(file))).toBe('bytes')
  await recordsOf(ada, '/api/files').remove(file.id)
  await purge(app.tableOwner, later(31)) // a deleted file can be restored for 30 days
  await clean()
  expect([await listPathsOfRows(ada.id), listPathsOnDisk(ada.id)]).toEqual([[], []])
})

test('the bytes of an undone upload stay for the redo', async () => {
  const { id } = (await ada.send({ method: 'POST', url: '/api/uploads', payload: { file_name: 'a', file_size: 0 } })).json()
  const finished = await ada.send({ method: 'POST', url: `/api/uploads/${id}/finish` })
  const undone = await undo(ada, finished)
  await clean()
  await undo(ada, undone)
  expect((await ada.send({ url: `/api/files/${finished.json().id}/content` })).statusCode).toBe(200)
})

test('erasing a folder from the trash frees the bytes of all files below it', async () => {
  const folders = recordsOf(ada, '/api/folders')
  const { id: top } = await folders.add({ name: 'Top' })
  const { id: nested } = await folders.add({ name: 'Nested', parent_folder_id: top })
  await addFile(ada, { folder_id: top })
  await addFile(ada, { folder_id: nested })
  const other = await addFile(ada)
  await folders.remove(top)
  const erased = await ada.send({ method: 'DELETE', url: `/api/trash/${top}` })
  expect(erased.statusCode).toBe(204)
  await clean()
  expect([await listPathsOfRows(ada.id), listPathsOnDisk(ada.id)]).toEqual([[other.storage_path], [other.storage_path]])
})

test('the bytes of an erased file are deleted by the first cleaning that is a day after the upload', async () => {
  const file = await addFile(ada)
  await recordsOf(ada, '/api/files').remove(file.id)
  await ada.send({ method: 'DELETE', url: `/api/trash/${file.id}` })
  await app.runSchedule('unneeded stored objects', later(0.9))
  expect(await listPathsOfRows(ada.id)).toEqual([file.storage_path])
  await app.runSchedule('unneeded stored objects', later(1.1))
  expect(await listPathsOfRows(ada.id)).toEqual([])
})

test('an object without a SHA-256 gets it from the daily schedule a day after its upload', async () => {
  const file = await addFile(ada)
  const readHash = async () => (await ada.send({ url: `/api/files/${file.id}/checksum` })).json().sha256
  await expect.poll(readHash).toMatch(/^[0-9a-f]{64}$/)
  await app.tableOwner.query('update stored_objects set sha256 = null where user_id = $1', [ada.id])
  await app.runSchedule('hashes of files', later(0.9))
  await expect.poll(countJobs).toBe(0)
  expect(await readHash()).toBeNull()
  await app.runSchedule('hashes of files', later(1.1))
  await expect.poll(readHash).toMatch(/^[0-9a-f]{64}$/)
})

test('an object is deleted while a job stores its text, without a deadlock', async () => {
  const file = await addFile(ada, { file_name: 'a.txt' }, Buffer.from('text'))
  await waitForText(ada, file)
  await recordsOf(ada, '/api/files').remove(file.id)
  await ada.send({ method: 'DELETE', url: `/api/trash/${file.id}` })
  await app.tableOwner.query(`update object_texts set state = 'waiting' where user_id = $1`, [ada.id])
  using stack = new DisposableStack()
  const cleaning = stack.adopt(await app.tableOwner.connect(), (client) => client.release(true))
  await cleaning.query('begin')
  // a delete of the object locks it and then its text, for which it must not wait
  await cleaning.query('select from stored_objects where user_id = $1 for update', [ada.id])
  await app.runSchedule('texts of files', later(2)) // adds the job again
  const waiting = `select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`
  await expect.poll(async () => (await cleaning.query(waiting)).rowCount).toBe(1)
  const texts = await cleaning.query('select from object_texts where user_id = $1 for update nowait', [ada.id])
  expect(texts.rowCount).toBe(1)
  await cleaning.query('delete from stored_objects where user_id = $1', [ada.id])
  await cleaning.query('commit')
  await expect.poll(countJobs).toBe(0)
})

test('an upload is deleted with its parts after seven days', async () => {
  const payload = { file_name: 'a', file_size: 10 }
  const { id } = (await ada.send({ method: 'POST', url: '/api/uploads', payload })).json()
  const headers = { 'content-type': 'application/octet-stream' }
  await ada.send({ method: 'PUT', url: `/api/uploads/${id}/parts/0`, payload: randomBytes(10), headers })
  const file = await addFile(ada)
  await app.runSchedule('expired uploads', later(6))
  expect((await ada.send({ url: `/api/uploads/${id}` })).json()).toMatchObject({ parts: [0] })
  await app.runSchedule('expired uploads', later(8))
  expect((await ada.send({ url: `/api/uploads/${id}` })).statusCode).toBe(404)
  await expect.poll(() => listPathsOnDisk(ada.id)).toEqual([file.storage_path])
})

test('if the server is killed right after it started an upload, the expired upload leaves no bytes', async () => {
  const storage = openDiskStorage(app.filesFolder)
  const path = `${ada.id}/${randomUUID()}`
  await app.tableOwner.query(
    `insert into uploads (user_id, file_name, file_size, mime_type, if_exists, storage_path, expires_at) values ($1, 'a', 10, '', 'skip', $2, now())`,
    [ada.id, path],
  )
  await storage.startUpload(path, 10)
  await app.runSchedule('expired uploads', later(1))
  await expect.poll(() => listPathsOnDisk(ada.id)).toEqual([])
})

test('deleting an account deletes its bytes and no others', async () => {
  const grace = await signInAs(app, 'grace')
  await addFile(ada)
  await ada.send({ method: 'POST', url: '/api/uploads', payload: { file_name: 'a', file_size: 10 } })
  const otherFile = await addFile(grace)
  const response = await ada.send({ method: 'POST', url: '/api/account/delete', payload: { password: 'engine no. 1' } })
  expect(response.statusCode).toBe(204)
  await expect.poll(() => existsSync(join(app.filesFolder, ada.id))).toBe(false)
  expect(listPathsOnDisk(grace.id)).toEqual([otherFile.storage_path])
})

test(
  'after random work and cleaning, rows and objects match, and everything that can be restored has its bytes',
  { timeout: 300_000 },
  async () => {
    const random = createRandom(20_261_122) // a fixed seed, so that each run does the same work
    const files = recordsOf(ada, '/api/files')
    const contents = new Map<string, Buffer>()
    const changes: { headers: Record<string, unknown> }[] = []
    const pickRow = <Row>(rows: readonly Row[]): Row | undefined => (rows.length === 0 ? undefined : random.pick(rows))
    for (let count = 0; count < stepCount; count++) {
      const choice = random.below(8)
      if (choice < 3) {
        const bytes = randomBytes(random.below(50))
        const file = await addFile(ada, { if_exists: random.pick(['keep_both', 'replace']) }, bytes)
        contents.set(file.id, bytes)
      } else if (choice < 5) {
        const row = pickRow((await files.list()).rows)
        if (row) changes.push(await files.remove(row.id))
      } else if (choice === 5 && changes.length > 0) {
        const change = String(random.pick(changes).headers['foyer-change'])
        const response = await ada.send({ method: 'POST', url: `/api/changes/${change}/undo` })
        expect([200, 409, 410]).toContain(response.statusCode)
        if (response.statusCode === 200) changes.push({ headers: { 'foyer-change': response.json().id } })
      } else if (choice === 6) {
        const row = pickRow<{ id: string }>((await ada.send({ url: '/api/trash' })).json().rows)
        if (row && random.below(3) === 0) await ada.send({ method: 'DELETE', url: `/api/trash/${row.id}` })
      } else await clean()
    }
    await clean()
    expect(listPathsOnDisk(ada.id)).toEqual(await listPathsOfRows(ada.id))
    const results = await examineApp(app, { storage: openDiskStorage(app.filesFolder), comparesHashes: true })
    expect(listProblems(results)).toEqual([])
    const trash = await listAll('/api/trash')
    for (const { id } of trash) expect((await ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })).statusCode).toBe(200)
    const currentFiles = await listAll('/api/files')
    expect(currentFiles.length).toBeGreaterThan(trash.length) // so there were files that were never deleted, besides the restored ones
    for (const { id } of currentFiles) {
      expect((await read({ id })).equals(contents.get(id) ?? Buffer.from('unknown'))).toBe(true)
    }
    expect((await listPathsOfRows(ada.id)).length).toBe(currentFiles.length)
  },
)
