// The tests that every storage must pass, on disk and in S3, and functions that write and read whole objects.
import { randomBytes, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { partBytes, type ListedObject, type Storage } from '#server/platform/storage/storage.ts'

/** Returns the bytes in chunks of 100 kB, as a request delivers them. */
export async function* inChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += 100_000) yield bytes.subarray(start, start + 100_000)
}

const partsOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.max(1, Math.ceil(bytes.byteLength / partBytes)) }, (_, number) =>
    bytes.subarray(number * partBytes, (number + 1) * partBytes),
  )

/** Writes an object with all its parts, the last one first. */
export async function store(storage: Storage, key: string, bytes: Buffer): Promise<void> {
  const id = await storage.startUpload(key, bytes.byteLength)
  const etags: string[] = []
  for (const [number, part] of [...partsOf(bytes).entries()].toReversed())
    etags[number] = await storage.writePart({ key, id }, number, inChunks(part), part.byteLength)
  await storage.finishUpload({ key, id }, etags)
}

/** Reads the bytes of an object from `start` up to and including `end`. */
export const readAll = (storage: Storage, key: string, start: number, end: number): Promise<Buffer> =>
  buffer(storage.read(key, { start, end }))

/**
 * Tests everything that a storage promises. Deletes its objects at the end, because an operator may run the tests on a store that is in
 * use.
 */
