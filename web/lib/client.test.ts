import { afterEach, expect, test, vi } from 'vitest'
import { accountRoutes } from '#contract/accounts.ts'
import { contactRoutes } from '#contract/contacts.ts'
import { imara } from '#web/contacts/testing.ts'
import { changeResponse, problemResponse, mockServer } from '#web/testing.ts'
import { call, callForChange, setSignedOutListener, ProblemError } from './client.ts'

const { id } = imara // a contact
const newContact = { first_name: 'Ada', last_name: 'Lovelace' }

afterEach(() => {
  setSignedOutListener(() => Promise.resolve(false)) // the user does not sign in again
  vi.useRealTimers()
})

const catchProblem = async (promise: Promise<unknown>): Promise<ProblemError> => {
  const error = await promise.catch((caught: unknown) => caught)
  if (!(error instanceof ProblemError)) throw new Error(`Expected a ProblemError, got ${String(error)}`)
  return error
}

test('a request has the path, the query and the body that the contract defines', async () => {
  const server = mockServer({
    'GET /api/contacts/{id}': imara,
    'GET /api/contacts': { rows: [], next: null },
    'PATCH /api/contacts/{id}': imara,
  })
  await call(contactRoutes.get, { params: { id } })
  await call(contactRoutes.list, { query: { search: 'a b&c', limit: 10, after: '' } }) // an empty parameter is left out
  await call(contactRoutes.update, { params: { id }, body: { title: 'Countess', version: 3 } })
  expect(server.requests.map(({ method, path, query, body }) => ({ method, path, query, body }))).toEqual([
    { method: 'GET', path: `/api/contacts/${id}`, query: {}, body: undefined },
    { method: 'GET', path: '/api/contacts', query: { search: 'a b&c', limit: '10' }, body: undefined },
    { method: 'PATCH', path: `/api/contacts/${id}`, query: {}, body: { title: 'Countess', version: 3 } },
  ])
  // only the write has an idempotency key
  expect(server.requests.map(({ headers }) => headers.has('idempotency-key'))).toEqual([false, false, true])
})

test('callForChange returns the id of the change, and for status 204 an undefined response', async () => {
  mockServer({ 'DELETE /api/contacts/{id}': () => changeResponse('change-1'), 'DELETE /api/session': undefined })
  expect(await callForChange(contactRoutes.delete, { params: { id } })).toEqual({
    response: undefined,
    changeId: 'change-1',
    isRunning: false,
  })
  expect(await callForChange(accountRoutes.signOut, {})).toEqual({ response: undefined, changeId: undefined, isRunning: false })
})

test('a problem document is thrown unchanged; any other error response is thrown as the problem "internal"', async () => {
  const server = mockServer({ 'GET /api/contacts/{id}': () => problemResponse('not_found') })
  const missing = await catchProblem(call(contactRoutes.get, { params: { id } }))
  expect(missing.problem).toMatchObject({ code: 'not_found', status: 404 })
  expect(missing.message).toBe('There is nothing here, or it is not yours.')
  server.setHandlers({ 'GET /api/contacts/{id}': () => new Response('<h1>Bad gateway</h1>', { status: 502 }) })
  expect((await catchProblem(call(contactRoutes.get, { params: { id } }))).problem).toMatchObject({ code: 'internal', status: 502 })
})

test('a call of a journaled route that gets no response is sent again with the same idempotency key', async () => {
  vi.useFakeTimers()
  let lostResponses = 2
  const server = mockServer({
    'POST /api/contacts': () => {
      if (lostResponses-- > 0) throw new TypeError('Failed to fetch')
      return changeResponse('change-2', imara, 201)
    },
  })
  const calling = callForChange(contactRoutes.create, { body: newContact })
  await vi.runAllTimersAsync()
  expect((await calling).changeId).toBe('change-2')
  const keys = server.requests.map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
})

test('a connection that is lost while the body of a response arrives counts as a network error', async () => {
  vi.useFakeTimers()
  const sendBrokenResponse = () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError('network error')) }))
  let brokenResponses = 1
  const server = mockServer({
    'POST /api/contacts': () => (brokenResponses-- > 0 ? sendBrokenResponse() : changeResponse('change-2', imara, 201)),
    'GET /api/contacts': sendBrokenResponse,
  })
  const calling = callForChange(contactRoutes.create, { body: newContact })
  await vi.runAllTimersAsync()
  expect((await calling).changeId).toBe('change-2')
  expect(new Set(server.requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  expect((await catchProblem(call(contactRoutes.list, {}))).problem.code).toBe('offline')
})

test('a call of a route that is not journaled, such as the sign-in, is sent once, and the error message explains what to do', async () => {
  const server = mockServer({
    'POST /api/session': () => {
      throw new TypeError('Failed to fetch')
    },
  })
  const { problem } = await catchProblem(call(accountRoutes.signIn, { body: { email: 'ada@example.org', password: 'engine' } }))
  expect(problem.code).toBe('offline')
  expect(problem.detail).toBe('The server cannot be reached. Check your connection and try again.')
  expect(server.requests).toHaveLength(1)
})

test('when the session has ended, a call is repeated after the user has signed in again', async () => {
  const server = mockServer({ 'POST /api/contacts': () => problemResponse('not_signed_in') })
  setSignedOutListener(async () => {
    server.setHandlers({ 'POST /api/contacts': () => changeResponse('change-3', imara, 201) })
    return true
  })
  expect((await callForChange(contactRoutes.create, { body: newContact })).changeId).toBe('change-3')
  expect(new Set(server.requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
})

test('when there is no session, the request that reads the session does not show the sign-in form', async () => {
  mockServer({ 'GET /api/session': () => problemResponse('not_signed_in') })
  const listener = vi.fn<() => Promise<boolean>>().mockResolvedValue(true)
  setSignedOutListener(listener)
  expect((await catchProblem(call(accountRoutes.whoAmI, {}))).problem.code).toBe('not_signed_in')
  expect(listener).not.toHaveBeenCalled()
})

test('an aborted call is not retried', async () => {
  const controller = new AbortController()
  const server = mockServer({
    'POST /api/contacts': () => {
      controller.abort()
      throw controller.signal.reason
    },
  })
  await expect(call(contactRoutes.create, { body: newContact }, { signal: controller.signal })).rejects.toBe(controller.signal.reason)
  expect(server.requests).toHaveLength(1)
})

test('while the browser is offline, a write that fails is not sent again', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const request = vi.fn<() => Promise<Response>>().mockRejectedValue(new TypeError('Failed to fetch'))
  vi.stubGlobal('fetch', request)
  const write = call(contactRoutes.create, { body: { first_name: 'Ada', last_name: 'Lovelace' } })
  await expect(write).rejects.toThrow('The server cannot be reached. Check your connection and try again.')
  expect(request).toHaveBeenCalledTimes(1)
})
