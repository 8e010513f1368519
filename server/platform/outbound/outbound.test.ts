import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type LookupFunction, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createOutboundFetch, type OutboundOptions } from './outbound.ts'
import { isPublicAddress } from './public-address.ts'

const maxBytes = 1000

const createFetch = (options: Partial<OutboundOptions> = {}) => createOutboundFetch({ allowedHosts: [], ...options })

/** Starts a server on this machine. `count` is the number of its connections. */
async function listen(handle: RequestListener) {
  let count = 0
  const server = createServer(handle).on('connection', () => count++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    count: () => count,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Creates a resolver that returns the next list of addresses at each call. `askedNames`: the names that it was asked to resolve. */
function createLookup(...lists: string[][]): { lookup: LookupFunction; askedNames: string[] } {
  const askedNames: string[] = []
  const lookup: LookupFunction = (hostname, options, callback) => {
    askedNames.push(hostname)
    const list: LookupAddress[] = (lists.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (options.all) callback(null, list)
    else callback(null, list[0]?.address ?? '', list[0]?.family)
  }
  return { lookup, askedNames }
}

for (const host of [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fd00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
])
  test(`A request to ${host} is refused.`, async () => {
    await expect(createFetch()(`http://${host}:9/`, { maxBytes })).rejects.toMatchObject({ name: 'OutboundFailure', reason: 'private' })
  })

test('Addresses of the public internet are public.', () => {
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111']) expect(isPublicAddress(address)).toBe(true)
  expect(isPublicAddress('example.com')).toBe(false)
})

test('A name that leads to an address of this machine is refused, and nothing connects.', async () => {
  await using server = await listen((_request, response) => response.end('secret'))
  await expect(createFetch()(`http://localhost:${server.port}/`, { maxBytes })).rejects.toMatchObject({ reason: 'private' })
  const { lookup } = createLookup(['127.0.0.1'])
  await expect(createFetch({ lookup })(`http://public.example:${server.port}/`, { maxBytes })).rejects.toMatchObject({ reason: 'private' })
  expect(server.count()).toBe(0)
})

test('A name with a public and a private address is refused.', async () => {
  const { lookup } = createLookup(['8.8.8.8', '10.0.0.1'])
  await expect(createFetch({ lookup })('http://both.example:9/', { maxBytes })).rejects.toMatchObject({ reason: 'private' })
})

test('A name is resolved once for a connection, so it cannot lead elsewhere after it was checked.', async () => {
  await using server = await listen((_request, response) => response.end('secret'))
  // 192.0.0.1 is reserved, so the first answer is refused too; a second one must not be asked for
  const { lookup, askedNames } = createLookup(['192.0.0.1'], ['127.0.0.1'])
  await expect(createFetch({ lookup })(`http://changes.example:${server.port}/`, { maxBytes })).rejects.toMatchObject({ reason: 'private' })
  expect(askedNames).toEqual(['changes.example'])
  expect(server.count()).toBe(0)
})

test('An allowed host may be requested at any port, or only at its port if the list names one.', async () => {
  await using server = await listen((_request, response) => response.end('ok'))
  const { lookup } = createLookup(['127.0.0.1'], ['127.0.0.1'])
  const byName = createFetch({ allowedHosts: ['AI.internal'], lookup })
  expect(await (await byName(`http://ai.internal:${server.port}/`, { maxBytes })).text()).toBe('ok')
  expect(await (await createFetch({ allowedHosts: [`127.0.0.1:${server.port}`] })(server.url, { maxBytes })).text()).toBe('ok')
  await expect(createFetch({ allowedHosts: ['127.0.0.1:9'] })(server.url, { maxBytes })).rejects.toMatchObject({ reason: 'private' })
})

test('Other protocols and addresses with a password are refused.', async () => {
  const send = createFetch({ allowedHosts: ['127.0.0.1'] })
  for (const address of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:text/plain,x'])
    await expect(send(address, { maxBytes })).rejects.toMatchObject({ reason: 'protocol' })
  await expect(send('http://ada:secret@127.0.0.1/', { maxBytes })).rejects.toMatchObject({ reason: 'credentials' })
})

test('A redirect is not followed.', async () => {
  await using server = await listen((_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end())
  await expect(createFetch({ allowedHosts: ['127.0.0.1'] })(server.url, { maxBytes })).rejects.toMatchObject({ reason: 'redirect' })
})

test('A redirect is returned without its body when the caller checks and follows it itself.', async () => {
  await using server = await listen((_request, redirect) => redirect.writeHead(302, { location: '/next', 'x-other': 'no' }).end('moved'))
  const response = await createFetch({ allowedHosts: ['127.0.0.1'] })(server.url, { maxBytes, returnsRedirects: true })
  expect([response.status, [...response.headers], await response.text()]).toEqual([302, [['location', '/next']], ''])
  await using withoutTarget = await listen((_request, redirect) => redirect.writeHead(304).end())
  const refused = createFetch({ allowedHosts: ['127.0.0.1'] })(withoutTarget.url, { maxBytes, returnsRedirects: true })
  await expect(refused).rejects.toMatchObject({ reason: 'redirect' })
})

test('A response that is too large breaks off.', async () => {
  await using server = await listen((_request, response) => response.end('x'.repeat(maxBytes + 1)))
  const response = await createFetch({ allowedHosts: ['127.0.0.1'] })(server.url, { maxBytes })
  await expect(response.text()).rejects.toMatchObject({ reason: 'too_large' })
})

test('A response with an error status breaks off at 1 MiB, whatever the request allows.', async () => {
  await using server = await listen((_request, response) => response.writeHead(500).end('x'.repeat(1024 ** 2 + 1)))
  const response = await createFetch({ allowedHosts: ['127.0.0.1'] })(server.url, { maxBytes: 1024 ** 3 })
  await expect(response.text()).rejects.toMatchObject({ reason: 'too_large' })
})

test('A stream breaks off at an event that is too large, and passes any number of smaller ones.', async () => {
  await using server = await listen((request, response) => {
    const events = ['data: 1234\n\n', 'data: 5678\r\n\r\n', 'data: 1\ndata: 2\n\n'].join('').repeat(100)
    for (const piece of events.match(/[^]{1,7}/g) ?? []) response.write(piece)
    response.end(request.url === '/large' ? 'data: x\n'.repeat(5) : '')
  })
  const read = async (path: string): Promise<number> => {
    const response = await createFetch({ allowedHosts: ['127.0.0.1'] })(server.url + path, { maxBytes: 10_000, maxEventBytes: 30 })
    return (await response.text()).length
  }
  expect(await read('')).toBe(4300)
  await expect(read('large')).rejects.toMatchObject({ reason: 'too_large' })
})

test('Method, headers and body are sent, and status, headers and body are returned, also for an error status.', async () => {
  await using server = await listen((request, response) => {
    response.writeHead(418, { 'x-got': [request.method, request.headers['x-sent']].join(' ') })
    request.pipe(response)
  })
  const init = { method: 'POST', headers: { 'x-sent': 'yes' }, body: 'Zażółć', maxBytes }
  const response = await createFetch({ allowedHosts: ['127.0.0.1'] })(server.url, init)
  expect([response.status, response.headers.get('x-got'), await response.text()]).toEqual([418, 'POST yes', 'Zażółć'])
})

test('A request fails as unreachable if nothing listens, and with the reason of the signal if it is aborted.', async () => {
  const server = await listen(() => {})
  await using silent = await listen(() => {})
  await server[Symbol.asyncDispose]()
  const send = createFetch({ allowedHosts: ['127.0.0.1'] })
  await expect(send(server.url, { maxBytes })).rejects.toMatchObject({ reason: 'unreachable' })
  const stop = new AbortController()
  const request = send(silent.url, { maxBytes, signal: stop.signal })
  await expect.poll(silent.count).toBe(1)
  stop.abort(new Error('enough'))
  await expect(request).rejects.toThrow('enough')
})

test('A request is sent again, once and on a new connection, if the server closes a connection that was idle.', async () => {
  let requests = 0
  let isRefusing = false
  const used = new WeakSet<Socket>()
  await using server = await listen(({ socket }, response) => {
    requests++
    if (used.has(socket) || isRefusing) socket.resetAndDestroy()
    else response.end('answer')
    used.add(socket)
  })
  const fetchOutside = createFetch({ allowedHosts: ['127.0.0.1'] })
  const send = async (): Promise<string> => {
    const text = await (await fetchOutside(server.url, { method: 'POST', body: 'text', maxBytes })).text()
    await setImmediate() // the connection is idle then
    return text
  }
  expect([await send(), requests, server.count()]).toEqual(['answer', 1, 1])
  expect([await send(), requests, server.count()]).toEqual(['answer', 3, 2])
  isRefusing = true
  await expect(send()).rejects.toMatchObject({ reason: 'unreachable' })
  expect(requests).toBeLessThanOrEqual(5)
})

test('A response that changes to another protocol fails as unreachable.', async () => {
  const server = createTcpServer((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const sent = createFetch({ allowedHosts: ['127.0.0.1'] })(`http://127.0.0.1:${port}/`, { maxBytes, signal: AbortSignal.timeout(5000) })
  await expect(sent).rejects.toMatchObject({ reason: 'unreachable' })
  server.close()
})

test('A body that breaks off fails with a reason of its own.', async () => {
  await using server = await listen((_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('begun', () => response.destroy())
  })
  const response = await createFetch({ allowedHosts: ['127.0.0.1'] })(server.url, { maxBytes })
  await expect(response.text()).rejects.toMatchObject({ reason: 'broken_off' })
})

test('Cancelling the body closes the connection.', async () => {
  let isClosed = false
  await using server = await listen((_request, response) => {
    response.write('begin')
    response.on('close', () => {
      isClosed = true
    })
  })
  const response = await createFetch({ allowedHosts: ['127.0.0.1'] })(server.url, { maxBytes })
  await response.body?.cancel()
  await expect.poll(() => isClosed).toBe(true)
})

test.each([
  [999, 599], // 599 is the largest status of a `Response`
  [600, 599],
  [205, 205], // a `Response` with this status cannot have a body
])('when nobody reads the body of a response with status %i, an abort is not an uncaught error', async (sentStatus, status) => {
  await using server = await listen((_request, response) => {
    response.socket?.write(`HTTP/1.1 ${sentStatus} Unusual\r\ncontent-length: 10\r\n\r\n12345`)
  })
  const abort = new AbortController()
  const response = await createFetch({ allowedHosts: ['127.0.0.1'] })(server.url, { maxBytes, signal: abort.signal })
  expect(response.status).toBe(status)
  abort.abort()
  await setImmediate()
})
