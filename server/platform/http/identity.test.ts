// The identity of a request has the owner, whose rows it reads and writes, and the actor, who makes the change: the user, an API key, or a
// visitor of a public page. Idempotency keys and limits are separate for each actor.
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { formatActor, type Scope } from '#contract/actors.ts'
import { defineRoutes } from '#contract/route.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { openTestRouter, type TestRouter } from '#server/testing/router.ts'
import { mount } from './mount.ts'

const Company = z.object({ id: z.uuid(), name: z.string() })
const NewCompany = z.strictObject({ name: z.string() })
const example = { body: { name: 'Analytical Engines' } }

const routes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/test-companies',
    summary: 'All companies',
    caller: 'user',
    changes: 'nothing',
    out: z.array(Company),
    maxRequestsIn15Minutes: { perIdentity: 3 },
    example: {},
  },
  get: {
    method: 'GET',
    path: '/api/test-companies/{id}',
    summary: 'One company',
    caller: 'user',
    changes: 'nothing',
    params: z.strictObject({ id: z.uuid() }),
    out: Company,
    example: {},
  },
  create: {
    method: 'POST',
    path: '/api/test-companies',
    summary: 'Add a company',
    caller: 'user',
    changes: 'journaled',
    body: NewCompany,
    out: Company,
    responseIfRepeated: { fromRoute: 'get', idFrom: 'record' },
    example,
  },
  settings: {
    method: 'GET',
    path: '/api/test-settings',
    summary: 'For sessions only',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    out: z.object({ session: z.string() }),
    example: {},
  },
  submit: {
    method: 'POST',
    path: '/api/test-pages/{page}/companies',
    summary: 'Add a company through a public page',
    caller: 'visitor',
    changes: 'journaled',
    requiresIdempotencyKey: true,
    maxRequestsIn15Minutes: { perNetwork: 5, perIdentity: 8 },
    params: z.strictObject({ page: z.uuid() }),
    body: NewCompany,
    example,
  },
})

const limitedRoutes = defineRoutes({
  accept: {
    method: 'POST',
    path: '/api/test-refusals',
    summary: 'Accept one name',
    caller: 'anyone',
    changes: 'nothing',
    maxRequestsIn15Minutes: { refusedPerNetwork: 2 },
    body: NewCompany,
    example,
  },
})

// the next calls test only the types of `defineRoutes`
const form = { method: 'POST', path: '/x', summary: 'Never mounted', changes: 'journaled', example: {} } as const
defineRoutes({ accepted: { ...form, caller: 'visitor', requiresIdempotencyKey: true, maxRequestsIn15Minutes: { perNetwork: 5 } } })
// @ts-expect-error a journaled route for visitors must require an idempotency key, because a browser may send a form twice
defineRoutes({ refused: { ...form, caller: 'visitor', maxRequestsIn15Minutes: { perNetwork: 5 } } })
// @ts-expect-error a journaled route for visitors must limit requests
defineRoutes({ refused: { ...form, caller: 'visitor', requiresIdempotencyKey: true } })
// @ts-expect-error without an identity there is no owner whose rows could be journaled
defineRoutes({ refused: { ...form, caller: 'anyone', requiresIdempotencyKey: true, maxRequestsIn15Minutes: { perNetwork: 5 } } })

