import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestAppWithAi } from '#server/testing/ai-app.ts'
import type { AiServer } from '#server/testing/ai-server.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, undo } from '#server/testing/records.ts'
import { createPng } from '#server/testing/pictures.ts'

const quotaBytes = 200_000
let app: TestApp
let ai: AiServer
let ada: Person
beforeAll(async () => {
  ;({ app, ai } = await openTestAppWithAi({ fileLimits: { quotaBytes, jsonFileBytes: 1024 ** 2 } }))
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  ai.requests.length = 0
})

const make = (payload: object = { prompt: 'Oak shelves' }, headers = {}, person = ada) =>
  person.send({ method: 'POST', url: '/functions/v1/ai-image-gen', payload, headers })
const listFiles = async (person = ada) => (await person.send({ url: '/api/files' })).json().rows
const draw = (format: 'png' | 'jpeg' | 'webp', background = '#336699') =>
  sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
const replyWith = (picture: Uint8Array, as: 'b64_json' | 'url' = 'b64_json') => ai.setRespond(() => ({ picture, as }))

test('a picture is made, returned as a data URL, and added to the root folder as one change with undo', async () => {
  replyWith(await draw('png'))
  const response = await make()
  expect(response.statusCode, response.body).toBe(200)
  const { imageUrl, file } = response.json()
  expect(file).toMatchObject({ folder_id: null, contact_id: null, mime_type: 'image/png', file_type: 'png', is_ai_generated: true })
  expect(file.file_name).toMatch(/^ai-generated-\d{13}\.png$/)
  const bytes = Buffer.from(imageUrl.replace('data:image/png;base64,', ''), 'base64')
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 64, height: 48 })
  expect((await ada.send({ url: `/api/files/${file.id}/content` })).rawPayload).toEqual(bytes)
  expect(ai.requests[0]?.body).toMatchObject({ model: 'painter', prompt: 'Oak shelves' })
  expect(await readLabel(ada, response)).toBe('Generated 1 image')
  expect(await listFiles()).toMatchObject([{ id: file.id, is_ai_generated: true }])
  await undo(ada, response)
  expect(await listFiles()).toEqual([])
  expect((await ada.send({ url: '/api/ai/usage' })).json()).toMatchObject({ answers: 0, images: 1 })
})

test.each(['jpeg', 'webp'] as const)('a %s picture is stored as PNG', async (format) => {
  replyWith(await draw(format), 'url')
  const { imageUrl } = (await make()).json()
  expect(imageUrl).toMatch(/^data:image\/png;base64,iVBORw0KGgo/)
})

test('only the pixels of the picture are stored', async () => {
  replyWith(Buffer.concat([await draw('png'), Buffer.from('<script>alert(1)</script>')]))
  const { file } = (await make()).json()
  expect((await ada.send({ url: `/api/files/${file.id}/content` })).body).not.toContain('script')
})

test.each([
  ['no picture', () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: { data: [] } }), 'No image URL returned'],
  [
    'a page instead of a picture',
    () => ({ picture: Buffer.from('<!doctype html><h1>Hello</h1>'), as: 'b64_json' as const }),
    'No image URL returned', // bytes that do not begin like a picture count as no picture
  ],
  [
    'a damaged picture',
    () => ({ picture: Buffer.from('\x89PNG\r\n\x1a\n and nothing more', 'latin1'), as: 'b64_json' as const }),
    'The AI service sent something that is not a picture, or is too large.',
  ],
  [
    'a picture of 400 megapixels',
    () => ({ picture: createPng(20_000, 20_000), as: 'b64_json' as const }),
    'The AI service sent something that is not a picture, or is too large.',
  ],
])('%s is refused, and no file is added', async (_name, reply, detail) => {
  ai.setRespond(reply)
  const response = await make()
  expect([response.statusCode, response.json()]).toEqual([502, expect.objectContaining({ code: 'ai_failed', detail })])
  expect(await listFiles()).toEqual([])
  expect((await ada.send({ url: '/api/storage' })).json()).toMatchObject({ used_bytes: 0, upload_bytes: 0 })
})

test('a request that is repeated with its key returns the same file and does not ask the AI again, also while the first one runs', async () => {
  const drawing = Promise.withResolvers<Buffer>()
  ai.setRespond(async () => ({ picture: await drawing.promise, as: 'b64_json' as const }))
  const key = { 'idempotency-key': 'the-same' }
  const requests = [make(undefined, key), make(undefined, key)]
  await expect.poll(() => ai.requests.length).toBe(1)
  drawing.resolve(await draw('png'))
  const responses = [...(await Promise.all(requests)), await make(undefined, key)]
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect(new Set(responses.map((response) => response.json().file.id)).size).toBe(1)
  expect(new Set(responses.map((response) => response.json().imageUrl)).size).toBe(1)
  expect(new Set(responses.map(({ headers }) => headers['foyer-change'])).size).toBe(1)
  expect(ai.requests).toHaveLength(1)
  expect(await listFiles()).toHaveLength(1)
})

test('without space in the account the AI is not asked; a picture that is too large for the rest of the space is not stored', async () => {
  await addFile(ada, {}, Buffer.alloc(quotaBytes - 1000))
  replyWith(
    await sharp(randomBytes(64 * 64 * 3), { raw: { width: 64, height: 64, channels: 3 } })
      .png()
      .toBuffer(),
  )
  const tooLarge = await make()
  expect(tooLarge.json()).toMatchObject({ code: 'quota_exceeded' })
  expect(ai.requests).toHaveLength(1)
  await addFile(ada, {}, Buffer.alloc(1000))
  expect((await make()).json()).toMatchObject({ code: 'quota_exceeded' })
  expect(ai.requests).toHaveLength(1)
  expect(await listFiles()).toHaveLength(2)
})

test.each([
  ['an empty prompt', { prompt: '' }],
  ['a prompt of white space', { prompt: ' \n ' }],
  ['a prompt of 20,001 characters', { prompt: 'x'.repeat(20_001) }],
  ['no prompt', {}],
])('a request with %s is refused, and the AI is not asked', async (_name, payload) => {
  expect((await make(payload)).statusCode).toBe(422)
  expect(ai.requests).toEqual([])
})

test('only a picture that the AI has made can be read as a data URL, and only by its owner', async () => {
  replyWith(await draw('png'))
  const { file, imageUrl } = (await make()).json()
  const read = (id: string, person = ada) => person.send({ url: `/functions/v1/ai-image-gen/${id}` })
  expect((await read(file.id)).json()).toMatchObject({ imageUrl, file: { id: file.id } })
  expect((await read(file.id, await signInAs(app, 'grace'))).statusCode).toBe(404)
  expect((await read((await addFile(ada)).id)).statusCode).toBe(404)
})

test('without an AI the message says how to turn it on', async () => {
  const appWithoutAi = await openTestApp()
  try {
    const response = await make(undefined, {}, await signInAs(appWithoutAi, 'ada'))
    expect(response.json()).toMatchObject({ code: 'ai_off', detail: expect.stringContaining('account page') })
  } finally {
    await appWithoutAi.stop()
  }
})
