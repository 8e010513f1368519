// Floods of sign-ins, each of which computes a password hash for about 0.1 s. Known and unknown clients wait for their hashes in
// different queues, and at most 20 sign-ins of one network and 40 sign-ins of all unknown clients wait.
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { setHashCost } from '#server/platform/security/password.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

const password = 'engine no. 1'
let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp({ trustedProxies: 1 })
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})
afterEach(() => setHashCost({ logN: 1, r: 8, p: 1 })) // the low cost of the other tests

/** `from`: the network address of the client. `cookie`: the cookie that makes the browser known. */
type Attempt = { email: string; password?: string; from: string; cookie?: string }

const signIn = ({ email, password: enteredPassword = 'wrong', from, cookie }: Attempt): Promise<LightMyRequestResponse> =>
  app.server.inject({
    method: 'POST',
    url: '/api/session',
    payload: { email, password: enteredPassword },
    headers: { 'x-forwarded-for': from, ...(cookie && { cookie, origin: 'http://foyer.test' }) },
  })

/**
 * Makes password hashes slow, and sends `count` sign-ins of unknown browsers with emails that have no account. `addressOf` returns the
 * network address of each of them.
 */
function flood(count: number, addressOf: (number: number) => string) {
  setHashCost({ logN: 14, r: 8, p: 2 })
  const responses: LightMyRequestResponse[] = []
  const requests = Array.from({ length: count }, async (_, number) => {
    responses.push(await signIn({ email: `nobody-${number}-${ada.id}@example.org`, from: addressOf(number) }))
  })
  return { responses, end: () => Promise.all(requests) }
}
const statusesOf = (responses: LightMyRequestResponse[]): Set<number> => new Set(responses.map(({ statusCode }) => statusCode))

test('sign-ins of unknown browsers from many networks are refused when too many wait; a known browser and a session get their turn', async () => {
  const cookie = [(await signIn({ email: ada.email, password, from: '10.1.0.1' })).headers['set-cookie'] ?? []]
    .flat()
    .find((each) => each.startsWith('foyer-known-'))
    ?.split(';')[0]
  const { responses, end } = flood(100, (number) => `10.2.0.${number}`)
  await expect.poll(() => statusesOf(responses)).toContain(503)
  const refusal = responses.find(({ statusCode }) => statusCode === 503)
  expect(refusal?.json()).toMatchObject({ code: 'overloaded', detail: expect.stringContaining('too much to do'), retry_after_seconds: 5 })
  expect(refusal?.headers['retry-after']).toBe('5')
  const knownSignIn = await signIn({ email: ada.email, password, from: '10.2.0.1', cookie: cookie ?? '' })
  const passwords = { current_password: password, new_password: 'engine no. 2' }
  const passwordChange = await ada.send({ method: 'POST', url: '/api/account/password', payload: passwords })
  expect([knownSignIn.statusCode, passwordChange.statusCode]).toEqual([200, 204])
  expect(responses.length).toBeLessThan(100) // the flood has not ended yet
  await end()
  expect(statusesOf(responses)).toEqual(new Set([401, 503]))
})

test('a flood of sign-ins from one network does not keep others out', async () => {
  const { responses, end } = flood(50, () => '10.3.0.1')
  await expect.poll(() => statusesOf(responses)).toContain(429)
  const otherSignIn = await signIn({ email: ada.email, password, from: '10.3.0.2' })
  expect(otherSignIn.statusCode).toBe(200)
  expect(responses.length).toBeLessThan(50) // the flood has not ended yet
  await end()
  expect(statusesOf(responses)).toEqual(new Set([401, 429]))
  expect(responses.find(({ statusCode }) => statusCode === 429)?.headers['retry-after']).toBe('5')
})
