// An S3-compatible store fails while files are written and read. Requests get an error that names the cause, and can be repeated. The
// server sends a failed request to the store up to three times, so a user notices only the third failure. A part is sent only once,
// because its bytes are a stream.
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { Problem } from '#contract/errors.ts'
import { partBytes } from '#contract/uploads.ts'
import { openS3Storage } from '#server/platform/storage/s3.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createFileClient, type FileClient } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { startS3, type S3StandIn } from '#server/testing/s3.ts'

let s3: S3StandIn
let app: TestApp
let ada: Person
let client: FileClient
beforeAll(async () => {
  s3 = await startS3()
  app = await openTestApp({ storage: openS3Storage({ ...s3.settings, silenceMs: 1000 }) })
  await app.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.stop()
  await s3[Symbol.asyncDispose]()
})
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  const address = app.server.server.address()
  client = createFileClient(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, ada.token)
})
afterEach(expectAgreement)

/** Expects that objects and rows match, that no upload is left in the store, and that all planned faults have happened. */
async function expectAgreement(): Promise<void> {
  const countJobs = async () =>
    (await app.tableOwner.query<{ count: number }>('select count(*)::int as count from jobs.jobs')).rows[0]?.count
  await expect.poll(countJobs).toBe(0)
  const { rows } = await app.tableOwner.query<{ path: string }>('select storage_path as path from stored_objects')
  expect([...s3.objects.keys()].toSorted()).toEqual(rows.map(({ path }) => path).toSorted())
  expect([...s3.uploads.keys(), ...s3.faults]).toEqual([])
}

const readError = async (response: Response): Promise<[status: number, code: string]> => {
  const { status, code } = Problem.parse(await response.json())
  return [status, code]
}
const notReady = [503, 'not_ready']
const bytes = randomBytes(partBytes + 1000)
const failTimes = (count: number, fault: S3StandIn['faults'][number]): void => {
  for (let time = 0; time < count; time++) s3.faults.push(fault)
}
const listUploads = async (): Promise<unknown[]> => (await ada.send({ url: '/api/uploads' })).json().rows
const start = (): Promise<Response> => client.postJson('/api/uploads', { file_name: 'a.bin', file_size: bytes.byteLength })

test.each([
  ['is unavailable', { status: 503 }, 3, notReady],
  ['is silent', { isSilent: true }, 3, notReady],
  ['is full', { status: 507, code: 'XMinioStorageFull' }, 1, [507, 'storage_full']],
  ['refuses the credentials', { status: 403, code: 'ExpiredToken' }, 1, [500, 'storage_refused']],
  ['has a clock with a very different time', { status: 403, code: 'RequestTimeTooSkewed' }, 1, [500, 'storage_refused']],
])('no upload starts when the store %s', async (_name, fault, count, expected) => {
  failTimes(count, { ...fault, operation: 'start' })
  expect(await readError(await start())).toEqual(expected)
  expect(await listUploads()).toEqual([])
})

test('uploads and downloads succeed despite short failures of the store', async () => {
  // 'read' twice: the job that computes the hash reads the object, and so does the download
  for (const operation of ['start', 'complete', 'read', 'read'] as const) failTimes(2, { operation, status: 503 })
  const { id } = await client.upload(bytes)
  expect((await client.download(id)).equals(bytes)).toBe(true)
})

test.each([{ status: 503 }, { closeAfterReceivedBytes: 500_000 }, { losesResponse: true }])(
  'a part whose request to the store fails with %j is not stored, and can be sent again',
  async (fault) => {
    const upload = await client.start({ file_size: bytes.byteLength })
    s3.faults.push({ ...fault, operation: 'part' })
    expect(await readError(await client.sendPart(upload.id, 0, bytes.subarray(0, partBytes)))).toEqual(notReady)
    expect((await client.read(upload.id)).parts).toEqual([])
    await client.sendMissingParts(upload, bytes)
    expect((await client.finish(upload.id)).status).toBe(200)
  },
)

test('an upload in one request is removed if the client disconnects while the store is silent', async () => {
  s3.faults.push({ operation: 'part', isSilent: true })
  const end = new AbortController()
  const payload = { fileName: 'a.txt', fileSize: 5, fileData: 'SGVsbG8=' }
  const sending = client.postJson('/functions/v1/upload-to-s3', payload, end.signal)
  await expect.poll(listUploads).toHaveLength(1)
  await expect.poll(() => s3.faults).toEqual([])
  end.abort()
  await expect(sending).rejects.toThrow('abort')
  await expect.poll(listUploads).toEqual([])
})

test.each([
  ['with status 200 and an error inside', { errorInside: 'InternalError' }, 1],
  ['with status 503 for a long time', { status: 503 }, 3],
])('a completion that fails %s creates no file, and succeeds when it is repeated', async (_name, fault, count) => {
  const upload = await client.start({ file_size: bytes.byteLength })
  await client.sendMissingParts(upload, bytes)
  failTimes(count, { ...fault, operation: 'complete' })
  expect(await readError(await client.finish(upload.id))).toEqual(notReady)
  expect((await ada.send({ url: '/api/files' })).json().rows).toEqual([])
  expect((await client.finish(upload.id)).status).toBe(200)
})

test('an upload cannot be finished if the store gave a part a wrong ETag, and its parts must be sent again', async () => {
  const upload = await client.start({ file_size: bytes.byteLength })
  s3.faults.push({ operation: 'part', etag: '"wrong"' })
  await client.sendMissingParts(upload, bytes)
  expect(await readError(await client.finish(upload.id))).toEqual([422, 'invalid'])
  const open = await client.read(upload.id)
  expect(open.parts).toEqual([])
  await client.sendMissingParts(open, bytes)
  expect((await client.finish(upload.id)).status).toBe(200)
})

test('a download that the store interrupts fails, and can be continued with a range', async () => {
  const { id } = await client.upload(bytes)
  // the job that computes the hash must not get the fault
  await expect.poll(async () => (await app.tableOwner.query('select from stored_objects where sha256 is null')).rowCount).toBe(0)
  s3.faults.push({ operation: 'read', closeAfterBytes: 3_000_000 })
  const response = await client.request('GET', `/api/files/${id}/content`)
  const received: Uint8Array[] = []
  const readAll = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) received.push(chunk)
  }
  await expect(readAll()).rejects.toThrow('terminated')
  const firstBytes = Buffer.concat(received)
  expect(firstBytes.byteLength).toBeLessThanOrEqual(3_000_000)
  const headers = { range: `bytes=${firstBytes.byteLength}-`, 'if-range': response.headers.get('etag') ?? '' }
  const rest = await client.request('GET', `/api/files/${id}/content`, { headers })
  expect(rest.status).toBe(206)
  expect(Buffer.concat([firstBytes, Buffer.from(await rest.arrayBuffer())]).equals(bytes)).toBe(true)
})

test('the bytes of a cancelled upload are deleted as soon as the store is available again', async () => {
  const upload = await client.start({ file_size: bytes.byteLength })
  await client.sendPart(upload.id, 0, bytes.subarray(0, partBytes))
  // the job cancels the upload in the store, and then deletes its object, which may exist if the store has completed the upload
  failTimes(2, { operation: 'cancel', status: 503 })
  failTimes(2, { operation: 'delete', status: 503 })
  expect((await client.request('DELETE', `/api/uploads/${upload.id}`)).status).toBe(204)
  await expect.poll(() => s3.uploads.size).toBe(0)
})
