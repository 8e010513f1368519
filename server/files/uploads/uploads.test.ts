// Uploads over real HTTP, with the bytes on disk and in a stand-in for an S3-compatible store.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { partBytes } from '#contract/uploads.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { openDiskStorage } from '#server/platform/storage/disk.ts'
import { openS3Storage } from '#server/platform/storage/s3.ts'
import { partBytes as storagePartBytes } from '#server/platform/storage/storage.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createFileClient, parseFileResponse, readProblem, type FileClient } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, undo } from '#server/testing/records.ts'
import { startS3, type S3StandIn } from '#server/testing/s3.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

let s3: S3StandIn
beforeAll(async () => void (s3 = await startS3()))
afterAll(() => s3[Symbol.asyncDispose]())

describe.each(['disk', 'S3'])('with the bytes on %s', (driver) => {
  let apps: TestApp[]
  let addresses: string[]
  let ada: Person
  let client: FileClient
  beforeAll(async () => {
    const first = await openTestApp(driver === 'S3' ? { storage: openS3Storage(s3.settings) } : {})
    const { connections } = first
    const storage = driver === 'S3' ? openS3Storage(s3.settings) : openDiskStorage(first.filesFolder)
    apps = [first, await openTestApp({ connections, storage })] // as two processes have them: with the same database and storage
    addresses = await Promise.all(apps.map((app) => app.server.listen({ port: 0, host: '127.0.0.1' })))
  })
  afterAll(() => Promise.all(apps.map((app) => app.stop())))
  beforeEach(async () => {
    ada = await signInAs(appAt(0), 'ada')
    client = clientOf(0)
  })
  const appAt = (index: number): TestApp => {
    const app = apps[index]
    if (!app) throw new Error('The index must be 0 or 1')
    return app
  }
  const clientOf = (index: number) => createFileClient(addresses[index] ?? '', ada.token)
  const listFiles = async () => (await ada.send({ url: '/api/files' })).json().rows

  test.each([
    ['no bytes', 0],
    ['one byte', 1],
    ['exactly one part', partBytes],
    ['three parts', 2 * partBytes + 1],
  ])('a file of %s comes back with the same bytes, and its SHA-256 is stored', async (_name, size) => {
    const bytes = randomBytes(size)
    const file = await client.upload(bytes, { file_name: 'Offer.PDF', mime_type: 'Application/PDF' })
    expect(file).toMatchObject({
      file_name: 'Offer.PDF',
      file_type: 'pdf',
      file_size: size,
      mime_type: 'application/pdf',
      folder_id: null,
      contact_id: null,
      is_ai_generated: false,
    })
    expect(sha256(await client.download(file.id))).toBe(sha256(bytes))
    const readHash = async () => {
      const { rows } = await appAt(0).tableOwner.query<{ hash: string }>(
        `select encode(sha256, 'hex') as hash from stored_objects where storage_path = $1`,
        [file.storage_path],
      )
      return rows[0]?.hash
    }
    await expect.poll(readHash).toBe(sha256(bytes))
  })

  test('twenty uploads at the same time all succeed', { timeout: 300_000 }, async () => {
    const contents = Array.from({ length: 20 }, (_, index) => randomBytes((index < 4 ? partBytes : 0) + 100_000)) // four have two parts
    const files = await Promise.all(contents.map((bytes, index) => clientOf(index % 2).upload(bytes)))
    expect(new Set(files.map(({ file_name }) => file_name)).size).toBe(20)
    for (const [index, file] of files.entries())
      expect(sha256(await client.download(file.id))).toBe(sha256(contents[index] ?? Buffer.alloc(0)))
  })

  test('an upload can be sent and finished by two processes at once, and becomes one file', async () => {
    const bytes = randomBytes(3 * partBytes + 5)
    const upload = await client.start({ file_size: bytes.byteLength })
    await Promise.all([0, 1].map((index) => clientOf(index).sendMissingParts(upload, bytes)))
    const responses = await Promise.all([0, 1, 0, 1].map((index) => clientOf(index).finish(upload.id)))
    const files = await Promise.all(responses.map(parseFileResponse))
    expect([responses.map(({ status }) => status), new Set(files.map(({ id }) => id)).size]).toEqual([[200, 200, 200, 200], 1])
    expect(sha256(await client.download(files[0]?.id ?? ''))).toBe(sha256(bytes))
    expect(await listFiles()).toHaveLength(1)
    const again = await client.finish(upload.id)
    // other columns may differ, because a job may have read the text meanwhile
    expect(await parseFileResponse(again)).toMatchObject({ id: files[0]?.id, version: 1 })
  })

  test('if two processes start an upload with the same id at the same time, the storage has one upload', async () => {
    const countS3Uploads = () => s3.uploads.size
    const before = countS3Uploads()
    const fields = { id: newId(), file_size: 2 * partBytes }
    const bytes = randomBytes(2 * partBytes)
    const uploads = await Promise.all([0, 1, 0, 1].map((index) => clientOf(index).start(fields)))
    expect(countS3Uploads() - before).toBe(driver === 'S3' ? 1 : 0)
    await Promise.all(uploads.map((upload, index) => clientOf(index % 2).sendMissingParts(upload, bytes)))
    const file = await parseFileResponse(await client.finish(fields.id))
    expect(sha256(await client.download(file.id))).toBe(sha256(bytes))
  })

  test('a finished upload is one change, which can be undone and redone', async () => {
    const upload = await client.start({ file_size: 1 })
    await client.sendMissingParts(upload, Buffer.from('a'))
    const response = await ada.send({ method: 'POST', url: `/api/uploads/${upload.id}/finish` })
    expect(await readLabel(ada, response)).toBe('Uploaded 1 file')
    const undone = await undo(ada, response)
    expect(await listFiles()).toEqual([])
    expect((await client.finish(upload.id)).status).toBe(404)
    await undo(ada, undone)
    expect(await client.download(response.json().id)).toEqual(Buffer.from('a'))
  })

  test('a part with a wrong length or number is refused, and nothing is stored', async () => {
    const upload = await client.start({ file_size: partBytes + 10 })
    const send = async (number: number, bytes: number) => (await client.sendPart(upload.id, number, Buffer.alloc(bytes))).status
    expect(await send(1, 9)).toBe(422)
    expect(await send(1, 11)).toBe(422)
    expect(await send(0, 10)).toBe(422)
    expect(await send(2, 10)).toBe(422)
    expect(await send(10_000, 10)).toBe(404) // no upload has so many parts, so the address is invalid
    /** Sends the second part in chunks of 5 bytes, without Content-Length. */
    const chunked = (chunks: number) =>
      client.request('PUT', `/api/uploads/${upload.id}/parts/1`, {
        body: new ReadableStream({
          start: (controller) => {
            for (let count = 0; count < chunks; count++) controller.enqueue(Buffer.alloc(5))
            controller.close()
          },
        }),
      })
    expect((await chunked(1)).status).toBe(422)
    expect((await chunked(1000)).status).toBe(422)
    expect((await client.read(upload.id)).parts).toEqual([])
    const early = await readProblem(await client.finish(upload.id))
    expect(early).toEqual({ status: 422, fields: { parts: '2 parts are missing: 0, 1' } })
    expect((await chunked(2)).status).toBe(204)
    expect(await client.read(upload.id)).toMatchObject({ parts: [1], part_count: 2, part_size: partBytes, file_id: null })
  })

  test('a finished upload accepts no parts and cannot be cancelled', async () => {
    const bytes = randomBytes(10)
    const upload = await client.start({ file_size: 10 })
    await client.sendMissingParts(upload, bytes)
    const file = await parseFileResponse(await client.finish(upload.id))
    expect((await client.sendPart(upload.id, 0, randomBytes(10))).status).toBe(422)
    expect((await client.request('DELETE', `/api/uploads/${upload.id}`)).status).toBe(404)
    expect(await client.download(file.id)).toEqual(bytes)
  })

  test('a cancelled upload is gone with its bytes', async () => {
    const upload = await client.start({ file_size: 2 * partBytes })
    await client.sendPart(upload.id, 0, Buffer.alloc(partBytes))
    const { rows } = await appAt(0).tableOwner.query<{ path: string; id: string }>(
      'select storage_path as path, storage_upload_id as id from uploads where id = $1',
      [upload.id],
    )
    const [{ path, id } = { path: '', id: '' }] = rows
    const isStored = (): boolean => (driver === 'S3' ? s3.uploads.has(id) : existsSync(join(appAt(0).filesFolder, `${path}.unfinished`)))
    expect(isStored()).toBe(true)
    expect((await client.request('DELETE', `/api/uploads/${upload.id}`)).status).toBe(204)
    expect((await client.sendPart(upload.id, 1, Buffer.alloc(partBytes))).status).toBe(404)
    expect((await client.finish(upload.id)).status).toBe(404)
    await expect.poll(isStored).toBe(false)
  })
})

