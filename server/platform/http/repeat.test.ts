// Tests the response to a write that fails after its commit, and the response when the client sends the same request again.
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineRoutes } from '#contract/route.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { openTestRouter, type TestRouter } from '#server/testing/router.ts'
import { mount } from './mount.ts'

const Company = z.object({ id: z.uuid(), name: z.string() })
type Company = z.infer<typeof Company>

/** The routes below add a company in different ways. Their handlers are in `beforeAll`. */
const create = {
  method: 'POST',
  summary: 'Add a company',
  caller: 'user',
  changes: 'journaled',
  out: Company,
  responseIfRepeated: { fromRoute: 'get', idFrom: 'record' },
  example: {},
} as const
const routes = defineRoutes({
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
  create: { ...create, path: '/api/test-companies' },
  createTwo: { ...create, path: '/api/test-companies/two' },
  createThenFail: { ...create, path: '/api/test-companies/then-fail' },
  createInvalidResult: { ...create, path: '/api/test-companies/invalid-result' },
  createUnconfirmed: { ...create, path: '/api/test-companies/unconfirmed' },
  fail: { ...create, path: '/api/test-companies/fail' },
  failWithoutUndo: { ...create, path: '/api/test-companies/no-undo', changes: { noUndo: 'a mail cannot be taken back' } },
})

let app: TestRouter
let ada: Caller
beforeAll(async () => {
  app = await openTestRouter()
  const { database } = app
  const insert = async (name = 'Analytical Engines'): Promise<Company> => {
    const [row] = await sql<Company>('insert into companies (name) values ($1) returning id, name', [name])
    if (!row) throw new Error('The company was not written')
    return row
  }
  mount(app.router, routes, {
    get: async ({ caller, params }) => {
      const [row] = await database.read(caller, () => sql<Company>('select id, name from companies where id = $1', [params.id]))
      if (!row) throw new Refusal('not_found')
      return row
    },
    create: ({ caller }) => database.batch(caller, 'Added company', () => insert()),
    createTwo: async ({ caller }) => {
      const first = await database.batch(caller, 'Added company', () => insert())
      await database.batch(caller, 'Added company', () => insert('Difference Engines'))
      return first
    },
    createThenFail: async ({ caller }) => {
      await database.batch(caller, 'Added company', () => insert())
      throw new Error('The handler failed')
    },
    createInvalidResult: async ({ caller }) => {
      const { id } = await database.batch(caller, 'Added company', () => insert())
      return { id, name: JSON.parse('null') } // this result does not match the contract
    },
    createUnconfirmed: async ({ caller }) => {
      const request = { ...caller.request } // a copy, so that the original request does not receive the id of the change
      await database.batch({ ...caller, request }, 'Added company', () => insert())
      throw new Error('Connection terminated unexpectedly')
    },
    fail: async () => {
      throw new Error('The handler failed')
    },
    failWithoutUndo: async () => {
      throw new Error('The handler failed')
    },
  })
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await app.newUser()
  app.log.length = 0
})

/** Sends a request of Ada. `path`: the last part of the route's path. `key`: the Idempotency-Key. */
const post = (path: string, key?: string): Promise<LightMyRequestResponse> =>
  app.server.inject({
    method: 'POST',
    url: `/api/test-companies${path === '' ? '' : `/${path}`}`,
    headers: { authorization: `Bearer ${ada.owner}`, ...(key && { 'idempotency-key': key }) },
  })
const readCompanies = () => app.database.read(ada, () => sql<Company>('select id, name from companies order by id'))
/** Returns the ids of all change sets of Ada. The header `foyer-change` of a response has one of them. */
const readChanges = async (): Promise<string[]> => {
  const { rows } = await app.workspace.tableOwner.query<{ id: string }>('select id from changesets where user_id = $1 order by id', [
    ada.owner,
  ])
  return rows.map(({ id }) => id)
}

test.each(['then-fail', 'invalid-result'])(
  'the response to an error after the commit (%s) says that the change was made, and a repeated request returns the record',
  async (path) => {
    const failedResponse = await post(path, 'k1')
    expect([failedResponse.statusCode, failedResponse.json().code]).toEqual([500, 'answer_failed'])
    expect(failedResponse.json().detail).not.toContain('Nothing was changed')
    expect(app.log).toHaveLength(1)
    const repeatedResponse = await post(path, 'k1')
    expect(repeatedResponse.statusCode, repeatedResponse.body).toBe(200)
    expect([repeatedResponse.json()]).toEqual(await readCompanies())
    for (const response of [failedResponse, repeatedResponse]) expect([response.headers['foyer-change']]).toEqual(await readChanges())
  },
)

test('a repeated request gets status 404 if its record was deleted in the meantime, and is not logged as an error', async () => {
  const { id }: Company = (await post('', 'k1')).json()
  await app.database.batch(ada, 'Deleted company', () => sql('delete from companies where id = $1', [id]))
  const repeated = await post('', 'k1')
  expect([repeated.statusCode, repeated.json().code]).toEqual([404, 'not_found'])
  expect(await readCompanies()).toEqual([])
  expect(app.log).toEqual([])
})

test('the response to an error before any write says that nothing was changed', async () => {
  const failedResponse = await post('fail', 'k1')
  expect([failedResponse.json().code, failedResponse.headers['foyer-change']]).toEqual(['internal', undefined])
})

test('the response to an error of a route without undo does not say whether something was changed', async () => {
  expect((await post('no-undo')).json()).toMatchObject({ status: 500, code: 'outcome_unknown' })
})

test('a write whose commit was not confirmed is found by its key, and its record is returned', async () => {
  const response = await post('unconfirmed', 'k1')
  expect(response.statusCode, response.body).toBe(200)
  expect([response.json()]).toEqual(await readCompanies())
  expect([response.headers['foyer-change']]).toEqual(await readChanges())
})

test.each(['k1', undefined])(
  'a second transaction of the same request (key %s) is refused and not treated as a repeated request',
  async (key) => {
    const response = await post('two', key)
    expect([response.statusCode, response.json().code]).toEqual([500, 'answer_failed'])
    expect(await readCompanies()).toMatchObject([{ name: 'Analytical Engines' }])
    expect([response.headers['foyer-change']]).toEqual(await readChanges())
    expect(app.log.join()).toContain('a request writes only one')
  },
)
