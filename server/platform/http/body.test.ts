import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'

/** The lines of the log with the level `error`. */
const errorLines: string[] = []
const logger = { level: 'error', stream: { write: (line: string) => void errorLines.push(line) } }
let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ logger })
})
afterAll(() => app.stop())

/** Sends a body to the route that signs a user in. */
const post = (payload: string | Buffer, headers = {}) =>
  app.server.inject({ method: 'POST', url: '/api/session', payload, headers: { 'content-type': 'application/json', ...headers } })

test('JSON that is nested too deeply is refused as malformed, and the check of its values does not exceed the stack', async () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    for (const value of ['1', '"\\u0000"']) {
      // the values are checked only in a body that contains \u0000
      const response = await post(`${open.repeat(100_000)}${value}${close.repeat(100_000)}`)
      expect([response.statusCode, response.json().code]).toEqual([400, 'malformed'])
    }
  }
})

test('deeply nested JSON with an Idempotency-Key is refused', async () => {
  const ada = await signInAs(app, 'ada')
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'k1' }
  const payload = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const response = await ada.send({ method: 'DELETE', url: '/api/deals/01a20272-5536-7165-9e6e-a354392c81e0', payload, headers })
  expect([response.statusCode, response.json().code]).toEqual([400, 'malformed'])
  expect(errorLines).toEqual([])
})

test('a gzip body is decompressed, and a body that does not have the format of its Content-Encoding is refused', async () => {
  const json = JSON.stringify({ email: 'stranger@example.org', password: 'engine no. 1' })
  expect((await post(gzipSync(json), { 'content-encoding': 'gzip' })).json()).toMatchObject({ code: 'wrong_credentials' })
  expect((await post(json, { 'content-encoding': 'gzip' })).json()).toMatchObject({ status: 400, code: 'malformed' })
  expect((await post(json, { 'content-encoding': 'foo' })).json()).toMatchObject({
    status: 415,
    code: 'unsupported_media_type',
    fields: { 'Content-Encoding': 'Send the body without Content-Encoding, or with gzip' },
  })
  expect(errorLines).toEqual([])
})

test.each(['gzip', 'br', 'deflate', 'zstd'])(
  'a body with Content-Encoding %s that is empty, cut or of another format is malformed',
  async (encoding) => {
    for (const body of ['', '{}', gzipSync('{"email":"a@b.co"}').subarray(0, 24), brotliCompressSync('{"email":"a@b.co"}').subarray(0, 12)])
      expect((await post(body, { 'content-encoding': encoding })).json()).toMatchObject({ status: 400, code: 'malformed' })
    expect(errorLines).toEqual([])
  },
)

test.each(['foo', 'gzip, gzip', 'constructor', 'compress'])(
  'a body with the Content-Encoding %j is refused, also where bytes are uploaded',
  async (encoding) => {
    const headers = { 'content-encoding': encoding }
    const ada = await signInAs(app, 'ada')
    const upload = { method: 'PUT', url: '/api/uploads/01a20272-5536-7165-9e6e-a354392c81e0/parts/1', payload: 'bytes' } as const
    for (const response of [await post('{}', headers), await ada.send({ ...upload, headers })])
      expect(response.json()).toMatchObject({
        status: 415,
        code: 'unsupported_media_type',
        fields: { 'Content-Encoding': expect.any(String) },
      })
    expect(errorLines).toEqual([])
  },
)

test('a response names at most a hundred of a thousand wrong fields', async () => {
  const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, 1]))
  const response = await post(JSON.stringify(fields))
  expect(response.statusCode).toBe(422)
  expect(Object.keys(response.json().fields).length).toBeLessThanOrEqual(100)
  expect(response.json().fields).toHaveProperty('email')
})
