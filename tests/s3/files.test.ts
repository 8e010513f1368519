// The whole product, which stores the bytes of its files on a real S3 server.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { partBytes } from '#contract/uploads.ts'
import { openS3Storage } from '#server/platform/storage/s3.ts'
import { createFileClient, parseFileResponse } from '#server/testing/files.ts'
import { readAll } from '#server/testing/storage-cases.ts'
import { unzip } from '#server/testing/zip.ts'
import { startProduct, type Product } from '../product.ts'

const settings = inject('s3')
const password = 'engine no. 1'
let product: Product
beforeAll(async () => {
  product = await startProduct({
    FOYER_S3_ENDPOINT: settings.endpoint,
    FOYER_S3_REGION: settings.region,
    FOYER_S3_BUCKET: settings.bucket,
    FOYER_S3_PATH_STYLE: settings.isPathStyle ? '1' : '0',
    FOYER_S3_ACCESS_KEY_ID: settings.accessKeyId,
    FOYER_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  })
})
afterAll(() => product[Symbol.asyncDispose]())

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Creates an account and returns the token of its session. */
async function signUp(): Promise<string> {
  const credentials = { email: `ada-${randomUUID()}@example.org`, password }
  const post = (path: string, body: object): Promise<Response> =>
    fetch(product.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  await post('/api/users', { ...credentials, full_name: 'Ada' })
  return z.object({ token: z.string() }).parse(await (await post('/api/session', credentials)).json()).token
}

test('an upload of 64 MiB continues after SIGKILL, its download has the same bytes, and deleting the account deletes these bytes', async () => {
  const token = await signUp()
  const client = createFileClient(product.url, token)
  const bytes = randomBytes(64 * 1024 * 1024)
  const upload = await client.start({ file_size: bytes.byteLength, file_name: 'film.mp4' })
  // sends three of eight parts; the server is killed during a fourth one
  for (const number of [0, 2, 5]) await client.sendPart(upload.id, number, bytes.subarray(number * partBytes, (number + 1) * partBytes))
  await killInTheMiddleOfPart(upload.id, token, bytes.subarray(3 * partBytes, 4 * partBytes))
  await product.start()
  const unfinished = await client.read(upload.id)
  expect(unfinished.parts).toEqual([0, 2, 5])
  await client.sendMissingParts(unfinished, bytes)
  const file = await parseFileResponse(await client.finish(upload.id))
  expect(sha256(await client.download(file.id))).toBe(sha256(bytes))
  const range = { start: partBytes - 10, end: 2 * partBytes + 10 }
  const part = await client.request('GET', `/api/files/${file.id}/content`, { headers: { range: `bytes=${range.start}-${range.end}` } })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(range.start, range.end + 1))).toBe(true)

  // deleting the account also deletes the bytes of an unfinished upload
  const other = await client.start({ file_size: partBytes * 2 })
  await client.sendPart(other.id, 0, bytes.subarray(0, partBytes))
  expect((await client.postJson('/api/account/delete', { password })).status).toBe(204)
  const listRemainingKeys = async (): Promise<string[]> => {
    const keys: string[] = []
    for await (const { key } of openS3Storage(settings).list(`${file.storage_path.split('/')[0]}/`)) keys.push(key)
    return keys
  }
  await expect.poll(listRemainingKeys).toEqual([])
  await expect(readAll(openS3Storage(settings), file.storage_path, 0, 1)).rejects.toMatchObject({ reason: 'missing' })
})

/** Kills the server when half of the part has been sent. */
async function killInTheMiddleOfPart(id: string, token: string, part: Buffer): Promise<void> {
  const partRequest = request(`${product.url}/api/uploads/${id}/parts/3`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-length': part.byteLength },
  })
  const disconnected = new Promise((resolve) => partRequest.once('error', resolve))
  await new Promise((resolve) => partRequest.write(part.subarray(0, part.byteLength / 2), resolve))
  process.kill(product.serverProcessId(), 'SIGKILL')
  await product.exited()
  await disconnected
}

test('an empty file and 20 files that are uploaded at once are downloaded unchanged, also in a zip, and a replaced file has its new bytes', async () => {
  const client = createFileClient(product.url, await signUp())
  const contents = [Buffer.alloc(0), ...Array.from({ length: 20 }, (_, index) => randomBytes(index * 1000 + 1))]
  const files = await Promise.all(contents.map((bytes, index) => client.upload(bytes, { file_name: `${index}.bin` })))
  for (const [index, { id }] of files.entries()) expect(await client.download(id)).toEqual(contents[index])
  const prepared = await client.postJson('/api/files/zip', { file_ids: files.map(({ id }) => id), folder_ids: [] })
  const { id: zipId } = z.object({ id: z.uuid() }).parse(await prepared.json())
  const zip = await client.request('GET', `/api/zips/${zipId}`)
  const entries = await unzip(Buffer.from(await zip.arrayBuffer()))
  expect(Object.fromEntries(entries)).toEqual(Object.fromEntries(contents.map((bytes, index) => [`${index}.bin`, bytes])))
  const replaced = await client.upload(Buffer.from('new'), { file_name: '1.bin', if_exists: 'replace' })
  expect(String(await client.download(replaced.id))).toBe('new')
})