export function testStorage(open: () => Storage): void {
  const folder = `foyer-test-${randomUUID()}`
  const keys = new Set<string>()
  const newKey = (name: string): string => {
    const key = `${folder}/${name}`
    keys.add(key)
    return key
  }
  afterAll(async () => {
    const storage = open()
    for (const key of keys) await storage.delete(key)
  })

  test.each([
    ['no bytes', 0],
    ['less than one part', 1000],
    ['exactly one part', partBytes],
    ['three parts', 2 * partBytes + 12_345],
  ])('an object of %s is read as it was written', async (name, size) => {
    const storage = open()
    const key = newKey(name.replaceAll(' ', '-'))
    const bytes = randomBytes(size)
    await store(storage, key, bytes)
    expect((await readAll(storage, key, 0, size - 1)).equals(bytes)).toBe(true)
  })

  test('ranges within a part and over the end of a part have the right bytes', async () => {
    const storage = open()
    const key = newKey('ranges')
    const bytes = randomBytes(partBytes + 5000)
    await store(storage, key, bytes)
    const last = bytes.byteLength - 1
    for (const [start, end] of [
      [0, 0],
      [17, 4000],
      [partBytes - 10, partBytes + 10],
      [partBytes, last],
      [last, last],
    ] as const)
      expect((await readAll(storage, key, start, end)).equals(bytes.subarray(start, end + 1))).toBe(true)
  })

  test('when a reader stops before the end of an object, the storage can still be read', async () => {
    const storage = open()
    const key = newKey('stopped')
    const bytes = randomBytes(2 * partBytes)
    await store(storage, key, bytes)
    for await (const chunk of storage.read(key, { start: 0, end: bytes.byteLength - 1 })) {
      expect(bytes.subarray(0, chunk.byteLength).equals(chunk)).toBe(true)
      break
    }
    expect(await readAll(storage, key, 5, 9)).toEqual(bytes.subarray(5, 10))
  })

  test('a deleted or unknown object is missing, and deleting may be repeated', async () => {
    const storage = open()
    const key = newKey('deleted')
    await store(storage, key, randomBytes(10))
    await storage.delete(key)
    await storage.delete(key)
    await expect(readAll(storage, key, 0, 9)).rejects.toMatchObject({ reason: 'missing' })
    await expect(readAll(storage, newKey('unknown'), 0, 9)).rejects.toMatchObject({ reason: 'missing' })
  })

  test('a part that is shorter or longer than announced is refused, and can be sent again with the right length', async () => {
    const storage = open()
    const key = newKey('wrong-size')
    const id = await storage.startUpload(key, 1000)
    const write = (bytes: number): Promise<string> => storage.writePart({ key, id }, 0, inChunks(Buffer.alloc(bytes, 'a')), 1000)
    await expect(write(999)).rejects.toMatchObject({ reason: 'wrong_size' })
    await expect(write(1001)).rejects.toMatchObject({ reason: 'wrong_size' })
    await storage.finishUpload({ key, id }, [await write(1000)])
    expect(await readAll(storage, key, 0, 999)).toHaveLength(1000)
  })

  test('a part that is written again has the new bytes', async () => {
    const storage = open()
    const key = newKey('again')
    const id = await storage.startUpload(key, 3)
    const write = (text: string): Promise<string> => storage.writePart({ key, id }, 0, inChunks(Buffer.from(text)), 3)
    await write('old')
    await storage.finishUpload({ key, id }, [await write('new')])
    expect(String(await readAll(storage, key, 0, 2))).toBe('new')
  })

  test('a part may be written twice at the same time, and one of the two ETags that the store returns finishes the upload', async () => {
    const storage = open()
    const key = newKey('twice')
    const id = await storage.startUpload(key, 300_000)
    const write = (letter: string): Promise<string> => storage.writePart({ key, id }, 0, inChunks(Buffer.alloc(300_000, letter)), 300_000)
    const [first, second] = await Promise.all([write('a'), write('b')])
    await storage.finishUpload({ key, id }, [first]).catch(() => storage.finishUpload({ key, id }, [second]))
    expect(new Set(await readAll(storage, key, 0, 299_999)).size).toBe(1)
  })

  test('an upload that is started again after its end does not change the object, and is gone when it is finished or cancelled', async () => {
    const storage = open()
    const key = newKey('started-again')
    const id = await storage.startUpload(key, 3)
    const etags = [await storage.writePart({ key, id }, 0, inChunks(Buffer.from('abc')), 3)]
    await storage.finishUpload({ key, id }, etags)
    const secondId = await storage.startUpload(key, 3)
    await storage.finishUpload({ key, id }, etags)
    if (secondId !== id) await storage.cancelUpload({ key, id: secondId })
    expect(String(await readAll(storage, key, 0, 2))).toBe('abc')
    const listed: ListedObject[] = []
    for await (const object of storage.list(key)) listed.push(object)
    expect(listed).toMatchObject([{ key, size: 3, uploadId: undefined }])
  })

  test('a finished upload may be finished again', async () => {
    const storage = open()
    const key = newKey('finished')
    const bytes = randomBytes(partBytes + 1)
    const id = await storage.startUpload(key, bytes.byteLength)
    const etags = await Promise.all(
      partsOf(bytes).map((part, number) => storage.writePart({ key, id }, number, inChunks(part), part.byteLength)),
    )
    await storage.finishUpload({ key, id }, etags)
    await storage.finishUpload({ key, id }, etags)
    expect((await readAll(storage, key, 0, partBytes)).equals(bytes)).toBe(true)
  })

  test('a part that arrives after the end of an upload does not change the object', async () => {
    const storage = open()
    const key = newKey('late')
    const bytes = randomBytes(1000)
    const id = await storage.startUpload(key, bytes.byteLength)
    await storage.finishUpload({ key, id }, [await storage.writePart({ key, id }, 0, inChunks(bytes), bytes.byteLength)])
    const late = storage.writePart({ key, id }, 0, inChunks(randomBytes(1000)), 1000)
    await expect(late).rejects.toMatchObject({ reason: 'missing' })
    expect((await readAll(storage, key, 0, 999)).equals(bytes)).toBe(true)
  })

  test('an upload with a missing part is not finished before the part is there', async () => {
    const storage = open()
    const key = newKey('missing-part')
    const id = await storage.startUpload(key, partBytes + 1)
    const etag = await storage.writePart({ key, id }, 0, inChunks(Buffer.alloc(partBytes)), partBytes)
    await expect(storage.finishUpload({ key, id }, [etag, etag])).rejects.toMatchObject({ reason: 'wrong_parts' })
    const lastEtag = await storage.writePart({ key, id }, 1, inChunks(Buffer.alloc(1, 'z')), 1)
    await storage.finishUpload({ key, id }, [etag, lastEtag])
    expect(String(await readAll(storage, key, partBytes, partBytes))).toBe('z')
  })

  test('a cancelled upload accepts no more parts and leaves no object, and may be cancelled again', async () => {
    const storage = open()
    const key = newKey('cancelled')
    const id = await storage.startUpload(key, 2 * partBytes)
    const write = (): Promise<string> => storage.writePart({ key, id }, 0, inChunks(Buffer.alloc(partBytes)), partBytes)
    await write()
    await storage.cancelUpload({ key, id })
    await storage.cancelUpload({ key, id })
    await expect(write()).rejects.toMatchObject({ reason: 'missing' })
    await expect(readAll(storage, key, 0, 9)).rejects.toMatchObject({ reason: 'missing' })
  })

  // the tests of the S3 driver use a store with at most three entries in each response
  test('a list has the size of each object with the prefix, and the unfinished uploads, even if it needs several responses', async () => {
    const storage = open()
    const listAll = async (prefix: string): Promise<ListedObject[]> => {
      const listed: ListedObject[] = []
      for await (const object of storage.list(prefix)) listed.push(object)
      return listed
    }
    const listFolder = `${folder}-listed`
    const newListedKey = (name: string): string => {
      const key = `${listFolder}/${name}`
      keys.add(key)
      return key
    }
    expect(await listAll(`${folder}-nobody/`)).toEqual([])
    const sizes = { empty: 0, long: partBytes + 7, a1: 1, a2: 2, a3: 3, a4: 4, a5: 5 }
    for (const [name, size] of Object.entries(sizes)) await store(storage, newListedKey(name), randomBytes(size))
    const other = `${listFolder}2/other`
    keys.add(other)
    await store(storage, other, randomBytes(1))
    const uploadNames = ['u1', 'u2', 'u3', 'u4', 'unfinished']
    const uploads = await Promise.all(uploadNames.map(newListedKey).map(async (key) => ({ key, id: await storage.startUpload(key, 10) })))
    const listed = await listAll(`${listFolder}/`)
    const sizesByName = Object.fromEntries(
      listed.filter(({ uploadId }) => uploadId === undefined).map(({ key, size }) => [key.slice(listFolder.length + 1), size]),
    )
    expect(sizesByName).toEqual(sizes)
    const unfinished = listed.filter(({ uploadId }) => uploadId !== undefined)
    expect(unfinished.map(({ key, uploadId: id }) => ({ key, id }))).toEqual(expect.arrayContaining(uploads))
    expect(unfinished).toHaveLength(uploads.length)
    expect(listed.every(({ writtenAt }) => Math.abs(Date.now() - writtenAt.getTime()) < 3_600_000)).toBe(true)
    expect((await listAll(`${listFolder}/a3`)).map(({ key }) => key)).toEqual([`${listFolder}/a3`])
    // without the slash, the prefix also matches `other`
    expect((await listAll(listFolder)).length).toBe(listed.length + 1)
    for (const upload of uploads) await storage.cancelUpload(upload)
    expect(await listAll(`${listFolder}/u`)).toEqual([])
  })
}
