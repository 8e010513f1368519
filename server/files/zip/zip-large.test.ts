// A zip with a file above 4 GiB needs the 64-bit fields of the format.
import { linkSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPromise } from 'yauzl'
import { Zip } from '#contract/fileSelection.ts'
import { partBytes } from '#contract/uploads.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile, createFileClient, type FileClient } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
let client: FileClient
const folder = mkdtempSync(join(tmpdir(), 'foyer-zip-'))
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  client = createFileClient(await app.server.listen({ port: 0, host: '127.0.0.1' }), ada.token)
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true })
})

/** 513 parts of 8 MiB are more than 4 GiB. */
const partCount = process.env['FOYER_FULL'] ? 513 : 5

/** Adds a file of zeros. All its parts are links to one file that needs no space on the disk. Returns its id. */
async function addSparseFile(): Promise<string> {
  const path = `${ada.id}/sparse`
  const objectFolder = join(app.filesFolder, path)
  mkdirSync(objectFolder, { recursive: true })
  writeFileSync(join(objectFolder, '0'), '')
  truncateSync(join(objectFolder, '0'), partBytes)
  for (let number = 1; number < partCount; number++) linkSync(join(objectFolder, '0'), join(objectFolder, String(number)))
  const { rows } = await app.tableOwner.query<{ id: string }>(
    `with object as (insert into stored_objects (user_id, storage_path, file_size) values ($1, $2, $3) returning *)
     insert into files (user_id, object_id, storage_path, file_name, file_size)
     select user_id, id, storage_path, 'large.bin', file_size from object returning id`,
    [ada.id, path, partCount * partBytes],
  )
  return rows[0]?.id ?? ''
}

/** Writes the response to a file in which zeros need no space. Returns the number of bytes that arrived. */
async function downloadSparse(url: string, path: string): Promise<number> {
  const { body } = await client.request('GET', url)
  if (!body) throw new Error('The response has no body')
  await using file = await open(path, 'w')
  const zeros = Buffer.alloc(1024 ** 2)
  let position = 0
  for await (const chunk of body) {
    if (!zeros.subarray(0, chunk.byteLength).equals(chunk)) await file.write(chunk, 0, chunk.byteLength, position)
    position += chunk.byteLength
  }
  await file.truncate(position)
  return position
}

test(`a zip of a file of ${partCount * 8} MiB and a small file has the announced length and both files`, { timeout: 600_000 }, async () => {
  const file_ids = [await addSparseFile(), (await addFile(ada, { file_name: 'small.txt' }, Buffer.from('after'))).id]
  const zip = Zip.parse(await (await client.postJson('/api/files/zip', { file_ids })).json())
  const path = join(folder, 'large.zip')
  expect(await downloadSparse(zip.url, path)).toBe(zip.size)
  const zipFile = await openPromise(path, { strictFileNames: true, lazyEntries: true })
  const entries: [string, number, boolean][] = []
  for await (const entry of zipFile.eachEntry()) {
    let checksum = 0
    for await (const chunk of await zipFile.openReadStreamPromise(entry)) checksum = crc32(chunk, checksum)
    entries.push([entry.fileName, entry.uncompressedSize, checksum === entry.crc32])
  }
  expect(entries).toEqual([
    ['large.bin', partCount * partBytes, true],
    ['small.txt', 5, true],
  ])
})
