// Bad input to every route of the contract gets a problem document, never status 500, and writes nothing.
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Problem } from '#contract/errors.ts'
import type { Route } from '#contract/route.ts'
import { openTestAppWithAi } from '#server/testing/ai-app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { badBodies, badFilters, badValues } from '#server/testing/bad-input.ts'
import { createRandom, type Random } from '#server/testing/random.ts'
import { allRoutes } from '#contract/routes.ts'
import { readOwnedRows } from '#server/testing/rows.ts'
import { createExampleRequest, addExamples, type ExampleIds } from '#server/testing/examples.ts'

/**
 * The routes that random requests leave out. Some end the session, delete the account or connect an AI that does not answer; later requests
 * would then fail. The sync is left out because its job would write while other requests are checked.
 */
const excludedRoutes = new Set([
  '/api/account/delete',
  '/api/account/password',
  '/api/account/email',
  '/api/session',
  '/api/sessions/{id}',
  '/api/ai',
  '/functions/v1/sync-crm',
])
const routes = allRoutes.filter(({ events }) => !events).map((route) => ({ route, name: `${route.method} ${route.path}` }))

let app: TestApp
let ada: Person
let ids: ExampleIds
let requestNumber = 0
beforeAll(async () => {
  // vitest prints why a test failed at the end of the run only, so the cause of a status of 500 or higher is printed immediately
  ;({ app } = await openTestAppWithAi({ logger: { level: 'error', stream: process.stderr } }))
  ada = await signInAs(app, 'ada')
  ids = await addExamples(app, ada)
})
afterAll(() => app.stop())

type Request = InjectOptions & { url: string }

/**
 * Sends a request of the user. Each request has a different network address, so that the limits of attempts refuse no request: the last
 * three bytes of the address are the number of the request.
 */
const send = (request: Request): Promise<LightMyRequestResponse> => {
  requestNumber++
  return ada.send({ ...request, remoteAddress: `10.${requestNumber >> 16}.${(requestNumber >> 8) & 255}.${requestNumber & 255}` })
}

/** Fails if the status is 500 or higher, or if an error response is not a problem document. `request` is shown with the failure. */
function expectNoServerError(response: LightMyRequestResponse, request: unknown): void {
  const description = JSON.stringify(request).slice(0, 300)
  expect(response.statusCode, `${description}\n${response.body}`).toBeLessThan(500)
  if (response.statusCode < 400) return
  expect(response.headers['content-type'], description).toMatch(/^application\/problem\+json/)
  expect(Problem.safeParse(response.json()).success, description).toBe(true)
}

/** Sends requests that must be refused, and checks that they write nothing. */
async function expectRefused(requests: Request[]): Promise<LightMyRequestResponse[]> {
  const before = await readOwnedRows(app, ada.id)
  const responses: LightMyRequestResponse[] = []
  for (const request of requests) {
    const response = await send(request)
    expectNoServerError(response, request)
    expect(response.statusCode, JSON.stringify(request).slice(0, 300)).toBeGreaterThanOrEqual(400)
    responses.push(response)
  }
  expect(await readOwnedRows(app, ada.id)).toEqual(before)
  return responses
}

// the token of an example belongs to nobody, so the response is 404 before the body is read
describe.each(routes.filter(({ route }) => route.body && !route.path.includes('{token}')))('$name', ({ route }) => {
  const request = (payload: string, type = 'application/json'): Request => ({
    ...createExampleRequest(route, ids, ada.email),
    payload,
    headers: { 'content-type': type },
  })

  test('the route refuses a body that is not JSON, not an object, too large or of another type', async () => {
    const tooLarge = `{"a":"${'x'.repeat(2 ** 21)}"}`
    const responses = await expectRefused([
      request('{'),
      request('{}', 'text/plain'),
      request(tooLarge),
      ...['', ...badBodies].map((body) => request(body)),
    ])
    const codes = responses.slice(0, 3).map((response) => response.json().code)
    expect(codes).toEqual(['malformed', 'unsupported_media_type', 'too_large'])
  })

  test('the route refuses an unknown field with a message for it', async () => {
    const { payload = '{}' } = createExampleRequest(route, ids, ada.email)
    const [response] = await expectRefused([request(JSON.stringify({ ...JSON.parse(payload), surprise: 1 }))])
    expect(response?.json().fields).toHaveProperty('surprise')
  })
})

