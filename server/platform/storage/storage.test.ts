import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3, type S3StandIn } from '#server/testing/s3.ts'
import { openDiskStorage } from './disk.ts'
import { openS3Storage } from './s3.ts'
import { partBytes, type ListedObject, type Storage } from './storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'foyer-storage-'))
let s3: S3StandIn
beforeAll(async () => void (s3 = await startS3()))
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function* inChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += 100_000) yield bytes.subarray(start, start + 100_000)
}

const partsOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.max(1, Math.ceil(bytes.byteLength / partBytes)) }, (_, number) =>
    bytes.subarray(number * partBytes, (number + 1) * partBytes),
  )

/** Writes all parts, the last one first. */
async function store(storage: Storage, key: string, bytes: Buffer): Promise<void> {
  const id = await storage.startUpload(key, bytes.byteLength)
  const tags: string[] = []
  for (const [number, part] of [...partsOf(bytes).entries()].toReversed())
    tags[number] = await storage.writePart({ key, id }, number, inChunks(part), part.byteLength)
  await storage.finishUpload({ key, id }, tags)
}

const readAll = (storage: Storage, key: string, start: number, end: number): Promise<Buffer> => buffer(storage.read(key, { start, end }))

describe.each([
  ['disk', () => openDiskStorage(folder)],
  ['S3', () => openS3Storage(s3.settings)],
])('%s', (_name, open) => {
  test.each([
    ['no bytes', 0],
    ['one part', 1000],
    ['exactly one part', partBytes],
    ['three parts', 2 * partBytes + 12_345],
  ])('an object of %s is read as it was written', async (name, size) => {
    const storage = open()
    const key = `owner/${name.replaceAll(' ', '-')}`
    const bytes = randomBytes(size)
    await store(storage, key, bytes)
    expect((await readAll(storage, key, 0, size - 1)).equals(bytes)).toBe(true)
  })

  test('ranges within a part and over the end of a part have the right bytes', async () => {
    const storage = open()
    const bytes = randomBytes(partBytes + 5000)
    await store(storage, 'owner/ranges', bytes)
    const last = bytes.byteLength - 1
    for (const [start, end] of [
      [0, 0],
      [17, 4000],
      [partBytes - 10, partBytes + 10],
      [partBytes, last],
      [last, last],
    ] as const)
      expect((await readAll(storage, 'owner/ranges', start, end)).equals(bytes.subarray(start, end + 1))).toBe(true)
  })

  test('a deleted or unknown object is missing, and deleting may be repeated', async () => {
    const storage = open()
    await store(storage, 'owner/deleted', randomBytes(10))
    await storage.delete('owner/deleted')
    await storage.delete('owner/deleted')
    await expect(readAll(storage, 'owner/deleted', 0, 9)).rejects.toMatchObject({ reason: 'missing' })
    await expect(readAll(storage, 'owner/unknown', 0, 9)).rejects.toMatchObject({ reason: 'missing' })
  })

  test('a part that is shorter or longer than announced is refused, and a later try replaces it', async () => {
    const storage = open()
    const key = 'owner/wrong-size'
    const id = await storage.startUpload(key, 1000)
    const write = (bytes: number): Promise<string> => storage.writePart({ key, id }, 0, inChunks(Buffer.alloc(bytes, 'a')), 1000)
    await expect(write(999)).rejects.toMatchObject({ reason: 'wrong_size' })
    await expect(write(1001)).rejects.toMatchObject({ reason: 'wrong_size' })
    await storage.finishUpload({ key, id }, [await write(1000)])
    expect(await readAll(storage, key, 0, 999)).toHaveLength(1000)
  })

  test('a part may be written twice at the same time', async () => {
    const storage = open()
    const key = 'owner/twice'
    const id = await storage.startUpload(key, 300_000)
    const write = (letter: string): Promise<string> => storage.writePart({ key, id }, 0, inChunks(Buffer.alloc(300_000, letter)), 300_000)
    const tags = await Promise.all([write('a'), write('b')])
    const storedTag = s3.uploads.get(id)?.get(1)?.tag ?? ''
    expect(tags).toContain(storedTag)
    await storage.finishUpload({ key, id }, [storedTag])
    expect(new Set(await readAll(storage, key, 0, 299_999)).size).toBe(1)
  })

  test('a finished upload may be finished again', async () => {
    const storage = open()
    const key = 'owner/finished'
    const bytes = randomBytes(partBytes + 1)
    const id = await storage.startUpload(key, bytes.byteLength)
    const tags = await Promise.all(
      partsOf(bytes).map((part, number) => storage.writePart({ key, id }, number, inChunks(part), part.byteLength)),
    )
    await storage.finishUpload({ key, id }, tags)
    await storage.finishUpload({ key, id }, tags)
    expect((await readAll(storage, key, 0, partBytes)).equals(bytes)).toBe(true)
  })

  test('a part that arrives after the end of a multipart upload does not change the object', async () => {
    const storage = open()
    const key = 'owner/late'
    const bytes = randomBytes(partBytes + 1)
    await store(storage, key, bytes)
    const late = storage.writePart({ key, id: 'finished' }, 1, inChunks(Buffer.from('x')), 1)
    await expect(late).rejects.toMatchObject({ reason: 'missing' })
    expect((await readAll(storage, key, 0, partBytes)).equals(bytes)).toBe(true)
  })

  test('an upload with a missing part is not finished', async () => {
    const storage = open()
    const key = 'owner/missing-part'
    const id = await storage.startUpload(key, partBytes + 1)
    const tag = await storage.writePart({ key, id }, 0, inChunks(Buffer.alloc(partBytes)), partBytes)
    await expect(storage.finishUpload({ key, id }, [tag, tag])).rejects.toMatchObject({ reason: 'wrong_parts' })
  })

  test('a list has the size of each object with the prefix, on several pages, and the unfinished uploads', async () => {
    const storage = open()
    const listAll = async (prefix: string): Promise<ListedObject[]> => {
      const listed: ListedObject[] = []
      for await (const object of storage.list(prefix)) listed.push(object)
      return listed
    }
    expect(await listAll('nobody/')).toEqual([])
    const sizes = { empty: 0, long: partBytes + 7, a1: 1, a2: 2, a3: 3, a4: 4, a5: 5 }
    for (const [name, size] of Object.entries(sizes)) await store(storage, `listed/${name}`, randomBytes(size))
    await store(storage, 'listed2/other', randomBytes(1))
    const upload = { key: 'listed/unfinished', id: await storage.startUpload('listed/unfinished', 10) }
    const started = await Promise.all(['u1', 'u2', 'u3', 'u4'].map((name) => storage.startUpload(`listed/${name}`, 10)))
    const listed = await listAll('listed/')
    const found = Object.fromEntries(
      listed.filter(({ uploadId }) => uploadId === undefined).map(({ key, size }) => [key.slice('listed/'.length), size]),
    )
    expect(found).toEqual(sizes)
    const uploads = listed.filter(({ uploadId }) => uploadId !== undefined)
    expect(uploads.map(({ key }) => key).toSorted()).toEqual(['listed/u1', 'listed/u2', 'listed/u3', 'listed/u4', 'listed/unfinished'])
    expect(uploads.map(({ uploadId }) => uploadId)).toEqual(expect.arrayContaining([upload.id, ...started]))
    expect(listed.every(({ writtenAt }) => Math.abs(Date.now() - writtenAt.getTime()) < 3_600_000)).toBe(true)
    expect((await listAll('listed/a3')).map(({ key }) => key)).toEqual(['listed/a3'])
    expect((await listAll('listed')).length).toBe(listed.length + 1)
    await storage.cancelUpload(upload)
    expect(await listAll('listed/unfinished')).toEqual([])
  })

  test('a cancelled upload leaves nothing', async () => {
    const storage = open()
    const key = 'owner/cancelled'
    const id = await storage.startUpload(key, 2 * partBytes)
    await storage.writePart({ key, id }, 0, inChunks(Buffer.alloc(partBytes)), partBytes)
    await storage.cancelUpload({ key, id })
    await storage.cancelUpload({ key, id })
    expect([s3.uploads.has(id), readdirSync(join(folder, 'owner')).includes('cancelled')]).toEqual([false, false])
  })
})

