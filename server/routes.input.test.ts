// Bad input to every route of the contract gets a problem document, never status 500, and writes nothing.
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '#contract/errors.ts'
import type { Route } from '#contract/route.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { badBodies, badFilters, badValues } from '#server/testing/bad-input.ts'
import { createRandom, type Random } from '#server/testing/random.ts'
import { allRoutes } from '#contract/routes.ts'
import { readOwnedRows } from '#server/testing/rows.ts'
import { exampleRequest, addExamples, type ExampleIds } from '#server/testing/examples.ts'

/** Routes that end the session or delete the account, so that later tests could not run. */
const endingRoutes = new Set(['/api/account/delete', '/api/account/password', '/api/account/email', '/api/session', '/api/sessions/{id}'])
const routes = allRoutes.filter(({ events }) => !events).map((route) => ({ route, name: `${route.method} ${route.path}` }))

let app: TestApp
let ada: Person
let ids: ExampleIds
let address = 0
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  ids = await addExamples(ada)
})
afterAll(() => app.stop())

type Request = InjectOptions & { url: string }

/** Each request has a different client address, so that none is refused by the limits of attempts. */
const ask = (request: Request): Promise<LightMyRequestResponse> => {
  address++
  return ada.send({ ...request, remoteAddress: `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}` })
}

function expectProblem(answer: LightMyRequestResponse, asked: unknown): void {
  const told = JSON.stringify(asked).slice(0, 300)
  expect(answer.statusCode, `${told}\n${answer.body}`).toBeLessThan(500)
  if (answer.statusCode < 400) return
  expect(answer.headers['content-type'], told).toMatch(/^application\/problem\+json/)
  expect(Problem.safeParse(answer.json()).success, told).toBe(true)
}

/** Sends a request that must be refused, and checks that it writes nothing. */
async function expectRefused(request: Request): Promise<LightMyRequestResponse> {
  const before = await readOwnedRows(app, ada.id)
  const answer = await ask(request)
  expectProblem(answer, request)
  expect(answer.statusCode).toBeGreaterThanOrEqual(400)
  expect(await readOwnedRows(app, ada.id)).toEqual(before)
  return answer
}

describe.each(routes.filter(({ route }) => route.body))('$name', ({ route }) => {
  const request = (payload: string, type = 'application/json'): Request => ({
    ...exampleRequest(route, ids, ada.email),
    payload,
    headers: { 'content-type': type },
  })

  test('refuses a body that is not JSON, not an object, too large or of another type', async () => {
    expect((await expectRefused(request('{'))).json()).toMatchObject({ code: 'malformed' })
    expect((await expectRefused(request('{}', 'text/plain'))).json()).toMatchObject({ code: 'unsupported_media_type' })
    expect((await expectRefused(request(`{"a":"${'x'.repeat(2 ** 21)}"}`))).json()).toMatchObject({ code: 'too_large' })
    expect((await expectRefused(request(''))).statusCode).toBeLessThan(500)
    for (const body of badBodies) await expectRefused(request(body))
  })

  test('names an unknown field', async () => {
    const { payload = '{}' } = exampleRequest(route, ids, ada.email)
    const answer = await expectRefused(request(JSON.stringify({ ...JSON.parse(payload), surprise: 1 })))
    expect(answer.json().fields).toHaveProperty('surprise')
  })
})

test.each(routes.filter(({ route }) => route.params))('$name returns 404 for an unknown id', async ({ route }) => {
  for (const id of ['01930000-0000-7000-8000-00000000ffff', 'nonsense', '%00', "' or 1=1", 'x'.repeat(150)]) {
    const { url, ...rest } = exampleRequest(route, ids, ada.email)
    const answer = await expectRefused({ ...rest, url: withId(route, url, encodeURIComponent(id)) })
    expect(answer.json()).toMatchObject({ code: 'not_found' })
  }
})