test('the contract and the storage have the same size of parts', () => {
  expect(partBytes).toBe(storagePartBytes)
})

describe('in one process, with the bytes on disk', () => {
  let app: TestApp
  let client: FileClient
  let ada: Person
  beforeAll(async () => {
    app = await openTestApp()
    const address = await app.server.listen({ port: 0, host: '127.0.0.1' })
    ada = await signInAs(app, 'ada')
    client = createFileClient(address, ada.token)
  })
  afterAll(() => app.stop())

  test('keep_both adds a number if another file of the folder has the name, also for simultaneous uploads', async () => {
    const { id: folder_id } = (await ada.send({ method: 'POST', url: '/api/folders', payload: { name: 'Both' } })).json()
    const names = await Promise.all([1, 2, 3].map(async () => (await client.upload(Buffer.from('a'), { folder_id })).file_name))
    expect(names.toSorted()).toEqual(['Offer (2).bin', 'Offer (3).bin', 'Offer.bin'])
    expect((await client.upload(Buffer.from('a'))).file_name).toBe('Offer.bin')
  })

  test('replace moves the old file of this name to the trash in the same change', async () => {
    const { id: folder_id } = (await ada.send({ method: 'POST', url: '/api/folders', payload: { name: 'Replaced' } })).json()
    const old = await client.upload(Buffer.from('old'), { folder_id })
    const upload = await client.start({ file_size: 3, folder_id, if_exists: 'replace' })
    await client.sendMissingParts(upload, Buffer.from('new'))
    const finished = await ada.send({ method: 'POST', url: `/api/uploads/${upload.id}/finish`, headers: { 'idempotency-key': 'one' } })
    expect(finished.json()).toMatchObject({ file_name: 'Offer.bin' })
    expect((await client.request('GET', `/api/files/${old.id}`)).status).toBe(404)
    await undo(ada, finished)
    expect(await client.download(old.id)).toEqual(Buffer.from('old'))
    expect((await client.request('GET', `/api/files/${finished.json().id}`)).status).toBe(404)
  })

  test('skip returns the existing file of this name, when the upload starts or when it is finished', async () => {
    const { id: folder_id } = (await ada.send({ method: 'POST', url: '/api/folders', payload: { name: 'Skipped' } })).json()
    const late = await client.start({ file_size: 4, folder_id, if_exists: 'skip' })
    await client.sendMissingParts(late, Buffer.from('late'))
    const existing = await client.upload(Buffer.from('old'), { folder_id })
    expect(await client.start({ file_size: 4, folder_id, if_exists: 'skip' })).toMatchObject({ file_id: existing.id })
    expect(await parseFileResponse(await client.finish(late.id))).toMatchObject({ id: existing.id })
    expect(await client.read(late.id)).toMatchObject({ file_id: existing.id })
    const { rows } = await app.tableOwner.query<{ count: number }>(
      'select count(*)::int as count from stored_objects o join files f on f.object_id = o.id where f.folder_id = $1',
      [folder_id],
    )
    expect(rows[0]?.count).toBe(1)
    const pathOf = async () =>
      (await app.tableOwner.query<{ path: string | null }>('select storage_path as path from uploads where id = $1', [late.id])).rows[0]
        ?.path
    expect(await pathOf()).toBeNull()
    await expect.poll(() => readdirSync(join(app.filesFolder, ada.id)).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  test('parts whose bytes were lost can be sent again', async () => {
    const upload = await client.start({ file_size: 3 })
    await client.sendMissingParts(upload, Buffer.from('abc'))
    const [folder = ''] = readdirSync(join(app.filesFolder, ada.id)).filter((name) => name.endsWith('.unfinished'))
    rmSync(join(app.filesFolder, ada.id, folder, '0'))
    const refused = await readProblem(await client.finish(upload.id))
    expect(refused).toEqual({ status: 422, fields: { parts: 'The parts are not stored correctly. Send them again.' } })
    const open = await client.read(upload.id)
    expect(open.parts).toEqual([])
    await client.sendMissingParts(open, Buffer.from('abc'))
    expect((await client.finish(upload.id)).status).toBe(200)
  })

  test('an upload is refused if its folder was deleted after its start, and succeeds after the undo', async () => {
    const { id: folder_id } = (await ada.send({ method: 'POST', url: '/api/folders', payload: { name: 'Deleted' } })).json()
    const upload = await client.start({ file_size: 1, folder_id })
    await client.sendMissingParts(upload, Buffer.from('a'))
    const deleted = await ada.send({ method: 'DELETE', url: `/api/folders/${folder_id}` })
    const refused = await readProblem(await client.finish(upload.id))
    expect(refused).toEqual({ status: 404, fields: { folder_id: 'This folder is no longer here' } })
    expect((await client.postJson('/api/uploads', { file_name: 'a', file_size: 1, folder_id })).status).toBe(404)
    await undo(ada, deleted)
    expect((await client.finish(upload.id)).status).toBe(200)
  })
})
