import { get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineRoutes, type StoredFile } from '#contract/route.ts'
import { openTestRouter, type TestRouter } from '#server/testing/router.ts'
import { mount } from './mount.ts'

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
const special: Record<string, Partial<StoredFile>> = {
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
const reads: unknown[] = []
beforeAll(async () => {
  app = await openTestRouter()
  mount(app.router, routes, {
    download: async ({ params: { name } }) => ({
      name,
      type: 'text/plain',
      size: content.length,
      etag: 'v1',
      read: async function* read(range) {
        reads.push(range)
        for (let at = range.start; at <= range.end; at += 4096) yield content.subarray(at, Math.min(at + 4096, range.end + 1))
      },
      ...special[name],
    }),
  })
})
afterAll(() => app.stop())

const ask = (headers: Record<string, string> = {}, name = 'a.txt', method: 'GET' | 'HEAD' = 'GET'): Promise<LightMyRequestResponse> =>
  app.server.inject({ method, url: `/api/stored/${encodeURIComponent(name)}`, headers })
const partOf = (answer: LightMyRequestResponse) => [answer.statusCode, answer.headers['content-range'], answer.rawPayload.length]

test('a file is sent whole, with its size, version and name, and never compressed', async () => {
  const answer = await ask({ 'accept-encoding': 'gzip, br' })
  expect([answer.statusCode, answer.rawPayload.equals(content)]).toEqual([200, true])
  expect(answer.headers).toMatchObject({
    'content-type': 'text/plain',
    'content-length': '10000',
    'accept-ranges': 'bytes',
    etag: '"v1"',
    'content-disposition': 'attachment; filename=a.txt',
    'x-content-type-options': 'nosniff',
  })
  expect(answer.headers['content-encoding']).toBeUndefined()
})

test('HEAD returns the same headers and reads nothing', async () => {
  reads.length = 0
  const { headers, statusCode, body } = await ask({}, 'a.txt', 'HEAD')
  expect([statusCode, headers['content-length'], headers.etag, body, reads]).toEqual([200, '10000', '"v1"', '', []])
})

test.each([
  ['bytes=0-0', 'bytes 0-0/10000', 1],
  ['bytes=5000-', 'bytes 5000-9999/10000', 5000],
  ['bytes=-10', 'bytes 9990-9999/10000', 10],
  ['bytes=-20000', 'bytes 0-9999/10000', 10_000],
  ['bytes=9999-20000', 'bytes 9999-9999/10000', 1],
])('the range %s gets %s, uncompressed', async (range, contentRange, length) => {
  const answer = await ask({ range, 'accept-encoding': 'gzip' })
  expect(partOf(answer)).toEqual([206, contentRange, length])
  expect([answer.headers['content-length'], answer.headers['content-encoding']]).toEqual([String(length), undefined])
  expect(answer.body).toBe(
    content
      .toString()
      .slice(Number(/\d+/.exec(contentRange)?.[0]))
      .slice(0, length),
  )
})

test.each(['bytes=10000-', 'bytes=-0'])('the range %s after the end is refused with the size', async (range) => {
  const answer = await ask({ range })
  expect([answer.statusCode, answer.json().code, answer.headers['content-range']]).toEqual([416, 'range_not_satisfiable', 'bytes */10000'])
})

test.each(['bytes=0-1,5-6', 'bytes=5-1', 'lines=1-2', 'bytes=-', 'bytes=a-b'])('the range %s gets the whole file', async (range) => {
  expect(partOf(await ask({ range }))).toEqual([200, undefined, 10_000])
})

test('a client with the same version gets status 304, and a range of another version gets the whole file', async () => {
  reads.length = 0
  for (const tags of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) expect((await ask({ 'if-none-match': tags })).statusCode).toBe(304)
  expect(reads).toEqual([])
  expect((await ask({ 'if-none-match': '"v0"' })).statusCode).toBe(200)
  expect(partOf(await ask({ range: 'bytes=0-0', 'if-range': '"v1"' }))).toEqual([206, 'bytes 0-0/10000', 1])
  for (const version of ['"v0"', 'W/"v1"', 'Sun, 22 Nov 2026 00:00:00 GMT'])
    expect(partOf(await ask({ range: 'bytes=0-0', 'if-range': version }))).toEqual([200, undefined, 10_000])
})

test.each([
  ['say "hi".txt', String.raw`attachment; filename="say \"hi\".txt"`],
  [
    'Żółw – résumé.pdf',
    `attachment; filename="???w ? r?sum?.pdf"; filename*=UTF-8''%C5%BB%C3%B3%C5%82w%20%E2%80%93%20r%C3%A9sum%C3%A9.pdf`,
  ],
  ['a\r\nb: c.txt', 'attachment; filename="a??b: c.txt"; filename*=UTF-8\'\'a%0D%0Ab%3A%20c.txt'],
])('the name %j is escaped', async (name, header) => {
  expect((await ask({}, name)).headers['content-disposition']).toEqual(header)
})

test('a file that is shown cannot run scripts in our origin', async () => {
  const { headers } = await ask({}, 'page.html')
  expect(headers['content-disposition']).toBe('inline; filename=page.html')
  expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
})

test('an empty file is sent, and its ranges are refused', async () => {
  expect(partOf(await ask({}, 'empty.txt'))).toEqual([200, undefined, 0])
  expect((await ask({ range: 'bytes=0-' }, 'empty.txt')).statusCode).toBe(416)
})

test('a file that cannot be read gets a problem document without the headers of the file', async () => {
  const answer = await ask({ range: 'bytes=0-0' }, 'lost.txt')
  expect([answer.statusCode, answer.json().code]).toEqual([500, 'internal'])
  for (const name of ['content-disposition', 'content-range', 'etag']) expect(answer.headers[name]).toBeUndefined()
})

test('the connection is closed when a file is shorter than announced', async () => {
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' })
  const [answer]: IncomingMessage[] = await once(get(`${address}/api/stored/short.txt`), 'response')
  if (!answer) throw new Error('No answer came')
  await expect(text(answer)).rejects.toThrow('aborted')
})
