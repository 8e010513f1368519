import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { loadFirstResponses } from './first-responses.ts'

const server = fastify()
server.get('/api/me', (request) => ({ cookie: request.headers.cookie, from: request.ip, key: request.headers.authorization ?? null }))
server.get('/api/missing', (_request, reply) => reply.code(404).send({ code: 'not_found' }))
server.get('/api/broken', () => {
  throw new Error('broken')
})
server.get('/api/slow', () => new Promise(() => {}))
server.get('/document', (request) =>
  loadFirstResponses(server, request, ['/api/me', '/api/missing', '/api/slow', '/api/broken']).then((responses) => [...responses]),
)
afterAll(() => server.close())

test('a document gets the responses for the session of its request, except those that fail or never arrive', async () => {
  const response = await server.inject({
    url: '/document',
    headers: { cookie: 'session=nora', authorization: 'Bearer other' },
    remoteAddress: '192.0.2.7',
  })
  // the header Authorization is not passed on, so `key` is null
  expect(response.json()).toEqual([['/api/me', JSON.stringify({ cookie: 'session=nora', from: '192.0.2.7', key: null })]])
})
