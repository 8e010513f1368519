// The routes upload-to-s3 and download-from-s3 for older clients, and the links to files.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let clock = new Date()
beforeAll(async () => {
  app = await openTestApp({ now: () => clock })
})
afterAll(() => app.stop())
beforeEach(async () => {
  clock = new Date()
  ada = await signInAs(app, 'ada')
})

const upload = (fields: Record<string, unknown>, bytes = Buffer.from('Hello')) =>
  ada.send({
    method: 'POST',
    url: '/functions/v1/upload-to-s3',
    payload: { fileName: 'Hello.txt', fileSize: bytes.byteLength, fileData: bytes.toString('base64'), ...fields },
  })
const listFiles = async () => (await ada.send({ url: '/api/files' })).json().rows

test('a file in base64 is stored in the folder or at the contact, as one change', async () => {
  const folderId = (await recordsOf(ada, '/api/folders').add({ name: 'Offers' })).id
  const contactId = (await recordsOf(ada, '/api/contacts').add({ first_name: 'Ann', last_name: 'Lee' })).id
  const response = await upload({ fileType: 'txt', mimeType: 'text/plain', folderId })
  expect([response.statusCode, response.json(), await readLabel(ada, response)]).toEqual([200, { success: true }, 'Uploaded 1 file'])
  await upload({ fileData: `data:text/plain;base64,${Buffer.from('Hello').toString('base64')}`, contactId, folderId: null })
  expect(await listFiles()).toMatchObject([
    { file_name: 'Hello.txt', contact_id: contactId, folder_id: null, file_size: 5 },
    { file_name: 'Hello.txt', contact_id: null, folder_id: folderId, mime_type: 'text/plain' },
  ])
  await undo(ada, response)
  expect(await listFiles()).toHaveLength(1)
})

test.each([
  [{ fileSize: 6 }, 422, 'fileSize'],
  [{ fileData: 'not base64!' }, 422, 'fileData'],
  [{ folderId: '01930000-0000-7000-8000-00000000ffff' }, 404, 'folder_id'],
])('an upload with %j is refused with status %i and a message for %s', async (fields, status, field) => {
  const response = await upload(fields)
  expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([status, [field]])
  expect((await ada.send({ url: '/api/uploads' })).json().rows).toEqual([])
})

test('a file of the maximum size is stored, and a larger one is refused with the name of the route for large files', async () => {
  expect((await upload({}, randomBytes(1024 ** 2))).statusCode).toBe(200)
  for (const bytes of [1024 ** 2 + 1, 1024 ** 2 + 100_000]) {
    const response = await upload({}, randomBytes(bytes))
    expect([response.statusCode, response.json().code]).toEqual([413, 'too_large'])
    expect(response.json().detail).toContain('POST /api/uploads')
  }
})

test('of four simultaneous requests with a large file in base64, two succeed and two can be repeated; with a small file all succeed', async () => {
  const large = randomBytes(900_000) // in base64 it is larger than the bodies of other routes
  const responses = await Promise.all([1, 2, 3, 4].map(() => upload({}, large)))
  // an owner can send two such requests at the same time, because their bodies are in memory
  expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429])
  expect((await upload({}, large)).statusCode).toBe(200)
  const small = await Promise.all([1, 2, 3, 4].map(() => upload({})))
  expect(small.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
})

test('a file in base64 that is refused leaves no unfinished upload', async () => {
  const appWithSmallQuota = await openTestApp({ connections: app.connections, fileLimits: { quotaBytes: 4, jsonFileBytes: 1024 } })
  const response = await appWithSmallQuota.server.inject({
    method: 'POST',
    url: '/functions/v1/upload-to-s3',
    payload: { fileName: 'a', fileSize: 5, fileData: 'SGVsbG8=' },
    headers: { authorization: `Bearer ${ada.token}` },
  })
  expect([response.statusCode, response.json().code]).toEqual([413, 'quota_exceeded'])
  await appWithSmallQuota.stop()
  expect((await ada.send({ url: '/api/uploads' })).json().rows).toEqual([])
})

const requestLink = async (path: Record<string, string>, person = ada) =>
  person.send({ method: 'POST', url: '/functions/v1/download-from-s3', payload: path })
const open = (url: string) => app.server.inject({ url: url.replace('http://foyer.test', '') })

test('a link sends the file without a session, for a minute', async () => {
  const { storage_path: path } = await addFile(ada, { file_name: 'Offer.pdf' }, Buffer.from('0123456789'))
  for (const field of ['s3Key', 'storagePath']) {
    const { url } = (await requestLink({ [field]: path })).json()
    const response = await open(url)
    expect([response.statusCode, response.body]).toEqual([200, '0123456789'])
    expect(response.headers).toMatchObject({
      'content-disposition': 'attachment; filename=Offer.pdf',
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
    })
  }
  const { url } = (await requestLink({ s3Key: path })).json()
  clock = new Date(clock.getTime() + 61_000)
  expect((await open(url)).json()).toMatchObject({ code: 'link_expired' })
})

test('an altered link and the link of a deleted file are not found, and nobody gets a link to the file of another owner', async () => {
  const file = await addFile(ada)
  const other = await addFile(ada)
  const { url } = (await requestLink({ s3Key: file.storage_path })).json()
  const [start = '', token = ''] = url.split(/(?<=file-links\/)/)
  const [payload = '', signature = ''] = token.split('.')
  const text = Buffer.from(payload, 'base64url').toString()
  const alteredTokens = [
    `${payload}.${signature.slice(0, -2)}AA`,
    `${Buffer.from(text.replace(file.id, other.id)).toString('base64url')}.${signature}`,
    `${Buffer.from(text.replace(/^\d/, '9')).toString('base64url')}.${signature}`,
    payload,
    `.${signature}`,
    'nonsense',
  ]
  for (const altered of alteredTokens) expect((await open(start + altered)).json(), altered).toMatchObject({ code: 'not_found' })
  await recordsOf(ada, '/api/files').remove(file.id)
  expect((await open(url)).statusCode).toBe(404)
  const grace = await signInAs(app, 'grace')
  expect((await requestLink({ s3Key: other.storage_path }, grace)).statusCode).toBe(404)
  expect((await requestLink({ s3Key: file.storage_path })).statusCode).toBe(404)
  expect((await requestLink({})).statusCode).toBe(422)
})
