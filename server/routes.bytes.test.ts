// The routes that send files must set headers with which a browser runs no script in the file. This holds for every response of these
// routes, also for ranges and errors.
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#contract/route.ts'
import { allRoutes } from '#contract/routes.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addExamples, createExampleRequest, type ExampleIds } from '#server/testing/examples.ts'
import { addFile } from '#server/testing/files.ts'
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
  ids = await addExamples(app, ada)
})
afterAll(() => app.stop())

const pathOf = (response: LightMyRequestResponse): string => {
  const { url }: { url: string } = response.json()
  return new URL(url, 'http://foyer.test').pathname
}

/** An image of one pixel. */
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

/** Some routes send no bytes for their example in the contract. For the path of such a route: a function that returns another address. */
const addressCreators: Record<string, () => Promise<string>> = {
  '/api/file-links/{token}': async () => {
    const payload = { s3Key: `${ids.owner}/${ids.storedObject}` }
    return pathOf(await ada.send({ method: 'POST', url: '/functions/v1/download-from-s3', payload }))
  },
  '/api/public/calendar-feeds/{token}': async () => {
    const { address }: { address: string } = (await ada.send({ method: 'POST', url: '/api/calendar-feed' })).json()
    return new URL(address).pathname
  },
  '/api/takeout/{token}': async () => {
    const prepare = () => ada.send({ method: 'POST', url: '/api/takeout', payload: { password: 'engine no. 1' } })
    await expect.poll(async () => (await prepare()).statusCode).toBe(200) // 429 until the download of an earlier test has ended
    return pathOf(await prepare())
  },
  '/api/files/{id}/thumbnail': async () => {
    const { id } = await addFile(ada, { file_name: 'picture.png' }, png)
    const url = `/api/files/${id}/thumbnail`
    await expect.poll(async () => (await ada.send({ url })).statusCode).toBe(200) // a job makes the thumbnail
    return url
  },
}

/** Returns a request to which the route responds with bytes. */
async function createRequest(route: Route): Promise<ReturnType<typeof createExampleRequest>> {
  const url = await addressCreators[route.path]?.()
  return { ...createExampleRequest(route, ids, ada.email), ...(url !== undefined && { url }) }
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
  test('the route sends bytes with safe headers, and the same headers for HEAD, for a range and for unchanged bytes', async () => {
    const request = await createRequest(route)
    const send = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | Route['method'] = request.method) =>
      ada.send({ ...request, method, headers: { ...request.headers, ...headers } })
    const whole = await send()
    expect(whole.statusCode).toBe(200)
    expect(whole.headers['content-type']).toMatch(
      /^(application\/octet-stream|image\/(png|jpeg|gif|webp|avif)|application\/zip|text\/(csv|vcard|calendar); charset=utf-8)$/,
    )
    expect(whole.headers['content-disposition']).toMatch(/^(attachment|inline); filename/)
    expectHarmless(whole)
    if (!route.download) return
    const etag = String(whole.headers.etag)
    const otherResponses = [
      [200, await send({}, 'HEAD')],
      [206, await send({ range: 'bytes=0-0' })],
      [416, await send({ range: 'bytes=999999999-' })],
      [304, await send({ 'if-none-match': etag })],
      [412, await send({ 'if-match': '"older"' })],
    ] as const
    for (const [status, response] of otherResponses) {
      expect(response.statusCode).toBe(status)
      expectHarmless(response)
    }
  })

  test('the route sends errors with the same headers', async () => {
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
