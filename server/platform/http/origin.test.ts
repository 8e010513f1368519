// Requests of other websites, which a browser sends with the cookie of Foyer.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

// 204: the session was ended; 403: refused because of the origin; 401: allowed, but the token is wrong. `foyer.test` is the configured
// address.
const foreignOrigin = { origin: 'https://evil.example' }
test.each([
  ['from another website', 403, foreignOrigin],
  ['without the header Origin', 403, {}],
  ['with the Origin null', 403, { origin: 'null' }],
  ['from a page of Foyer', 204, { origin: 'http://foyer.test' }],
  ['from another port of the configured host', 403, { origin: 'http://foyer.test:8080' }],
  ['from the configured host with another scheme', 403, { origin: 'https://foyer.test', host: 'foyer.test' }],
  ['from the address at which the browser opened Foyer', 204, { origin: 'http://foyer.lan:3000', host: 'foyer.lan:3000' }],
  ['from another port of the address at which the browser opened Foyer', 403, { origin: 'http://foyer.lan', host: 'foyer.lan:3000' }],
  [
    'from the host and port at which the browser opened Foyer, with another scheme',
    403,
    { origin: 'https://foyer.lan:3000', host: 'foyer.lan:3000' },
  ],
  ['with an Authorization that is not Bearer', 403, { authorization: 'Basic eDp5' }],
  ['with an Authorization that is not Bearer, from another website', 403, { authorization: 'Basic eDp5', ...foreignOrigin }],
  ['with an unknown Bearer token, so that the cookie is not read', 401, { authorization: 'Bearer unknown' }],
  [
    'with an unknown token after the word bearer in small letters, so that the cookie is not read',
    401,
    { authorization: 'bearer unknown' },
  ],
  ['with an empty Bearer token, so that the cookie is not read', 401, { authorization: 'Bearer' }],
])('a writing request with the session cookie, sent %s, gets status %i', async (_name, status, headers) => {
  const { token } = await signInAs(app, 'ada')
  const cookie = `foyer=${token}`
  const response = await app.server.inject({ method: 'DELETE', url: '/api/session', headers: { host: 'foyer.test', cookie, ...headers } })
  expect(response.statusCode).toBe(status)
})

test('behind a proxy, the address at which the browser opened Foyer is the forwarded one', async () => {
  const proxied = await openTestApp({ trustedProxies: 1, connections: app.connections })
  const { token } = await signInAs(app, 'ada')
  const send = (origin: string) => {
    const headers = { origin, cookie: `foyer=${token}`, host: 'crm.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
    return proxied.server.inject({ method: 'DELETE', url: '/api/session', headers })
  }
  expect((await send('http://crm.example')).statusCode).toBe(403)
  expect((await send('https://crm.example')).statusCode).toBe(204)
  await proxied.stop()
})