test.each(routes.filter(({ route }) => route.params))('$name returns 404 for an unknown id', async ({ route }) => {
  const unknownIds = ['01930000-0000-7000-8000-00000000ffff', 'nonsense', '%00', "' or 1=1", 'x'.repeat(150)]
  const { url, ...rest } = createExampleRequest(route, ids, ada.email)
  const responses = await expectRefused(unknownIds.map((id) => ({ ...rest, url: replaceId(route, url, encodeURIComponent(id)) })))
  expect(responses.map((response) => response.json().code)).toEqual(unknownIds.map(() => 'not_found'))
})

test.each(routes.filter(({ route }) => route.query))('$name never returns status 500 for a bad query', async ({ route }) => {
  const nonsenseCursor = 'bm9uc2Vuc2U' // "nonsense" in base64
  const texts = ['', '-1', '1e9', 'a'.repeat(5000), "'; --", '%', '\u0000', nonsenseCursor, '{"a":1}']
  for (const name of ['after', 'limit', 'sort', 'order', 'record', 'filter', 'contact_id', 'surprise']) {
    for (const value of name === 'filter' ? [...texts, ...badFilters] : texts) {
      const { url, method } = createExampleRequest(route, ids, ada.email)
      const query = new URLSearchParams(url.split('?')[1])
      query.set(name, value)
      expectNoServerError(await send({ method, url: `${route.path}?${query.toString()}` }), { name, value })
    }
  }
  expectNoServerError(await send({ url: `${route.path}?limit=1&limit=2` }), 'a repeated parameter')
  expectNoServerError(await send({ url: `${route.path}?search=%ff%fe` }), 'invalid UTF-8')
})

/** Texts that `Number()` would accept, and one digit of another writing system. */
const otherSpellings = ['0x1', ' 1', '1 ', '1e0', '+1', '01', '1.0', '-0', '١', '']
const isNumber = (schema: unknown): boolean => z.safeParse(z.object({ type: z.literal('integer') }), schema).success
/** Returns the names of the whole numbers in the parameters of a path or a query. */
const numbersIn = (schema: z.ZodMiniType | undefined): string[] =>
  Object.entries((schema && z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties) ?? {})
    .filter(([, property]) => isNumber(property))
    .map(([name]) => name)
const numberFields = routes.flatMap(({ route, name }) =>
  [...numbersIn(route.query), ...numbersIn(route.params)].map((field) => ({ route, name, field })),
)

test.each(numberFields)('$name accepts $field as decimal digits only', async ({ route, field }) => {
  const { params, query } = route.example
  const isInPath = params?.[field] !== undefined
  const requests = otherSpellings.map((text) => {
    const example = isInPath ? { params: { ...params, [field]: encodeURIComponent(text) } } : { query: { ...query, [field]: text } }
    return createExampleRequest({ ...route, example: { ...route.example, ...example } }, ids, ada.email)
  })
  const responses = await expectRefused(requests)
  const expected = isInPath ? [404, 'not_found'] : [422, 'invalid']
  expect(responses.map((response) => [response.statusCode, response.json().code])).toEqual(requests.map(() => expected))
})

test('the tested fields contain whole numbers of paths and of queries', () => {
  expect(numberFields.map(({ name, field }) => `${name} ${field}`)).toEqual(
    expect.arrayContaining(['PUT /api/uploads/{id}/parts/{number} number', 'POST /api/uploads/whole file_size', 'GET /api/contacts limit']),
  )
})

test.each(routes.filter(({ route }) => route.method === 'PATCH'))('$name refuses a version that no row can have', async ({ route }) => {
  const request = createExampleRequest(route, ids, ada.email)
  const requests = [0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER].map((version) => ({
    ...request,
    payload: JSON.stringify({ ...JSON.parse(request.payload ?? '{}'), version }),
  }))
  for (const response of await expectRefused(requests)) expect(response.json().fields).toHaveProperty('version')
})

