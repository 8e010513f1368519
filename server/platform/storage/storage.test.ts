import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startS3, type S3StandIn } from '#server/testing/s3.ts'
import { inChunks, readAll, store, testStorage } from '#server/testing/storage-cases.ts'
import { openDiskStorage } from './disk.ts'
import { openS3Storage } from './s3.ts'
import { partBytes, type Storage } from './storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'foyer-storage-'))
let s3: S3StandIn
beforeAll(async () => void (s3 = await startS3()))
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

describe('disk', () => {
  testStorage(() => openDiskStorage(folder))
})

describe('S3', () => {
  testStorage(() => openS3Storage(s3.settings))
})

// `s3.faults` are the faults of the next requests. Each is used once, by the next request of its operation.
describe('a store with faults', () => {
  const open = (): Storage => openS3Storage(s3.settings)
  const silenceMs = 500
  const openWithShortTimeout = (): Storage => openS3Storage({ ...s3.settings, silenceMs })
  afterEach(() => {
    const isAnythingLeft = s3.faults.splice(0).length > 0 || s3.uploads.size > 0
    s3.uploads.clear()
    if (isAnythingLeft) throw new Error('A fault was not used by any request, or an upload was not finished')
  })
  const bytes = randomBytes(partBytes + 1000)
  const last = bytes.byteLength - 1
  /** Starts an upload of `bytes` and writes both parts. Returns the ETags of the parts, which S3 requires to finish the upload. */
  const sendParts = async (storage: Storage, key: string): Promise<{ upload: { key: string; id: string }; etags: string[] }> => {
    const upload = { key, id: await storage.startUpload(key, bytes.byteLength) }
    const etags = [
      await storage.writePart(upload, 0, inChunks(bytes.subarray(0, partBytes)), partBytes),
      await storage.writePart(upload, 1, inChunks(bytes.subarray(partBytes)), 1000),
    ]
    return { upload, etags }
  }
  const isStored = (key: string): boolean => s3.objects.get(key)?.equals(bytes) === true

  const failures = [{ status: 503 }, { status: 500, code: 'InternalError' }, { status: 429 }]

  test.each(failures)('each operation except writing a part is tried again after %j', async (fault) => {
    const storage = open()
    const key = 'owner/tried-again'
    for (const operation of ['start', 'complete', 'read', 'list', 'cancel', 'delete'] as const) s3.faults.push({ ...fault, operation })
    const { upload, etags } = await sendParts(storage, key)
    await storage.finishUpload(upload, etags)
    expect((await readAll(storage, key, 0, last)).equals(bytes)).toBe(true)
    for await (const listed of storage.list(key)) expect(listed.size).toBe(bytes.byteLength)
    await storage.delete(key)
    expect(s3.objects.has(key)).toBe(false)
    await storage.cancelUpload({ key, id: await storage.startUpload(key, 1) })
  })

  test('an operation fails after three tries, and a later one succeeds', async () => {
    const storage = open()
    await store(storage, 'owner/three', Buffer.from('abc'))
    s3.faults.push({ status: 503 }, { status: 503 }, { status: 503 })
    await expect(readAll(storage, 'owner/three', 0, 2)).rejects.toMatchObject({ reason: 'unavailable' })
    expect(String(await readAll(storage, 'owner/three', 0, 2))).toBe('abc')
  })

  test.each([{ status: 503 }, { closeAfterReceivedBytes: 300_000 }, { losesResponse: true }])(
    'writing a part fails with the fault %j, and the part can be sent again',
    async (fault) => {
      const storage = open()
      const upload = { key: 'owner/part', id: await storage.startUpload('owner/part', 900_000) }
      const part = randomBytes(900_000)
      const write = (): Promise<string> => storage.writePart(upload, 0, inChunks(part), part.byteLength)
      s3.faults.push({ ...fault, operation: 'part' })
      await expect(write()).rejects.toMatchObject({ reason: 'unavailable' })
      await storage.finishUpload(upload, [await write()])
      expect(s3.objects.get('owner/part')?.equals(part)).toBe(true)
    },
  )

  test('an upload for which a part has a wrong ETag cannot be finished until the part is sent again', async () => {
    const storage = open()
    s3.faults.push({ etag: '"wrong"', operation: 'part' })
    const { upload, etags } = await sendParts(storage, 'owner/etag')
    await expect(storage.finishUpload(upload, etags)).rejects.toMatchObject({ reason: 'wrong_parts' })
    expect(s3.objects.has('owner/etag')).toBe(false)
    const etag = await storage.writePart(upload, 0, inChunks(bytes.subarray(0, partBytes)), partBytes)
    await storage.finishUpload(upload, [etag, etags[1] ?? ''])
    expect(isStored('owner/etag')).toBe(true)
  })

  test.each([
    ['InternalError', 'unavailable'],
    ['InvalidPart', 'wrong_parts'],
  ])(
    'finishing an upload fails if the response has status 200 and contains the error %s, and may be repeated',
    async (errorInside, reason) => {
      const storage = open()
      const { upload, etags } = await sendParts(storage, `owner/inside-${reason}`)
      s3.faults.push({ errorInside, operation: 'complete' })
      await expect(storage.finishUpload(upload, etags)).rejects.toMatchObject({ reason })
      await storage.finishUpload(upload, etags)
      expect(isStored(upload.key)).toBe(true)
    },
  )

  test('finishing an upload succeeds even if the response of the store is lost', async () => {
    const storage = open()
    const { upload, etags } = await sendParts(storage, 'owner/lost')
    s3.faults.push({ losesResponse: true, operation: 'complete' })
    await storage.finishUpload(upload, etags)
    expect(isStored('owner/lost')).toBe(true)
  })

  test('reading fails when an object ends early, and its rest can be read afterwards', async () => {
    const storage = open()
    await store(storage, 'owner/cut', bytes)
    s3.faults.push({ closeAfterBytes: 1000 })
    await expect(readAll(storage, 'owner/cut', 0, last)).rejects.toMatchObject({ reason: 'unavailable' })
    expect((await readAll(storage, 'owner/cut', 1000, last)).equals(bytes.subarray(1000))).toBe(true)
  })

  test('when the store is silent, writing a part fails, and finishing and reading are tried again', async () => {
    const storage = openWithShortTimeout()
    const upload = { key: 'owner/silent', id: await storage.startUpload('owner/silent', 3) }
    const write = (): Promise<string> => storage.writePart(upload, 0, inChunks(Buffer.from('abc')), 3)
    s3.faults.push({ isSilent: true, operation: 'part' }, { isSilent: true, operation: 'complete' }, { isSilent: true, operation: 'read' })
    await expect(write()).rejects.toMatchObject({ reason: 'unavailable', message: 'The store was silent for 0.5 s' })
    await storage.finishUpload(upload, [await write()])
    expect(String(await readAll(storage, 'owner/silent', 0, 2))).toBe('abc')
  })

  test('an object is read and a part is written at the pace of a slow client, without a time limit', async () => {
    const storage = openWithShortTimeout()
    const pause = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 2 * silenceMs))
    async function* inSlowChunks(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 10)
      await pause()
      yield bytes.subarray(10)
    }
    const upload = { key: 'owner/slow', id: await storage.startUpload('owner/slow', bytes.byteLength) }
    await storage.finishUpload(upload, [await storage.writePart(upload, 0, inSlowChunks(), bytes.byteLength)])
    let readBytes = 0
    for await (const chunk of storage.read('owner/slow', { start: 0, end: last })) {
      if (readBytes === 0) await pause()
      readBytes += chunk.byteLength
    }
    expect(readBytes).toBe(bytes.byteLength)
  })

  test.each([
    ['wrong credentials', 403, 'InvalidAccessKeyId', 'refused'],
    ['a wrong clock', 403, 'RequestTimeTooSkewed', 'refused'],
    ['another region', 301, 'PermanentRedirect', 'refused'],
    ['a full store', 507, 'XMinioStorageFull', 'full'],
    ['a used up quota', 403, 'QuotaExceeded', 'full'],
  ])('an operation with %s fails at once, and the error names the reason', async (_name, status, code, reason) => {
    const storage = open()
    s3.faults.push({ status, code })
    await expect(storage.startUpload('owner/refused', 1)).rejects.toMatchObject({ reason, message: expect.stringContaining(code) })
  })

  test('a wrong secret and a bucket that does not exist are refused', async () => {
    for (const wrong of [{ secretAccessKey: 'wrong' }, { bucket: 'no-bucket' }]) {
      const storage = openS3Storage({ ...s3.settings, ...wrong })
      await expect(storage.startUpload('owner/wrong', 1)).rejects.toMatchObject({ reason: 'refused' })
      await expect(readAll(storage, 'owner/wrong', 0, 1)).rejects.toMatchObject({ reason: 'refused' })
    }
  })
})