describe('a store with faults', () => {
  test('requests without a body are tried three times', async () => {
    const storage = openS3Storage(s3.settings)
    await store(storage, 'owner/faults', Buffer.from('abc'))
    s3.faults.push({ status: 503 }, { status: 500 })
    expect(String(await readAll(storage, 'owner/faults', 0, 2))).toBe('abc')
    s3.faults.push({ status: 503 }, { status: 503 }, { status: 503 })
    await expect(readAll(storage, 'owner/faults', 0, 2)).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test('a part that the store refuses is reported, and can be sent again', async () => {
    const storage = openS3Storage(s3.settings)
    const write = (): Promise<string> => storage.writePart({ key: 'owner/refused', id: '' }, 0, inChunks(Buffer.alloc(500_000)), 500_000)
    s3.faults.push({ status: 503 })
    await expect(write()).rejects.toMatchObject({ reason: 'unavailable' })
    expect(await write()).not.toBe('')
  })

  test('an object that ends early fails', async () => {
    const storage = openS3Storage(s3.settings)
    await store(storage, 'owner/cut', randomBytes(1_000_000))
    s3.faults.push({ closeAfterBytes: 1000 })
    await expect(readAll(storage, 'owner/cut', 0, 999_999)).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test('a wrong secret is refused', async () => {
    const storage = openS3Storage({ ...s3.settings, secretAccessKey: 'wrong' })
    await expect(storage.startUpload('owner/secret', 2 * partBytes)).rejects.toMatchObject({ reason: 'refused' })
  })

  test('a part with another tag does not finish an upload', async () => {
    const storage = openS3Storage(s3.settings)
    const key = 'owner/tag'
    const id = await storage.startUpload(key, partBytes + 1)
    await storage.writePart({ key, id }, 0, inChunks(Buffer.alloc(partBytes)), partBytes)
    const tag = await storage.writePart({ key, id }, 1, inChunks(Buffer.alloc(1)), 1)
    await expect(storage.finishUpload({ key, id }, ['"other"', tag])).rejects.toMatchObject({ reason: 'wrong_parts' })
  })
})