test('an unknown path and an unsupported method get the code not_found', async () => {
  const requests: Request[] = [
    { url: '/api/nothing' },
    { method: 'PATCH', url: '/api/contacts' },
    { method: 'QUERY', url: '/api/contacts' },
    { method: 'POST', url: '/' },
  ]
  for (const response of await expectRefused(requests)) expect(response.json()).toMatchObject({ code: 'not_found' })
})

const count = process.env['FOYER_FULL'] ? 100_000 : 800
test(`${count} random requests never get status 500`, { timeout: 1_800_000 }, async () => {
  const random = createRandom(20_261_121) // a fixed seed, so that each run sends the same requests
  const targets = routes.filter(({ route }) => !excludedRoutes.has(route.path)).map(({ route }) => route)
  for (let done = 0; done < count; done += 20) {
    const requests = Array.from({ length: 20 }, () => randomRequest(targets, random))
    const responses = await Promise.all(requests.map(send))
    for (const [index, response] of responses.entries()) expectNoServerError(response, requests[index])
  }
  expect((await ada.send({ url: '/api/session' })).statusCode).toBe(200)
})

/** Returns the example of a random route with a random id, query, body or field replaced by a bad one, and sometimes an Idempotency-Key. */
function randomRequest(targets: Route[], random: Random): Request {
  const route = random.pick(targets)
  const { url, method, payload } = createExampleRequest(route, ids, ada.email)
  const [path = '', query = ''] = url.split('?')
  const headers = { ...(payload !== undefined && { 'content-type': 'application/json' }), ...randomKey(random) }
  const part = random.below(4) // 0: the id in the path, 1: the query, 2: the whole body, 3: a field of the body
  if (part === 0 && route.params) return { method, url: replaceId(route, path, encodeURIComponent(randomText(random))), payload, headers }
  if (part === 1) return { method, url: `${path}?${randomQuery(query, random)}`, payload, headers }
  if (payload === undefined) return { method, url, headers }
  if (part === 2) return { method, url, payload: random.pick(badBodies), headers }
  const fields: Record<string, unknown> = JSON.parse(payload)
  const name = random.pick([...Object.keys(fields), 'a'])
  return { method, url, payload: JSON.stringify({ ...fields, [name]: random.pick(badValues) }), headers }
}

/** Returns the URL with another id in its path. */
function replaceId(route: Route, url: string, id: string): string {
  const template = route.path.split('/')
  const [path = '', query] = url.split('?')
  const segments = path.split('/').map((segment, index) => (template[index]?.startsWith('{') ? id : segment))
  return segments.join('/') + (query === undefined ? '' : `?${query}`)
}

/** Returns a random bad value as a text of at most 500 characters. */
function randomText(random: Random): string {
  const value = random.pick(badValues)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.slice(0, 500).toWellFormed()
}

/** Returns the query with one parameter replaced by a bad one. */
function randomQuery(query: string, random: Random): string {
  const parameters = new URLSearchParams(query)
  const name = random.pick(['search', 'sort', 'order', 'after', 'limit', 'record', 'filter'])
  parameters.set(name, name === 'filter' ? randomFilter(random) : randomText(random))
  return parameters.toString()
}

/** Returns a filter of one condition with a bad value, as JSON. */
function randomFilter(random: Random): string {
  const field = random.pick(['created_at', 'tags', 'title', 'stage', 'value', 'due_date', 'company_id', 'employees_count'])
  const name = random.pick(['field', 'has', 'is', 'from', 'to', 'empty'])
  const value = random.pick(badValues)
  const isList = name === 'is' && random.below(2) === 0
  return JSON.stringify([{ field, [name]: isList ? [value] : value }]).slice(0, 4000)
}

/** Returns one of 50 Idempotency-Keys for every fifth request, so that different requests sometimes have the same key. */
const randomKey = (random: Random) => (random.below(5) === 0 ? { 'idempotency-key': `key-${random.below(50)}` } : {})
