// The disk is full, read-only or lost while files are written and read. Each request succeeds or gets an error that names the cause, and no
// file is stored in part.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, type TestContext } from 'vitest'
import { Problem } from '#contract/errors.ts'
import { openDiskStorage } from '#server/platform/storage/disk.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createFileClient, parseFileResponse, type FileClient } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { mountSmallDisk, type SmallDisk } from '#server/testing/small-disk.ts'

let app: TestApp | undefined
let disk: SmallDisk | undefined
let ada: Person
let client: FileClient
beforeEach(() => {
  disk = undefined
  app = undefined
})
afterEach(async () => {
  await app?.stop()
  disk?.[Symbol.dispose]()
})

/** Opens the application with its files on a small disk. Skips the test where no disk can be made. */
async function openOnSmallDisk(context: TestContext, { maxNames = 100, minFreeBytes = 0 } = {}): Promise<SmallDisk> {
  disk = mountSmallDisk({ maxNames })
  if (!disk) return context.skip('only root can make a small disk')
  app = await openTestApp({ storage: openDiskStorage(disk.folder, { minFreeBytes }) })
  ada = await signInAs(app, 'ada')
  client = createFileClient(await app.server.listen({ port: 0, host: '127.0.0.1' }), ada.token)
  return disk
}

const readError = async (response: Response): Promise<[status: number, code: string]> => {
  const { status, code } = Problem.parse(await response.json())
  return [status, code]
}
const start = (file_size: number): Promise<Response> => client.postJson('/api/uploads', { file_name: 'a.bin', file_size })
const listUploads = async (): Promise<unknown[]> => (await ada.send({ url: '/api/uploads' })).json().rows
const full = [507, 'storage_full']
const notReady = [503, 'not_ready']

test('no upload starts on a disk that allows no more files, and no row of an upload is left', async (context) => {
  const { folder } = await openOnSmallDisk(context, { maxNames: 4 }) // two other folders leave too few names for an upload
  mkdirSync(join(folder, 'other'))
  mkdirSync(join(folder, 'another'))
  expect(await readError(await start(1))).toEqual(full)
  expect(await listUploads()).toEqual([])
  rmSync(join(folder, 'other'), { recursive: true })
  rmSync(join(folder, 'another'), { recursive: true })
  expect((await start(0)).status).toBe(201)
})

test('an upload whose parts are stored can be finished on a full disk', async (context) => {
  const { fill } = await openOnSmallDisk(context)
  const bytes = randomBytes(300_000)
  const upload = await client.start({ file_size: bytes.byteLength })
  await client.sendMissingParts(upload, bytes)
  fill()
  const file = await parseFileResponse(await client.finish(upload.id))
  expect((await client.download(file.id)).equals(bytes)).toBe(true)
})

test('an upload that would leave less than the minimum of free space is refused, and a smaller one is finished', async (context) => {
  await openOnSmallDisk(context, { minFreeBytes: 5e6 }) // the disk has 12 MB
  expect(await readError(await start(9e6))).toEqual(full)
  const [first, second] = [await client.start({ file_size: 4e6 }), await client.start({ file_size: 4e6 })]
  expect((await client.sendPart(first.id, 0, randomBytes(4e6))).status).toBe(204)
  expect(await readError(await client.sendPart(second.id, 0, randomBytes(4e6)))).toEqual(full)
  expect((await client.read(second.id)).parts).toEqual([])
  expect((await client.finish(first.id)).status).toBe(200)
})

test('while the disk is read-only, uploads are refused and downloads work, and the uploads can be completed later', async (context) => {
  const { setReadOnly } = await openOnSmallDisk(context)
  const bytes = randomBytes(1000)
  const file = await client.upload(bytes)
  const [upload, complete] = [await client.start({ file_size: 1000 }), await client.start({ file_size: 1000 })]
  await client.sendMissingParts(complete, bytes)
  setReadOnly(true)
  expect(await readError(await start(1))).toEqual(notReady)
  expect(await readError(await client.sendPart(upload.id, 0, bytes))).toEqual(notReady)
  expect(await readError(await client.finish(complete.id))).toEqual(notReady)
  expect((await client.download(file.id)).equals(bytes)).toBe(true)
  setReadOnly(false)
  await client.sendMissingParts(await client.read(upload.id), bytes)
  for (const { id } of [upload, complete]) expect((await client.finish(id)).status).toBe(200)
})

test('after all stored bytes were deleted, the server still runs, reports the bytes of old files as lost, and stores new files', async (context) => {
  const { folder } = await openOnSmallDisk(context)
  const file = await client.upload(randomBytes(1000))
  const upload = await client.start({ file_size: 1000 })
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  const lost = [500, 'bytes_lost']
  for (const query of ['', '?disposition=inline'])
    expect(await readError(await client.request('GET', `/api/files/${file.id}/content${query}`))).toEqual(lost)
  // the row of the upload still exists, but its folder of parts is gone
  expect(await readError(await client.sendPart(upload.id, 0, randomBytes(1000)))).toEqual([404, 'not_found'])
  const bytes = randomBytes(1000)
  expect((await client.download((await client.upload(bytes)).id)).equals(bytes)).toBe(true)
  expect((await client.request('DELETE', `/api/uploads/${upload.id}`)).status).toBe(204)
  await ada.send({ method: 'DELETE', url: `/api/files/${file.id}` })
  expect(await readError(await client.request('GET', `/api/files/${file.id}/content`))).toEqual([404, 'not_found'])
})
