import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { commitDuringWait } from '#server/testing/commit-during-wait.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

const password = 'engine no. 1'
let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp({ mail: { isConfigured: true, send: async () => {} } })
})
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})
afterAll(() => app.stop())

/** Replaces the password in a transaction that commits only after the request has verified the old password. */
const replacePasswordDuring = (url: string, payload: Record<string, string>) =>
  commitDuringWait({
    ...app,
    caller: callerFor(ada.id),
    first: () => sql(`update users set password_hash = 'new' where id = $1`, [ada.id]),
    second: () => ada.send({ method: 'POST', url, payload }),
  })

test('a sign-in with a password that is replaced while it is verified begins no session', async () => {
  const response = await replacePasswordDuring('/api/session', { email: ada.email, password })
  expect([response.statusCode, response.json().code]).toEqual([401, 'wrong_credentials'])
  expect(response.headers['set-cookie']).toBeUndefined()
  expect((await ada.send({ url: '/api/sessions' })).json().rows).toHaveLength(1) // the session from `signInAs`
})

test.each([
  ['email', '/api/account/email', { email: 'renamed@example.org', password }],
  ['password', '/api/account/password', { current_password: password, new_password: 'engine no. 2' }],
  ['account', '/api/account/delete', { password }],
])('the %s is not changed with a password that is replaced while it is verified', async (_name, url, payload) => {
  const response = await replacePasswordDuring(url, payload)
  expect([response.statusCode, response.json().code]).toEqual([403, 'wrong_password'])
  const { rows } = await app.tableOwner.query('select email, password_hash from users where id = $1', [ada.id])
  expect(rows).toEqual([{ email: ada.email, password_hash: 'new' }])
})

test('a reset link that is requested while the email is changed is not sent to the old email', async () => {
  const response = await commitDuringWait({
    ...app,
    caller: callerFor(ada.id),
    first: () => sql(`update users set email = 'renamed-meanwhile@example.org' where id = $1`, [ada.id]),
    second: () => app.server.inject({ method: 'POST', url: '/api/password-resets', payload: { email: ada.email } }),
  })
  expect(response.statusCode).toBe(204) // the same as for an unknown email
  const { rows } = await app.tableOwner.query('select from password_resets where user_id = $1', [ada.id])
  expect(rows).toEqual([])
})