test.each(routes.filter(({ route }) => route.query))('$name refuses a bad query', async ({ route }) => {
  const texts = ['', '-1', '1e9', 'a'.repeat(5000), "'; --", '%', '\u0000', 'bm9uc2Vuc2U', '{"a":1}']
  for (const name of ['after', 'limit', 'sort', 'order', 'record', 'filter', 'contact_id', 'surprise']) {
    for (const value of name === 'filter' ? [...texts, ...badFilters] : texts) {
      const { url, method } = exampleRequest(route, ids, ada.email)
      const query = new URLSearchParams(url.split('?')[1])
      query.set(name, value)
      expectProblem(await ask({ method, url: `${route.path}?${query.toString()}` }), { name, value })
    }
  }
  expectProblem(await ask({ url: `${route.path}?limit=1&limit=2` }), 'twice')
  expectProblem(await ask({ url: `${route.path}?search=%ff%fe` }), 'no UTF-8')
})

test.each(routes.filter(({ route }) => route.method === 'PATCH'))('$name refuses a version that no row can have', async ({ route }) => {
  for (const version of [0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    const request = exampleRequest(route, ids, ada.email)
    const answer = await expectRefused({ ...request, payload: JSON.stringify({ ...JSON.parse(request.payload ?? '{}'), version }) })
    expect(answer.json().fields).toHaveProperty('version')
  }
})

test('an unknown path and an unsupported method get the code not_found', async () => {
  for (const request of [{ url: '/api/nothing' }, { method: 'PATCH', url: '/api/contacts' }, { method: 'POST', url: '/' }] as const) {
    expect((await expectRefused(request)).json()).toMatchObject({ code: 'not_found' })
  }
})

const count = process.env['FOYER_FULL'] ? 100_000 : 10_000
test(`${count} random requests never get status 500`, { timeout: 600_000 }, async () => {
  const random = createRandom(20_261_121)
  const targets = routes.filter(({ route }) => !endingRoutes.has(route.path)).map(({ route }) => route)
  for (let done = 0; done < count; done += 20) {
    const requests = Array.from({ length: 20 }, () => chanceRequest(targets, random))
    const answers = await Promise.all(requests.map(ask))
    for (const [index, answer] of answers.entries()) expectProblem(answer, requests[index])
  }
  expect((await ada.send({ url: '/api/session' })).statusCode).toBe(200)
})

/** Returns an example with one value replaced by a bad one. */
function chanceRequest(targets: Route[], random: Random): Request {
  const route = random.pick(targets)
  const { url, method, payload } = exampleRequest(route, ids, ada.email)
  const [path = '', query = ''] = url.split('?')
  const headers = { ...(payload !== undefined && { 'content-type': 'application/json' }), ...chanceKey(random) }
  const turn = random.below(4)
  if (turn === 0 && route.params) return { method, url: withId(route, path, encodeURIComponent(chanceText(random))), payload, headers }
  if (turn === 1) return { method, url: `${path}?${chanceQuery(query, random)}`, payload, headers }
  if (payload === undefined) return { method, url, headers }
  if (turn === 2) return { method, url, payload: random.pick(badBodies), headers }
  const fields: Record<string, unknown> = JSON.parse(payload)
  const name = random.pick([...Object.keys(fields), 'a'])
  return { method, url, payload: JSON.stringify({ ...fields, [name]: random.pick(badValues) }), headers }
}

/** Returns the path with another id. */
function withId(route: Route, url: string, id: string): string {
  const places = route.path.split('/')
  const [path = '', query] = url.split('?')
  const replaced = path.split('/').map((part, place) => (places[place]?.startsWith('{') ? id : part))
  return replaced.join('/') + (query === undefined ? '' : `?${query}`)
}

function chanceText(random: Random): string {
  const value = random.pick(badValues)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.slice(0, 500).toWellFormed()
}

function chanceQuery(query: string, random: Random): string {
  const found = new URLSearchParams(query)
  const name = random.pick(['search', 'sort', 'order', 'after', 'limit', 'record', 'filter'])
  found.set(name, name === 'filter' ? chanceFilter(random) : chanceText(random))
  return found.toString()
}

/** Returns a condition with one value replaced by a bad one. */
function chanceFilter(random: Random): string {
  const field = random.pick(['created_at', 'tags', 'title', 'stage', 'value', 'due_date', 'company_id', 'employees_count'])
  const name = random.pick(['field', 'has', 'is', 'from', 'to', 'empty'])
  const value = random.pick(badValues)
  return JSON.stringify([{ field, [name]: name === 'is' && random.below(2) === 0 ? [value] : value }]).slice(0, 4000)
}

const chanceKey = (random: Random) => (random.below(5) === 0 ? { 'idempotency-key': `key-${random.below(50)}` } : {})