let app: TestRouter
let ada: Caller
let grace: Caller
/** The owners of public pages, by the id of the page. */
const pages = new Map<string, string>()
/** The API keys. The key of the map is the value of the header Authorization. */
const keys = new Map<string, { owner: string; scopes: Scope[] }>()
beforeAll(async () => {
  app = await openTestRouter()
  ada = await app.newUser()
  grace = await app.newUser()
  app.router.finders.user.push(async ({ headers: { authorization = '' } }) => {
    const key = keys.get(authorization)
    return key && { ...key, actor: formatActor('api_key', '7'), hasAllRights: false }
  })
  app.router.finders.visitor.push(async ({ url }) => {
    const owner = pages.get(url.split('/')[3] ?? '')
    return owner === undefined ? undefined : { owner, actor: formatActor('visitor'), scopes: [], hasAllRights: false }
  })
  const insert = async (name: string) => {
    const [row] = await sql<{ id: string; name: string }>('insert into companies (name) values ($1) returning id, name', [name])
    if (!row) throw new Error('The company was not written')
    return row
  }
  const { database } = app
  mount(app.router, limitedRoutes, {
    accept: async ({ body }) => {
      if (body.name !== example.body.name) throw new Refusal('not_found')
    },
  })
  mount(app.router, routes, {
    list: ({ caller }) => database.read(caller, () => sql<{ id: string; name: string }>('select id, name from companies order by id')),
    get: async ({ caller, params }) => {
      const [row] = await database.read(caller, () =>
        sql<{ id: string; name: string }>('select id, name from companies where id = $1', [params.id]),
      )
      if (!row) throw new Error('The company is gone')
      return row
    },
    create: ({ caller, body }) => database.batch(caller, 'Added company', () => insert(body.name)),
    settings: async ({ session }) => ({ session }),
    submit: async ({ caller, body }) => void (await database.batch(caller, 'Added company', () => insert(body.name))),
  })
})
afterAll(() => app.stop())

/** The last number in the network address of the previous request. */
let address = 0
/** Sends a request from a new network address, so that the limits per address do not affect other requests. */
const send = ({ headers, ...options }: InjectOptions): Promise<LightMyRequestResponse> =>
  app.server.inject({ remoteAddress: `10.0.0.${++address}`, ...options, headers: { ...headers } })
const post = (url: string, headers: Record<string, string>, payload: object = example.body): Promise<LightMyRequestResponse> =>
  send({ method: 'POST', url, headers, payload })
const statusAndCode = (response: LightMyRequestResponse) => [response.statusCode, response.json().code]

/** Creates a public page in the workspace of the user. Returns the path of its form. */
const createPage = ({ owner }: Caller): string => {
  const page = newId()
  pages.set(page, owner)
  return `/api/test-pages/${page}/companies`
}
/** Creates an API key of the user. Returns the header that contains it. */
const createKey = ({ owner }: Caller, ...scopes: Scope[]): { authorization: string } => {
  const authorization = `Bearer key-${newId()}`
  keys.set(authorization, { owner, scopes })
  return { authorization }
}
const readCompanyNames = (caller: Caller) =>
  app.database.read(caller, async () => (await sql<{ name: string }>('select name from companies order by id')).map(({ name }) => name))
const readActors = async ({ owner }: Caller) =>
  (await app.workspace.tableOwner.query<{ actor: string }>('select actor from changesets where user_id = $1 order by id', [owner])).rows

test('a visitor writes only rows of the owner of the page, with the actor "visitor"', async () => {
  const [pageOwner, otherUser] = [await app.newUser(), await app.newUser()]
  expect((await post(createPage(pageOwner), { 'idempotency-key': 'k' })).statusCode).toBe(204)
  expect(await readCompanyNames(pageOwner)).toEqual(['Analytical Engines'])
  expect(await readCompanyNames(otherUser)).toEqual([])
  expect(await readActors(pageOwner)).toEqual([{ actor: 'visitor' }])
})

test('a request to a page that does not exist gets status 404, and not 401', async () => {
  expect(statusAndCode(await post(`/api/test-pages/${newId()}/companies`, { 'idempotency-key': 'k' }))).toEqual([404, 'not_found'])
})

test('a visitor without an idempotency key writes nothing, and three requests with the same key write once', async () => {
  const owner = await app.newUser()
  const page = createPage(owner)
  const responseWithoutKey = await post(page, {})
  expect([responseWithoutKey.statusCode, responseWithoutKey.json().fields]).toEqual([422, { 'Idempotency-Key': expect.any(String) }])
  const responses = await Promise.all([1, 2, 3].map(() => post(page, { 'idempotency-key': 'once' })))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204])
  expect(await readCompanyNames(owner)).toEqual(['Analytical Engines'])
})

