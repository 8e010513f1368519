import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, inject, test } from 'vitest'
import { openS3Storage } from '#server/platform/storage/s3.ts'
import { partBytes } from '#server/platform/storage/storage.ts'
import { inChunks, readAll, store, testStorage } from '#server/testing/storage-cases.ts'

const settings = inject('s3')

describe('the storage', () => {
  testStorage(() => openS3Storage(settings))
})

describe('wrong settings and wrong parts', () => {
  test.each([
    ['secret', { secretAccessKey: 'wrong' }],
    ['key', { accessKeyId: 'wrong' }],
    ['bucket', { bucket: `${settings.bucket}-which-does-not-exist` }],
  ])('a wrong %s is refused', async (_name, wrong) => {
    const storage = openS3Storage({ ...settings, ...wrong })
    await expect(storage.startUpload('foyer-test/wrong', 1)).rejects.toMatchObject({ reason: 'refused' })
    await expect(readAll(storage, 'foyer-test/wrong', 0, 1)).rejects.toMatchObject({ reason: 'refused' })
  })

  test('a part with another tag, and a first part that is too small, do not finish an upload', async () => {
    const storage = openS3Storage(settings)
    const key = 'foyer-test/tags'
    const id = await storage.startUpload(key, 20)
    const tags = await Promise.all([0, 1].map((number) => storage.writePart({ key, id }, number, inChunks(randomBytes(10)), 10)))
    const otherTag = '"0123456789abcdef0123456789abcdef"'
    await expect(storage.finishUpload({ key, id }, [otherTag])).rejects.toMatchObject({ reason: 'wrong_parts' })
    await expect(storage.finishUpload({ key, id }, tags)).rejects.toMatchObject({ reason: 'wrong_parts' })
    await storage.cancelUpload({ key, id })
  })

  test('a range that begins after the end of an object is no object', async () => {
    const storage = openS3Storage(settings)
    await store(storage, 'foyer-test/short', randomBytes(10))
    await expect(readAll(storage, 'foyer-test/short', 0, 10)).rejects.toMatchObject({ reason: 'wrong_size' })
    await storage.delete('foyer-test/short')
  })

  test('more objects and uploads than one page has are listed', async () => {
    const storage = openS3Storage(settings)
    const folder = `foyer-test/${randomUUID()}`
    const count = 1003
    const keys = Array.from({ length: count }, (_, index) => `${folder}/${index}`)
    const uploads: { key: string; id: string }[] = []
    const sendNext = async (): Promise<void> => {
      for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
        await store(storage, key, Buffer.alloc(0))
        uploads.push({ key, id: await storage.startUpload(key, 1) })
      }
    }
    await Promise.all(Array.from({ length: 20 }, sendNext))
    const listed = new Map<string, number>()
    for await (const { key, uploadId } of storage.list(`${folder}/`)) {
      const entry = `${key} ${uploadId}`
      listed.set(entry, (listed.get(entry) ?? 0) + 1)
    }
    expect(listed.size).toBe(2 * count)
    expect([...listed.values()].every((each) => each === 1)).toBe(true)
    const deleteNext = async (): Promise<void> => {
      for (let upload = uploads.pop(); upload; upload = uploads.pop()) {
        await storage.cancelUpload(upload)
        await storage.delete(upload.key)
      }
    }
    await Promise.all(Array.from({ length: 20 }, deleteNext))
  })

  test('twenty uploads of two parts at once all succeed', async () => {
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
