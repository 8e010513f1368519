// Small files are uploaded in one request, with the rules of uploads in parts.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { partBytes } from '#contract/uploads.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createFileClient, parseFileResponse, readProblem, type FileClient } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, undo } from '#server/testing/records.ts'

const quotaBytes = 2 * partBytes
let app: TestApp
let address: string
let ada: Person
let client: FileClient
beforeAll(async () => {
  app = await openTestApp({ fileLimits: { quotaBytes, jsonFileBytes: 1000 } })
  address = await app.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  client = createFileClient(address, ada.token)
})
const listFiles = async (): Promise<{ id: string; file_name: string }[]> => (await ada.send({ url: '/api/files' })).json().rows
const listUploads = async (): Promise<unknown[]> => (await ada.send({ url: '/api/uploads' })).json().rows

test.each([0, 1, partBytes])('a file of %i bytes comes back with the same bytes, as one change', async (size) => {
  const bytes = randomBytes(size)
  const response = await client.sendWhole(bytes, { id: newId(), file_name: 'Plan für Café.PDF', mime_type: 'application/pdf' })
  const change = response.headers.get('foyer-change') ?? ''
  const file = await parseFileResponse(response)
  expect(file).toMatchObject({ file_name: 'Plan für Café.PDF', file_type: 'pdf', file_size: size, mime_type: 'application/pdf' })
  expect((await client.download(file.id)).equals(bytes)).toBe(true)
  expect(await listUploads()).toEqual([])
  expect(await readLabel(ada, { headers: { 'foyer-change': change } })).toBe('Uploaded 1 file')
  await undo(ada, { headers: { 'foyer-change': change } })
  expect(await listFiles()).toEqual([])
})

test('a repeated request returns the file of the first one', async () => {
  const [id, bytes] = [newId(), randomBytes(1000)]
  const files = [await client.sendWhole(bytes, { id }), await client.sendWhole(bytes, { id })].map(parseFileResponse)
  expect(new Set((await Promise.all(files)).map((file) => file.id)).size).toBe(1)
  expect(await listFiles()).toHaveLength(1)
  expect(await readProblem(await client.sendWhole(bytes, { id, file_name: 'Other.bin' }))).toMatchObject({
    status: 422,
    fields: { id: 'This id is taken' },
  })
})

test.each([1, 2, 3, 4, 5])('four equal requests at the same time all return the same file (run %i of 5)', async () => {
  const [id, bytes] = [newId(), randomBytes(1000)]
  const responses = await Promise.all([1, 2, 3, 4].map(() => client.sendWhole(bytes, { id })))
  const files = await Promise.all(responses.map(parseFileResponse))
  expect(new Set(files.map((file) => file.id)).size).toBe(1)
  expect(await listFiles()).toHaveLength(1)
  expect((await client.download(files[0]?.id ?? '')).equals(bytes)).toBe(true)
})

test('an upload that was started in parts can be completed by one request', async () => {
  const bytes = randomBytes(1000)
  const { id } = await client.start({ id: newId(), file_size: bytes.byteLength })
  const file = await parseFileResponse(await client.sendWhole(bytes, { id }))
  expect((await client.download(file.id)).equals(bytes)).toBe(true)
  expect(await listUploads()).toEqual([])
})

test('a new file whose name is taken gets another name, replaces the existing file or is not stored, as `if_exists` says', async () => {
  const send = async (if_exists: string, bytes: number) =>
    parseFileResponse(await client.sendWhole(randomBytes(bytes), { id: newId(), file_name: 'wall.jpg', if_exists }))
  const first = await send('keep_both', 1)
  expect(await send('keep_both', 2)).toMatchObject({ file_name: 'wall (2).jpg', file_size: 2 })
  expect(await send('skip', 3)).toMatchObject({ id: first.id, file_size: 1 })
  expect(await send('replace', 4)).toMatchObject({ file_name: 'wall.jpg', file_size: 4 })
  expect((await listFiles()).map(({ file_name }) => file_name).toSorted()).toEqual(['wall (2).jpg', 'wall.jpg'])
})

test('a refused request writes nothing and leaves no upload', async () => {
  const bytes = randomBytes(100)
  const id = newId()
  const refusals = [
    await client.sendWhole(bytes, { id, file_size: '99' }),
    await client.sendWhole(bytes, { id, file_size: String(partBytes + 1) }),
    await client.sendWhole(bytes, { id, folder_id: newId() }),
    await client.sendWhole(bytes, { id, if_exists: 'overwrite' }),
    await client.sendWhole(bytes, {}),
  ]
  expect(refusals.map(({ status }) => status)).toEqual([422, 422, 404, 422, 422])
  // a body without Content-Length is known to be too short or too long only when it has arrived
  for (const size of [50, 200]) {
    const path = `/api/uploads/whole?id=${newId()}&file_name=chunked.bin&file_size=100`
    const response = await client.request('POST', path, { body: new Blob([randomBytes(size)]).stream() })
    expect(await readProblem(response)).toEqual({ status: 422, fields: { body: 'This part must have 100 bytes' } })
  }
  expect([await listFiles(), await listUploads()]).toEqual([[], []])
})

test('a file that exceeds the quota is refused, and so is a file for a folder of another user', async () => {
  const bytes = randomBytes(partBytes)
  for (const name of ['1.bin', '2.bin']) await parseFileResponse(await client.sendWhole(bytes, { id: newId(), file_name: name }))
  const refused = await client.sendWhole(randomBytes(1), { id: newId() })
  expect(await refused.json()).toMatchObject({ code: 'quota_exceeded' })
  const grace = await signInAs(app, 'grace')
  const folder = (await grace.send({ method: 'POST', url: '/api/folders', payload: { name: 'Private' } })).json()
  expect((await client.sendWhole(bytes, { id: newId(), folder_id: folder.id })).status).toBe(404)
  expect(await listFiles()).toHaveLength(2)
})