test('equal idempotency keys of a visitor, an API key and the user are three different keys', async () => {
  const owner = await app.newUser()
  const key = { 'idempotency-key': 'shared' }
  expect((await post(createPage(owner), key)).statusCode).toBe(204)
  expect((await post('/api/test-companies', { ...key, ...createKey(owner, 'write') })).statusCode).toBe(200)
  expect((await post('/api/test-companies', { ...key, authorization: `Bearer ${owner.owner}` })).statusCode).toBe(200)
  expect(await readActors(owner)).toEqual([{ actor: 'visitor' }, { actor: 'api_key:7' }, { actor: `user:${owner.owner}` }])
})

test('an API key acts in the workspace of its owner with its own actor, and a repeated request gets the same record', async () => {
  const key = createKey(grace, 'read', 'write')
  const headers = { ...key, 'idempotency-key': 'first' }
  const [first, second] = [await post('/api/test-companies', headers), await post('/api/test-companies', headers)]
  expect(second.json()).toEqual(first.json())
  expect(second.headers['foyer-change']).toBe(first.headers['foyer-change'])
  expect((await send({ url: '/api/test-companies', headers: key })).json()).toEqual([first.json()])
  expect(await readCompanyNames(ada)).toEqual([])
  expect(await readActors(grace)).toEqual([{ actor: 'api_key:7' }])
})

test('an API key may call only the routes of its scopes, and no route without a scope', async () => {
  const reader = createKey(ada, 'read')
  expect(statusAndCode(await post('/api/test-companies', reader))).toEqual([403, 'scope_missing'])
  const readSettings = (headers: Record<string, string>) => send({ url: '/api/test-settings', headers })
  expect(statusAndCode(await readSettings(createKey(ada, 'read', 'write')))).toEqual([403, 'scope_missing'])
  expect((await readSettings({ authorization: `Bearer ${ada.owner}` })).json()).toEqual({ session: 'session' })
  expect(statusAndCode(await post('/api/test-companies', { authorization: 'Bearer unknown' }))).toEqual([401, 'not_signed_in'])
})

test('requests are limited by network address and by identity', async () => {
  const page = createPage(await app.newUser())
  const submitFrom = (remoteAddress: string) =>
    send({ method: 'POST', url: page, payload: example.body, headers: { 'idempotency-key': newId() }, remoteAddress })
  // the route allows 5 requests of a network and 8 of an identity, which all visitors of one page share
  const statuses: number[] = []
  for (let count = 0; count < 6; count++) statuses.push((await submitFrom('192.0.2.1')).statusCode)
  for (let host = 2; host <= 5; host++) statuses.push((await submitFrom(`192.0.2.${host}`)).statusCode)
  expect(statuses).toEqual([204, 204, 204, 204, 204, 429, 204, 204, 204, 429])
  expect((await post(createPage(await app.newUser()), { 'idempotency-key': 'k' })).statusCode).toBe(204)
  const key = createKey(await app.newUser(), 'read')
  const listStatuses = [] // this route allows 3 requests of an identity
  for (let count = 0; count < 4; count++) listStatuses.push((await send({ url: '/api/test-companies', headers: key })).statusCode)
  expect(listStatuses).toEqual([200, 200, 200, 429])
})

test('a limit of refused requests counts requests with an invalid body too, but no accepted requests', async () => {
  const accept = (payload: object) => app.server.inject({ method: 'POST', url: '/api/test-refusals', remoteAddress: '10.1.0.1', payload })
  const statuses: number[] = []
  const { body: accepted } = example
  for (const payload of [accepted, accepted, accepted, { name: 'Other' }, { nickname: 'Other' }, accepted, { name: 'Other' }, accepted])
    statuses.push((await accept(payload)).statusCode)
  // the route allows 2 refused requests: the third one, with 404, exceeds the limit, and the next request gets 429
  expect(statuses).toEqual([204, 204, 204, 404, 422, 204, 404, 429])
})
