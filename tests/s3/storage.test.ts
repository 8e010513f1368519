import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, inject, test } from 'vitest'
import { openS3Storage } from '#server/platform/storage/s3.ts'
import { partBytes } from '#server/platform/storage/storage.ts'
import { inChunks, readAll, store, testStorage } from '#server/testing/storage-cases.ts'

const settings = inject('s3')

describe('the storage', () => {
  testStorage(() => openS3Storage(settings))
})

// Each part of an upload gets an ETag from the store; finishing the upload sends the ETags of all parts.
describe('wrong settings and wrong parts', () => {
  test.each([
    ['secret', { secretAccessKey: 'wrong' }],
    ['key', { accessKeyId: 'wrong' }],
    ['bucket', { bucket: `${settings.bucket}-which-does-not-exist` }],
  ])('a request with a wrong %s is refused', async (_name, wrong) => {
    const storage = openS3Storage({ ...settings, ...wrong })
    await expect(storage.startUpload('foyer-test/wrong', 1)).rejects.toMatchObject({ reason: 'refused' })
    await expect(readAll(storage, 'foyer-test/wrong', 0, 1)).rejects.toMatchObject({ reason: 'refused' })
  })

  // S3 requires at least 5 MiB for every part except the last one; these parts have 10 bytes
  test('an upload cannot be finished with a wrong ETag, or when its first part is too small', async () => {
    const storage = openS3Storage(settings)
    const key = 'foyer-test/etags'
    const id = await storage.startUpload(key, 20)
    const etags = await Promise.all([0, 1].map((number) => storage.writePart({ key, id }, number, inChunks(randomBytes(10)), 10)))
    const otherEtag = '"0123456789abcdef0123456789abcdef"'
    await expect(storage.finishUpload({ key, id }, [otherEtag])).rejects.toMatchObject({ reason: 'wrong_parts' })
    await expect(storage.finishUpload({ key, id }, etags)).rejects.toMatchObject({ reason: 'wrong_parts' })
    await storage.cancelUpload({ key, id })
  })

  test('a read of 11 bytes of an object with 10 bytes fails', async () => {
    const storage = openS3Storage(settings)
    await store(storage, 'foyer-test/short', randomBytes(10))
    await expect(readAll(storage, 'foyer-test/short', 0, 10)).rejects.toMatchObject({ reason: 'wrong_size' })
    await storage.delete('foyer-test/short')
  })

  test('objects and unfinished uploads are listed once each, also when there are more than 1,000, which is the size of a page', async () => {
    const storage = openS3Storage(settings)
    const folder = `foyer-test/${randomUUID()}`
    const count = 1003
    const keys = Array.from({ length: count }, (_, index) => `${folder}/${index}`)
    const uploads: { key: string; id: string }[] = []
    const addRemaining = async (): Promise<void> => {
      for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
        await store(storage, key, Buffer.alloc(0))
        uploads.push({ key, id: await storage.startUpload(key, 1) })
      }
    }
    await Promise.all(Array.from({ length: 20 }, addRemaining))
    const listed = new Map<string, number>()
    for await (const { key, uploadId } of storage.list(`${folder}/`)) {
      const entry = `${key} ${uploadId}`
      listed.set(entry, (listed.get(entry) ?? 0) + 1)
    }
    expect(listed.size).toBe(2 * count)
    expect([...listed.values()].every((each) => each === 1)).toBe(true)
    const deleteRemaining = async (): Promise<void> => {
      for (let upload = uploads.pop(); upload; upload = uploads.pop()) {
        await storage.cancelUpload(upload)
        await storage.delete(upload.key)
      }
    }
    await Promise.all(Array.from({ length: 20 }, deleteRemaining))
  })

  test('twenty uploads of two parts each, which run at the same time, all succeed', async () => {
    const storage = openS3Storage(settings)
    const contents = Array.from({ length: 20 }, () => randomBytes(partBytes + 1000))
    await Promise.all(contents.map((bytes, index) => store(storage, `foyer-test/many-${index}`, bytes)))
    for (const [index, bytes] of contents.entries()) {
      const read = await readAll(storage, `foyer-test/many-${index}`, 0, bytes.byteLength - 1)
      expect(read.equals(bytes)).toBe(true)
      await storage.delete(`foyer-test/many-${index}`)
    }
  })
})
