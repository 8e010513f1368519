import { get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineRoutes, type StoredFile } from '#contract/route.ts'
import { openTestRouter, type TestRouter } from '#server/testing/router.ts'
import { mount } from './mount.ts'

/** The bytes of each stored file: 10,000. Its version (entity tag) is "v1". */
const content = Buffer.from('0123456789'.repeat(1000))
const routes = defineRoutes({
  download: {
    method: 'GET',
    path: '/api/stored/{name}',
    summary: 'A stored file',
    caller: 'anyone',
    changes: 'nothing',
    params: z.strictObject({ name: z.string() }),
    download: true,
    example: { params: { name: 'a.txt' } },
  },
})
const unusualFiles: Record<string, Partial<StoredFile>> = {
  'short.txt': { size: content.length + 1 },
  'empty.txt': { size: 0 },
  'lost.txt': {
    read: () => {
      throw new Error('The storage is unavailable')
    },
  },
  'page.html': { type: 'text/html', disposition: 'inline' },
}

let app: TestRouter
/** The ranges that were read from the stored files. */
const readRanges: unknown[] = []
beforeAll(async () => {
  app = await openTestRouter()
  mount(app.router, routes, {
    download: async ({ params: { name } }) => ({
      name,
      type: 'text/plain',
      size: content.length,
      etag: 'v1',
      read: async function* read(range) {
        readRanges.push(range)
        for (let at = range.start; at <= range.end; at += 4096) yield content.subarray(at, Math.min(at + 4096, range.end + 1))
      },
      ...unusualFiles[name],
    }),
  })
})
afterAll(() => app.stop())

const requestFile = (
  headers: Record<string, string> = {},
  name = 'a.txt',
  method: 'GET' | 'HEAD' = 'GET',
): Promise<LightMyRequestResponse> => app.server.inject({ method, url: `/api/stored/${encodeURIComponent(name)}`, headers })
/** The status, the range and the number of bytes of a response. */
const describeBody = (response: LightMyRequestResponse) => [
  response.statusCode,
  response.headers['content-range'],
  response.rawPayload.length,
]

test('a file is sent whole, with its size, version and name, and never compressed', async () => {
  const response = await requestFile({ 'accept-encoding': 'gzip, br' })
  expect([response.statusCode, response.rawPayload.equals(content)]).toEqual([200, true])
  expect(response.headers).toMatchObject({
    'content-type': 'text/plain',
    'content-length': '10000',
    'accept-ranges': 'bytes',
    etag: '"v1"',
    'content-disposition': 'attachment; filename=a.txt',
    'x-content-type-options': 'nosniff',
  })
  expect(response.headers['content-encoding']).toBeUndefined()
})

test('HEAD returns the same headers and does not read the file', async () => {
  readRanges.length = 0
  const { headers, statusCode, body } = await requestFile({}, 'a.txt', 'HEAD')
  expect([statusCode, headers['content-length'], headers.etag, body, readRanges]).toEqual([200, '10000', '"v1"', '', []])
})

test.each([
  ['bytes=0-0', 'bytes 0-0/10000', 1],
  ['bytes=5000-', 'bytes 5000-9999/10000', 5000],
  ['bytes=-10', 'bytes 9990-9999/10000', 10],
  ['bytes=-20000', 'bytes 0-9999/10000', 10_000],
  ['bytes=9999-20000', 'bytes 9999-9999/10000', 1],
  ['bytes=9999-', 'bytes 9999-9999/10000', 1],
  ['bytes=9990-18446744073709551615', 'bytes 9990-9999/10000', 10],
  ['bytes=-18446744073709551615', 'bytes 0-9999/10000', 10_000],
])('the range %s gets %s, uncompressed', async (range, contentRange, length) => {
  const response = await requestFile({ range, 'accept-encoding': 'gzip' })
  expect(describeBody(response)).toEqual([206, contentRange, length])
  expect([response.headers['content-length'], response.headers['content-encoding']]).toEqual([String(length), undefined])
  const start = Number(/\d+/.exec(contentRange)?.[0])
  expect(response.body).toBe(content.toString().slice(start, start + length))
})

