// Two server processes get simultaneous requests about the same upload, file or account, for example to finish and to cancel an
// upload. Each request gets a definite response, and rows and stored bytes agree afterwards.
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Change } from '#contract/changes.ts'
import { Upload } from '#contract/uploads.ts'
import { openDiskStorage } from '#server/platform/storage/disk.ts'
import { openS3Storage } from '#server/platform/storage/s3.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { later } from '#server/testing/cleaning.ts'
import { createFileClient, parseFileResponse, type FileClient } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'
import { startS3, type S3StandIn } from '#server/testing/s3.ts'

const rounds = 8
const quotaBytes = 10_000

let s3: S3StandIn
beforeAll(async () => void (s3 = await startS3()))
afterAll(() => s3[Symbol.asyncDispose]())

describe.each(['disk', 'S3'])('with the bytes on %s', (driver) => {
  let apps: [TestApp, TestApp]
  let addresses: string[]
  let storage: Storage
  let ada: Person
  /** The client of the first process. */
  let client: FileClient
  /** The client of the second process, with the same session. */
  let other: FileClient
  beforeAll(async () => {
    const fileLimits = { quotaBytes, jsonFileBytes: 1000 }
    const first = await openTestApp({ fileLimits, ...(driver === 'S3' && { storage: openS3Storage(s3.settings) }) })
    storage = driver === 'S3' ? openS3Storage(s3.settings) : openDiskStorage(first.filesFolder)
    apps = [first, await openTestApp({ fileLimits, connections: first.connections, storage })]
    addresses = await Promise.all(apps.map((app) => app.server.listen({ port: 0, host: '127.0.0.1' })))
  })
  afterAll(() => Promise.all(apps.map((app) => app.stop())))
  beforeEach(async () => {
    ada = await signInAs(apps[0], 'ada')
    client = createFileClient(addresses[0] ?? '', ada.token)
    other = createFileClient(addresses[1] ?? '', ada.token)
  })
  afterEach(expectAgreement)

  /**
   * Expects that the storage has exactly the objects and the uploads that rows have, when all jobs have run. In the compared lists, a
   * path of an unfinished upload ends with a space.
   */
  async function expectAgreement(): Promise<void> {
    await apps[0].runSchedule('unneeded stored objects', later(2))
    await expect.poll(countJobs, { timeout: 20_000 }).toBe(0)
    const { rows } = await apps[0].tableOwner.query<{ path: string }>(
      `select storage_path as path from stored_objects where user_id = $1
       union all select storage_path || ' ' from uploads where user_id = $1 and file_id is null`,
      [ada.id],
    )
    const listed: string[] = []
    for await (const { key, uploadId } of storage.list(`${ada.id}/`)) listed.push(uploadId === undefined ? key : `${key} `)
    expect(listed.toSorted()).toEqual(rows.map(({ path }) => path).toSorted())
  }

  const countJobs = async () =>
    (await apps[0].tableOwner.query<{ count: number }>('select count(*)::int as count from jobs.jobs')).rows[0]?.count

  /** Starts an upload and sends all its parts. Returns its id. */
  const startAndSendAllParts = async (fields: Record<string, unknown> = {}, bytes = Buffer.from('bytes')): Promise<string> => {
    const upload = await client.start({ file_size: bytes.byteLength, ...fields })
    await client.sendMissingParts(upload, bytes)
    return upload.id
  }
  const cancel = (id: string): Promise<Response> => other.request('DELETE', `/api/uploads/${id}`)
  const statusesOf = async (requests: Promise<Response>[]): Promise<number[]> => (await Promise.all(requests)).map(({ status }) => status)
  const listFiles = async () => (await recordsOf(ada, '/api/files').list({ limit: '200' })).rows

  test('an upload that is finished and cancelled at the same time is either finished or cancelled, also if it is empty', async () => {
    for (let round = 0; round < rounds; round++) {
      const id = await startAndSendAllParts({}, Buffer.alloc(round % 2))
      const statuses = await statusesOf([client.finish(id), cancel(id), other.finish(id)])
      expect([
        [200, 404, 200],
        [404, 204, 404],
      ]).toContainEqual(statuses)
    }
    for (const { id } of await listFiles()) expect((await client.download(id)).byteLength).toBeLessThan(2)
  })

  test.runIf(driver === 'S3')('an upload that is cancelled while the store completes it leaves no object', async () => {
    const { promise, resolve } = Promise.withResolvers()
    const id = await startAndSendAllParts()
    s3.faults.push({ operation: 'complete', completesAfter: promise })
    const finishing = client.finish(id)
    await expect.poll(() => s3.faults).toEqual([]) // the store has received the request to complete, and delays it
    expect((await cancel(id)).status).toBe(204)
    await expect.poll(countJobs).toBe(0)
    resolve(undefined)
    expect((await finishing).status).toBe(404)
  })

  test('an upload into a folder that is being deleted is finished first and deleted with it, or gets 404 and can be finished later', async () => {
    for (let round = 0; round < rounds; round++) {
      const { id: folder_id } = await recordsOf(ada, '/api/folders').add({ name: `Folder ${round}` })
      const id = await startAndSendAllParts({ folder_id })
      const [finished, deleted] = await statusesOf([client.finish(id), other.request('DELETE', `/api/folders/${folder_id}`)])
      expect([finished, deleted]).toEqual([finished === 200 ? 200 : 404, 204])
      const restored = await other.request('POST', `/api/trash/${folder_id}/restore`)
      expect(restored.status).toBe(200)
      const { id: fileId } = await parseFileResponse(await client.finish(id))
      expect(String(await client.download(fileId))).toBe('bytes')
    }
  })

  test('a download while a file is deleted and erased is complete or gets 404', async () => {
    for (let round = 0; round < rounds; round++) {
      const bytes = randomBytes(900)
      const { id } = await client.upload(bytes)
      const erase = async (): Promise<void> => {
        await other.request('DELETE', `/api/files/${id}`)
        await other.request('DELETE', `/api/trash/${id}`)
        await apps[0].runSchedule('unneeded stored objects', later(2))
      }
      const erasing = erase()
      let status: number
      do {
        const response = await client.request('GET', `/api/files/${id}/content`)
        const body = Buffer.from(await response.arrayBuffer())
        status = response.status
        expect([200, 404]).toContain(status)
        if (status === 200) expect(body.equals(bytes)).toBe(true)
      } while (status === 200)
      await erasing
    }
  })

  test('a file that is erased while its deletion is undone is either restored with its bytes or erased', async () => {
    for (let round = 0; round < rounds; round++) {
      const { id } = await client.upload(Buffer.from('bytes'))
      const deleted = await client.request('DELETE', `/api/files/${id}`)
      const change = deleted.headers.get('foyer-change') ?? ''
      const [undone, erased] = await Promise.all([
        client.request('POST', `/api/changes/${change}/undo`),
        other.request('DELETE', `/api/trash/${id}`),
      ])
      const result = await undone.text()
      const isRestored = undone.status === 200 && Change.parse(JSON.parse(result)).count > 0
      expect([undone.status < 500, erased.status, result]).toEqual([true, isRestored ? 404 : 204, result]) // a failure shows the result
      await apps[0].runSchedule('unneeded stored objects', later(2))
      const response = await client.request('GET', `/api/files/${id}/content`)
      expect([response.status, isRestored ? await response.text() : '']).toEqual(isRestored ? [200, 'bytes'] : [404, ''])
    }
  })

  test('simultaneous uploads that replace the same file all succeed, and one file remains', async () => {
    for (let round = 0; round < rounds; round++) {
      const fields = { file_name: `same ${round}.txt`, if_exists: 'replace' }
      const ids = await Promise.all(['a', 'b', 'c', 'd'].map((text) => startAndSendAllParts(fields, Buffer.from(text))))
      const finishes = ids.map((id, index) => (index % 2 === 0 ? client : other).finish(id))
      expect(await statusesOf(finishes)).toEqual([200, 200, 200, 200])
      const remaining = (await listFiles()).filter(({ file_name }) => file_name === fields.file_name)
      expect(remaining).toHaveLength(1)
      expect(await client.download(remaining[0]?.id ?? '')).toHaveLength(1)
    }
  })

  test('simultaneous uploads never exceed the quota of the account', async () => {
    const upload = async (index: number): Promise<number> => {
      const sender = index % 2 === 0 ? client : other
      const started = await sender.postJson('/api/uploads', { file_name: `${index}.bin`, file_size: 900 })
      if (started.status !== 201) return started.status
      const { id } = Upload.parse(await started.json())
      await sender.sendPart(id, 0, randomBytes(900))
      return (await sender.finish(id)).status
    }
    const statuses = await Promise.all(Array.from({ length: 30 }, (_, index) => upload(index)))
    const count = Math.floor(quotaBytes / 900)
    expect(statuses.filter((status) => status === 200)).toHaveLength(count)
    expect(statuses.filter((status) => status === 413)).toHaveLength(30 - count)
    expect(await listFiles()).toHaveLength(count)
  })

  /** Sends half of a part. Returns a function that sends the rest and returns the status of the response. */
  async function sendHalf(id: string, bytes: Buffer): Promise<() => Promise<number>> {
    const partRequest = request(`${addresses[0]}/api/uploads/${id}/parts/0`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ada.token}`, 'content-length': bytes.byteLength },
    })
    const status = new Promise<number>((resolve, reject) => {
      partRequest.once('error', reject).once('response', (response) => resolve(response.resume().statusCode ?? 0))
    })
    status.catch(() => {}) // the rest may never be sent
    await new Promise((resolve) => partRequest.write(bytes.subarray(0, bytes.byteLength / 2), resolve))
    return () => {
      partRequest.end(bytes.subarray(bytes.byteLength / 2))
      return status
    }
  }

  test('a part is refused if its upload expires while the part is sent; during a cancellation it is stored or refused; it leaves no bytes', async () => {
    const bytes = randomBytes(5000)
    const expired = await client.start({ file_size: 5000 })
    const sendRest = await sendHalf(expired.id, bytes)
    await apps[1].runSchedule('expired uploads', later(8))
    expect(await sendRest()).toBe(404)
    for (let round = 0; round < rounds; round++) {
      const { id } = await client.start({ file_size: 5000 })
      const sendOtherHalf = await sendHalf(id, bytes)
      const [part, cancelled] = await Promise.all([sendOtherHalf(), cancel(id)])
      expect([204, 404]).toContain(part)
      expect(cancelled.status).toBe(204)
    }
  })

  test('an account that is deleted during its uploads leaves no bytes', async () => {
    const uploads = await Promise.all([1, 2, 3].map(() => client.start({ file_size: 2000 })))
    const complete = await startAndSendAllParts()
    const rests = await Promise.all(uploads.map(({ id }) => sendHalf(id, randomBytes(2000))))
    const requests = [
      other.postJson('/api/account/delete', { password: 'engine no. 1' }),
      client.finish(complete),
      client.postJson('/api/uploads', { file_name: 'late', file_size: 1 }),
    ]
    const [statuses, parts] = await Promise.all([statusesOf(requests), Promise.all(rests.map((sendRest) => sendRest()))])
    expect(statuses[0]).toBe(204)
    for (const status of [...statuses, ...parts]) expect([200, 201, 204, 401, 404]).toContain(status)
  })
})
