import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'

/** The lines of the log with the level `error`. */
const errorLines: string[] = []
const logger = { level: 'error', stream: { write: (line: string) => void errorLines.push(line) } }
let app: TestApp
let port = 0
beforeAll(async () => {
  app = await openTestApp({ isDevelopment: false, logger })
  port = Number(new URL(await app.server.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => app.stop())

test.each([
  '..%5c..%5cpackage.json',
  '%00',
  'name%00',
  '%2e%2e%2f%2e%2e%2fpackage.json',
  '..%2fweb',
  '../pages/pages.js',
  '.',
  'nothing.js',
  'pdfjs%2f..%2f..%2fweb',
  'pdfjs//nothing.js',
  '',
])('a path that leaves the folder of the assets, contains NUL or names no asset gets status 404: %s', async (path) => {
  const response = await app.server.inject(`/assets/${path}`)
  expect(response.statusCode).toBe(404)
  expect(errorLines).toEqual([])
})

test('the whole request must arrive within a minute', () => {
  const { requestTimeout, headersTimeout } = app.server.server
  for (const limitMs of [requestTimeout, headersTimeout]) {
    expect(limitMs).toBeGreaterThan(0)
    expect(limitMs).toBeLessThanOrEqual(60_000)
  }
})

test('a client that disconnects in the middle of a request is not logged as an error', async () => {
  const socket = connect(port, '127.0.0.1')
  const head = 'POST /api/users HTTP/1.1\r\nHost: foyer.test\r\nContent-Type: application/json\r\nContent-Length: 100\r\n'
  socket.write(`${head}Expect: 100-continue\r\n\r\n`)
  expect(String(await once(socket, 'data'))).toContain('100 Continue')
  await expect.poll(countCounterRows, { message: 'the server waits for the body' }).toBe(1)
  socket.destroy()
  await expect.poll(countConnections).toBe(0)
  expect(errorLines).toEqual([])
})

test('a null origin is refused, even if the request names no host', async () => {
  const ada = await signInAs(app, 'ada')
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`DELETE /api/session HTTP/1.0\r\nOrigin: null\r\nCookie: foyer=${ada.token}\r\n\r\n`)
  expect(await text(socket)).toMatch(/^HTTP\/1.1 403 /)
})

/** Returns the number of rows that count requests. The first request of a network to a route with a limit adds a row. */
const countCounterRows = async () => (await app.tableOwner.query('select from attempts')).rowCount

const countConnections = (): Promise<number> =>
  new Promise((resolve) => app.server.server.getConnections((_error, count) => resolve(count)))