test.each(['bytes=10000-', 'bytes=18446744073709551615-', 'bytes=-0'])(
  'a range without bytes (%s) gets status 416 with the size of the file',
  async (range) => {
    const response = await requestFile({ range })
    expect([response.statusCode, response.json().code, response.headers['content-range']]).toEqual([
      416,
      'range_not_satisfiable',
      'bytes */10000',
    ])
  },
)

test.each(['bytes=0-1,5-6', 'bytes=5-1', 'lines=1-2', 'bytes=-', 'bytes=a-b'])(
  'an unsupported or malformed range (%s) gets the whole file',
  async (range) => {
    expect(describeBody(await requestFile({ range }))).toEqual([200, undefined, 10_000])
  },
)

// In If-Range and If-Match, unlike in If-None-Match, a weak tag (W/) matches no version, as RFC 9110 requires.
test('a client that has the current version gets status 304, and a request for a range of an old version gets the whole file', async () => {
  readRanges.length = 0
  for (const tags of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) expect((await requestFile({ 'if-none-match': tags })).statusCode).toBe(304)
  expect(readRanges).toEqual([])
  expect((await requestFile({ 'if-none-match': '"v0"' })).statusCode).toBe(200)
  expect(describeBody(await requestFile({ range: 'bytes=0-0', 'if-range': '"v1"' }))).toEqual([206, 'bytes 0-0/10000', 1])
  for (const version of ['"v0"', 'W/"v1"', 'Sun, 22 Nov 2026 00:00:00 GMT'])
    expect(describeBody(await requestFile({ range: 'bytes=0-0', 'if-range': version }))).toEqual([200, undefined, 10_000])
})

test.each([
  ['say "hi".txt', String.raw`attachment; filename="say \"hi\".txt"`],
  [
    'Żółw – résumé.pdf',
    `attachment; filename="???w ? r?sum?.pdf"; filename*=UTF-8''%C5%BB%C3%B3%C5%82w%20%E2%80%93%20r%C3%A9sum%C3%A9.pdf`,
  ],
  ['a\r\nb: c.txt', 'attachment; filename="a??b: c.txt"; filename*=UTF-8\'\'a%0D%0Ab%3A%20c.txt'],
])('the name %j is escaped in the header Content-Disposition', async (name, header) => {
  expect((await requestFile({}, name)).headers['content-disposition']).toEqual(header)
})

test('HEAD ignores a range, because only GET has ranges', async () => {
  for (const range of ['bytes=0-0', 'bytes=10000-']) {
    const { statusCode, headers } = await requestFile({ range }, 'a.txt', 'HEAD')
    expect([statusCode, headers['content-length'], headers['content-range']]).toEqual([200, '10000', undefined])
  }
})

test('a request for an old version (If-Match) gets status 412', async () => {
  for (const tags of ['"v1"', '"v0", "v1"', '*']) expect((await requestFile({ 'if-match': tags })).statusCode).toBe(200)
  readRanges.length = 0
  for (const tags of ['"v0"', 'W/"v1"', ''])
    for (const others of [undefined, { range: 'bytes=0-0', 'if-none-match': '"v1"' }]) {
      const response = await requestFile({ 'if-match': tags, ...others })
      expect([response.statusCode, response.json().code]).toEqual([412, 'changed_since'])
    }
  expect(readRanges).toEqual([])
})

test('a file that the browser shows cannot run scripts in our origin', async () => {
  const { headers } = await requestFile({}, 'page.html')
  expect(headers['content-disposition']).toBe('inline; filename=page.html')
  expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
})

test('an empty file is sent, and its ranges are refused', async () => {
  expect(describeBody(await requestFile({}, 'empty.txt'))).toEqual([200, undefined, 0])
  expect((await requestFile({ range: 'bytes=0-' }, 'empty.txt')).statusCode).toBe(416)
})

test('a file that cannot be read gets a problem document without the headers of the file', async () => {
  const response = await requestFile({ range: 'bytes=0-0' }, 'lost.txt')
  expect([response.statusCode, response.json().code]).toEqual([500, 'internal'])
  for (const name of ['content-disposition', 'content-range', 'etag']) expect(response.headers[name]).toBeUndefined()
})

test('the connection is closed when a file is shorter than announced', async () => {
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' })
  const [response]: IncomingMessage[] = await once(get(`${address}/api/stored/short.txt`), 'response')
  if (!response) throw new Error('The server sent no response')
  await expect(text(response)).rejects.toThrow('aborted')
})
