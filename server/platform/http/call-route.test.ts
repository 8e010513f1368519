// callRoute runs mounted routes inside the process, with the same checks as a request.
import * as z from 'zod/mini'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineRoutes } from '#contract/route.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { openTestRouter, type TestRouter } from '#server/testing/router.ts'
import { callRoute } from './call-route.ts'
import { mount } from './mount.ts'

const example = {}
const routes = defineRoutes({
  echo: {
    method: 'POST',
    path: '/api/echo/{id}',
    summary: 'Returns its input',
    caller: 'user',
    changes: { noUndo: 'It changes nothing that could be undone.' },
    params: z.strictObject({ id: z.uuid() }),
    query: z.strictObject({ limit: z._default(z.string().check(z.regex(/^\d+$/, 'Enter a number')), '50') }),
    body: z.strictObject({ name: z.string().check(z.trim(), z.minLength(1, 'Enter a name')) }),
    out: z.object({ owner: z.string(), id: z.string(), limit: z.string(), name: z.string() }),
    example,
  },
  wrongOutput: {
    method: 'GET',
    path: '/api/wrong',
    summary: 'Returns what the contract does not declare',
    caller: 'user',
    changes: 'nothing',
    out: z.object({ count: z.int() }),
    example,
  },
  withSession: {
    method: 'GET',
    path: '/api/with-session',
    summary: 'Needs a session',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    out: z.object({ session: z.string() }),
    example,
  },
  rename: {
    method: 'POST',
    path: '/api/rename',
    summary: 'Changes the name of the user',
    caller: 'user',
    changes: 'journaled',
    body: z.strictObject({ name: z.string() }),
    example,
  },
  events: { method: 'GET', path: '/api/stream', summary: 'A stream', caller: 'user', changes: 'nothing', events: z.string(), example },
  open: { method: 'GET', path: '/api/open', summary: 'For everybody', caller: 'anyone', changes: 'nothing', out: z.string(), example },
})

let testRouter: TestRouter
let ada: Caller
beforeAll(async () => {
  testRouter = await openTestRouter()
  ada = await testRouter.newUser()
  const { router, database } = testRouter
  mount(router, routes, {
    echo: async ({ caller, params, query, body }) => ({ ...params, ...query, ...body, owner: caller.owner, password: 'secret' }),
    wrongOutput: async () => ({ count: 1.5 }),
    withSession: async ({ session }) => ({ session }),
    rename: ({ caller, body }) =>
      database.transaction(caller, 'Renamed', async () => {
        await sql('update profiles set full_name = $2 where user_id = $1', [caller.owner, body.name])
      }),
    events: async () => async () => () => {},
    open: async () => 'hello',
  })
})
afterAll(() => testRouter.stop())

const id = '01930000-0000-7000-8000-000000000001'
const echo = (input: { params: { id: string }; query?: { limit?: string }; body: { name: string } }) =>
  callRoute(testRouter.router, routes.echo, ada, input)

test('the handler gets the caller and the checked input with defaults, and undeclared fields of its result are removed', async () => {
  expect(await echo({ params: { id }, body: { name: ' Ada ' } })).toEqual({ owner: ada.owner, id, limit: '50', name: 'Ada' })
})

test('wrong input is refused with the messages of the schema, and a malformed id is not found', async () => {
  await expect(echo({ params: { id }, body: { name: ' ' } })).rejects.toMatchObject({
    code: 'invalid',
    extras: { fields: { name: 'Enter a name' } },
  })
  await expect(echo({ params: { id }, query: { limit: 'x' }, body: { name: 'Ada' } })).rejects.toMatchObject({
    code: 'invalid',
    extras: { fields: { limit: 'Enter a number' } },
  })
  await expect(echo({ params: { id: 'x' }, body: { name: 'Ada' } })).rejects.toMatchObject({ code: 'not_found' })
})

test('text that cannot be stored is refused', async () => {
  await expect(echo({ params: { id }, body: { name: 'a\0b' } })).rejects.toMatchObject({ code: 'invalid' })
})

test('a result that the contract does not declare is an error', async () => {
  await expect(callRoute(testRouter.router, routes.wrongOutput, ada, {})).rejects.toThrow(/count/)
})

test('routes with a stream or for other callers, and handlers that read the session, are refused', async () => {
  expect(() => callRoute(testRouter.router, routes.events, ada, {})).toThrow('cannot be called inside the process')
  expect(() => callRoute(testRouter.router, routes.open, ada, {})).toThrow('cannot be called inside the process')
  await expect(callRoute(testRouter.router, routes.withSession, ada, {})).rejects.toThrow('needs a request')
})

test('in a transaction two calls write one change set, and both are rolled back when the transaction fails', async () => {
  const { database, router, workspace } = testRouter
  const rename = (name: string): Promise<void> => callRoute(router, routes.rename, ada, { body: { name } })
  const readName = async (): Promise<unknown> =>
    (await workspace.tableOwner.query('select full_name from profiles where user_id = $1', [ada.owner])).rows[0]?.full_name
  const request: { changeId?: string } = {}
  await database.transaction({ ...ada, request }, 'Two calls', async () => {
    await rename('First')
    await rename('Second')
  })
  expect(await readName()).toBe('Second')
  const { rows } = await workspace.tableOwner.query('select label from changesets where user_id = $1', [ada.owner])
  expect(rows).toEqual([{ label: 'Two calls' }])
  await expect(
    database.transaction(ada, 'Failing', async () => {
      await rename('Third')
      throw new Error('stop')
    }),
  ).rejects.toThrow('stop')
  expect(await readName()).toBe('Second')
})
