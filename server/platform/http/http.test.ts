// The HTTP server as a whole: documents, security headers, the OpenAPI document and the log.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

describe('documents', () => {
  test('every document has a strict content security policy with a new nonce', async () => {
    const policies = []
    for (let time = 0; time < 2; time++) policies.push(String((await app.server.inject('/')).headers['content-security-policy']))
    expect(policies[0]).toMatch(/script-src 'self' 'nonce-[\w+/=]{24}'; style-src 'self' 'nonce-/) // 16 bytes in base64 have 24 characters
    expect(policies[0]).not.toContain('unsafe')
    expect(policies[0]).not.toBe(policies[1])
  })

  test.each(['/dashboard', '/crm/contacts?search=ada', '/account', '/trash', '/crm/nowhere'])(
    '%s without a session redirects to the sign-in page, which later opens the requested address',
    async (url) => {
      const response = await app.server.inject(url)
      expect(response.statusCode).toBe(302)
      expect(response.headers.location).toBe(`/auth?next=${encodeURIComponent(url)}`)
    },
  )

  test('a signed-in user is redirected from the landing page to the dashboard, and gets the application at other addresses', async () => {
    const { token } = await signInAs(app, 'ada')
    const response = await app.server.inject({ url: '/', headers: { cookie: `foyer=${token}` } })
    expect([response.statusCode, response.headers.location]).toEqual([302, '/dashboard'])
    const document = await app.server.inject({ url: '/crm/contacts', headers: { cookie: `foyer=${token}` } })
    expect(document.statusCode).toBe(200)
    const unknownScreen = await app.server.inject({ url: '/crm/nowhere', headers: { cookie: `foyer=${token}` } })
    expect(unknownScreen.statusCode).toBe(200) // the application in the browser shows its own not-found page
  })

  test('an unknown address gets the not-found page, and below /api a problem document', async () => {
    const page = await app.server.inject('/nowhere')
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    const problem = await app.server.inject('/api/nowhere')
    expect([problem.statusCode, problem.json().code]).toEqual([404, 'not_found'])
  })
})

test('every response has its request id and security headers', async () => {
  const response = await app.server.inject('/health')
  expect(response.headers['request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(response.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'cache-control': 'no-store',
  })
  expect(response.headers['strict-transport-security']).toBeUndefined()
})

test('with an https address the session cookie is bound to the host, and a header makes the browser use https only', async () => {
  const secure = await openTestApp({ address: 'https://foyer.test' })
  await secure.server.inject({ method: 'POST', url: '/api/users', payload: { email: 'a@b.co', password: 'engine', full_name: 'Ada' } })
  const response = await secure.server.inject({ method: 'POST', url: '/api/session', payload: { email: 'a@b.co', password: 'engine' } })
  expect(String(response.headers['set-cookie'])).toMatch(/^__Host-foyer=.*; Secure/) // browsers bind a cookie with the prefix __Host- to the host
  expect(response.headers['strict-transport-security']).toContain('max-age')
  await secure.stop()
})

test('the OpenAPI document describes the routes', async () => {
  const document = (await app.server.inject('/api/openapi.json')).json()
  expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/api/contacts', '/api/contacts/{id}', '/api/session', '/health']))
  const { post } = document.paths['/api/contacts']
  expect(post.requestBody.content['application/json'].schema.required).toEqual(['first_name', 'last_name'])
  expect(post.responses[201].content['application/json'].schema.properties).toHaveProperty('version')
  expect(post.responses.default.content).toHaveProperty('application/problem+json')
  expect(post.security).toEqual([{ session: [] }, { apiKey: ['write'] }])
  expect(document.paths['/api/session'].post.security).toEqual([])
  expect(post.responses.default.description).toContain('`duplicate`')
  expect(document.paths['/api/companies'].post.responses.default.description).not.toContain('`duplicate`')
})

test('a search whose client disconnects is not logged as an error', async () => {
  const lines: string[] = []
  const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(line) } }
  const loggingApp = await openTestApp({ logger })
  const ada = await signInAs(loggingApp, 'ada')
  const address = await loggingApp.server.listen({ port: 0, host: '127.0.0.1' })
  const blocker = await loggingApp.tableOwner.connect()
  await blocker.query('begin; lock table crm_contacts')
  const client = new AbortController()
  const search = fetch(`${address}/api/contacts?search=ada`, { headers: { authorization: `Bearer ${ada.token}` }, signal: client.signal })
  // counts only queries of the application, because schedules may wait for the table too
  const waitingLocks = `select from pg_locks join pg_stat_activity using (pid)
    where not granted and relation = 'crm_contacts'::regclass and usename = 'foyer_app'`
  await expect.poll(async () => (await loggingApp.tableOwner.query(waitingLocks)).rowCount).toBe(1)
  client.abort()
  await expect(search).rejects.toThrow('aborted')
  await expect.poll(async () => (await loggingApp.tableOwner.query(waitingLocks)).rowCount).toBe(0) // the database has cancelled the query
  await blocker.query('rollback')
  blocker.release()
  await loggingApp.stop()
  expect(lines).toEqual([])
})

test('the log contains routes and statuses, and no personal data', async () => {
  const lines: string[] = []
  const logger = { level: 'info', stream: { write: (line: string) => void lines.push(line) } }
  const loggingApp = await openTestApp({ logger })
  const ada = await signInAs(loggingApp, 'ada')
  await ada.send({
    method: 'POST',
    url: '/api/contacts',
    payload: { first_name: 'Confidential', last_name: 'Person', email: 'private@example.org' },
  })
  await ada.send({ url: '/api/contacts?search=Confidential' })
  await loggingApp.stop()
  const log = lines.join('')
  expect(log).toContain('"route":"/api/contacts"')
  for (const personal of ['Confidential', 'private@example.org', ada.token, ada.email]) expect(log).not.toContain(personal)
})
