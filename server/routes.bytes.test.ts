// Every route of the contract that sends bytes sends them, and every error, with headers with which no script in them can run.
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#contract/route.ts'
import { allRoutes } from '#contract/routes.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addExamples, createExampleRequest, type ExampleIds } from '#server/testing/examples.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

const byteRoutes = allRoutes
  .filter(({ download, file }) => download === true || file !== undefined)
  .map((route) => ({ route, name: `${route.method} ${route.path}` }))

let app: TestApp
let ada: Person
let ids: ExampleIds
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  ids = await addExamples(ada)
})
afterAll(() => app.stop())

/** Returns the request of the example. The token of the example of a link is no valid one, so a link is made for it. */
async function createRequest(route: Route): Promise<ReturnType<typeof createExampleRequest>> {
  const request = createExampleRequest(route, ids, ada.email)
  if (!route.path.startsWith('/api/file-links/')) return request
  const payload = { s3Key: `${ids.owner}/${ids.storedObject}` }
  const response = await ada.send({ method: 'POST', url: '/functions/v1/download-from-s3', payload })
  const { url }: { url: string } = response.json()
  return { ...request, url: new URL(url).pathname }
}

function expectHarmless({ headers }: LightMyRequestResponse): void {
  expect(headers).toMatchObject({
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': expect.stringMatching(/^(private, no-cache|no-store)$/),
  })
  expect(headers['access-control-allow-origin']).toBeUndefined()
}

describe.each(byteRoutes)('$name', ({ route }) => {
  test('sends bytes with safe headers, also as HEAD, as a range, and when nothing changed', async () => {
    const request = await createRequest(route)
    const send = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | Route['method'] = request.method) =>
      ada.send({ ...request, method, headers: { ...request.headers, ...headers } })
    const whole = await send()
    expect(whole.statusCode).toBe(200)
    expect(whole.headers['content-type']).toMatch(
      /^(application\/octet-stream|image\/(png|jpeg|gif|webp|avif)|application\/zip|text\/(csv|vcard); charset=utf-8)$/,
    )
    expect(whole.headers['content-disposition']).toMatch(/^(attachment|inline); filename/)
    expectHarmless(whole)
    if (!route.download) return
    const etag = String(whole.headers.etag)
    const others = [
      [200, await send({}, 'HEAD')],
      [206, await send({ range: 'bytes=0-0' })],
      [416, await send({ range: 'bytes=999999999-' })],
      [304, await send({ 'if-none-match': etag })],
      [412, await send({ 'if-match': '"older"' })],
    ] as const
    for (const [status, response] of others) {
      expect(response.statusCode).toBe(status)
      expectHarmless(response)
    }
  })

  test('sends errors with the same headers', async () => {
    const request = await createRequest(route)
    const unknownIds = Object.fromEntries(Object.keys(ids).map((name) => [name, '01930000-0000-7000-8000-00000000ffff']))
    const responses = [
      await ada.send(createExampleRequest(route, unknownIds, ada.email)),
      await ada.send({ ...request, url: `${request.url}${request.url.includes('?') ? '&' : '?'}surprise=1` }),
      await ada.send({ ...request, payload: '{"surprise":1}', headers: { 'content-type': 'application/json' } }),
      await app.server.inject(request),
    ].filter(({ statusCode }) => statusCode >= 400)
    expect(responses.length).toBeGreaterThan(0)
    for (const response of responses) expectHarmless(response)
  })
})
