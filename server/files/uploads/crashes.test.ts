// Random work of several users, with servers that are killed: afterwards the rows and the stored bytes match exactly.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { purge } from '#server/platform/journal/purge.ts'
import { openS3Storage } from '#server/platform/storage/s3.ts'
import { openDiskStorage } from '#server/platform/storage/disk.ts'
import type { ListedObject } from '#server/platform/storage/storage.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { later } from '#server/testing/cleaning.ts'
import { examineApp, listProblems } from '#server/testing/doctor.ts'
import { createFileClient, type FileClient } from '#server/testing/files.ts'
import { signInAs } from '#server/testing/people.ts'
import { createRandom, type Random } from '#server/testing/random.ts'
import { startS3 } from '#server/testing/s3.ts'
import { startServerProcess } from '#server/testing/server-process.ts'

const isFullTestRun = process.env['FOYER_FULL'] === '1'
const rounds = isFullTestRun ? 40 : 3
const responsesPerRound = isFullTestRun ? 120 : 30

type Listed = { rows: { id: string }[] }

/** Sends one random request of a user, or several that belong together. */
async function workOnce(client: FileClient, random: Random): Promise<void> {
  const readJson = async <T>(path: string): Promise<T> => JSON.parse(await (await client.request('GET', path)).text())
  const pick = async (path: string): Promise<string | undefined> => {
    const { rows } = await readJson<Listed>(path)
    return rows.length === 0 ? undefined : random.pick(rows).id
  }
  const folder = random.hasChance(0.5) ? await pick('/api/folders') : undefined
  const place = folder === undefined ? {} : { folder_id: folder }
  const choice = random.below(10)
  if (choice < 4) {
    const bytes = Buffer.from(randomBytes(random.below(2000)))
    await client.upload(bytes, { if_exists: random.pick(['keep_both', 'replace']), ...place })
  } else if (choice === 4) {
    const { id } = await client.start({ file_size: 10, ...place })
    if (random.hasChance(0.5)) await client.sendPart(id, 0, Buffer.from(randomBytes(10)))
    if (random.hasChance(0.5)) await client.request('DELETE', `/api/uploads/${id}`)
  } else if (choice === 5) await client.postJson('/api/folders', { name: `Folder ${random.uuid()}` })
  else if (choice === 6) await client.request('DELETE', `/api/files/${await pick('/api/files')}`)
  else if (choice === 7) await client.request('DELETE', `/api/folders/${await pick('/api/folders')}`)
  else if (choice === 8) await client.request('POST', `/api/changes/${await pick('/api/changes')}/undo`)
  else {
    const deleted = await pick('/api/trash')
    if (random.hasChance(0.5)) await client.request('POST', `/api/trash/${deleted}/restore`)
    else await client.request('DELETE', `/api/trash/${deleted}`)
  }
}

/** Lets the users work until the server is killed in the middle of their requests. */
async function workUntilKilled(
  app: TestApp,
  storage: Parameters<typeof startServerProcess>[0]['storage'],
  tokens: string[],
  random: Random,
) {
  await using server = await startServerProcess({ connections: app.connections, storage })
  let responses = 0
  let isKilled = false
  const work = async (token: string): Promise<void> => {
    const client = createFileClient(server.address, token)
    while (!isKilled) {
      await workOnce(client, random).catch(() => {}) // expected: a refused upload, or a lost connection to the killed server
      responses++
      if (responses < responsesPerRound || isKilled) continue
      isKilled = true
      await server.kill()
    }
  }
  await Promise.all(tokens.map(work))
}

test.each(['disk', 'S3'])(
  'after random requests, killed servers, purges and cleaning, rows and bytes match, also those of deleted files, with the bytes on %s',
  { timeout: isFullTestRun ? 1_800_000 : 120_000 },
  async (driver) => {
    await using s3 = await startS3()
    const app = await openTestApp(driver === 'S3' ? { storage: openS3Storage(s3.settings) } : {})
    await using stack = new AsyncDisposableStack()
    stack.defer(() => app.stop())
    const storage = driver === 'S3' ? openS3Storage(s3.settings) : openDiskStorage(app.filesFolder)
    const random = createRandom(20_261_122) // a fixed seed
    const people = [await signInAs(app, 'ada'), await signInAs(app, 'grace')]
    const tokens = people.flatMap(({ token }) => [token, token])
    const clean = async (): Promise<void> => {
      await app.runSchedule('unneeded stored objects', later(2))
      await app.runSchedule('expired uploads', random.hasChance(0.5) ? later(1 / 24) : later(8))
    }
    for (let round = 0; round < rounds; round++) {
      await workUntilKilled(app, driver === 'S3' ? { s3: s3.settings } : { folder: app.filesFolder }, tokens, random)
      if (random.hasChance(0.3)) await purge(app.tableOwner, later(31))
      if (random.hasChance(0.7)) await clean()
    }
    await app.runSchedule('expired uploads', later(8))
    await app.runSchedule('unneeded stored objects', later(2))
    const countJobs = async () => (await app.tableOwner.query('select from jobs.jobs where failed_at is null')).rowCount
    await expect.poll(countJobs, { timeout: 60_000 }).toBe(0)
    // two days later, so that bytes without a row are reported; the schedules are then overdue, which is not of interest here
    const results = await examineApp(app, { storage, comparesHashes: true, now: later(2) })
    expect(listProblems(results.filter(({ name }) => name !== 'Jobs'))).toEqual([])
    const { rows } = await app.tableOwner.query<{ stored: number }>(`select count(*)::int as stored from stored_objects`)
    expect(rows[0]?.stored).toBeGreaterThan(0)
    const listed: ListedObject[] = []
    for await (const object of storage.list('')) listed.push(object)
    expect(listed).toHaveLength(rows[0]?.stored ?? 0)
    expect(listed.filter(({ uploadId }) => uploadId !== undefined)).toEqual([]) // no unfinished uploads
  },
)
