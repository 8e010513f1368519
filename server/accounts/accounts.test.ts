import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { lockHistory } from '#server/platform/journal/lock.ts'
import { createMail } from '#server/platform/mail/mail.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { commitDuringWait } from '#server/testing/commit-during-wait.ts'
import { startMailServer } from '#server/testing/mail.ts'

let app: TestApp
let clock = new Date('2026-11-21T12:00:00Z')
beforeAll(async () => {
  app = await openTestApp({ now: () => clock })
})
afterAll(() => app.stop())

let testNumber = 0
let networkAddress = ''
beforeEach(() => {
  networkAddress = `10.0.0.${++testNumber}` // the limits of attempts count by network address
})
const post = (url: string, payload: Record<string, unknown>, headers = {}) =>
  app.server.inject({ method: 'POST', url, payload, headers, remoteAddress: networkAddress })

const ada = { email: 'ada@example.org', password: 'engine no. 1', full_name: 'Ada Lovelace', timezone: 'Europe/London' }
const newPerson = (name: string) => ({ ...ada, email: `${name}@example.org` })

test('signing up creates an account and a profile, and does not sign in', async () => {
  const response = await post('/api/users', { ...newPerson('new'), email: ' New@Example.org ' })
  expect(response.statusCode, response.body).toBe(201)
  expect(response.json()).toEqual({ id: expect.any(String), email: 'new@example.org' })
  expect(response.headers['set-cookie']).toBeUndefined()
  const signInResponse = await post('/api/session', { email: 'NEW@example.org', password: ada.password })
  expect(signInResponse.json()).toMatchObject({
    profile: { full_name: 'Ada Lovelace', timezone: 'Europe/London', country: 'GB', currency: 'GBP' },
  })
  expect(signInResponse.body).not.toContain('scrypt')
})

test('signing up refuses an email in use regardless of letter case', async () => {
  await post('/api/users', newPerson('taken'))
  const response = await post('/api/users', { ...newPerson('taken'), email: 'TAKEN@example.org' })
  expect(response.statusCode).toBe(409)
  expect(response.json()).toMatchObject({ code: 'email_taken' })
})

test.each([
  ['email', { email: 'nonsense' }],
  ['password', { password: '12345' }],
  ['full_name', { full_name: ' ' }],
  ['full_name', { full_name: '\u200B' }],
])('signing up returns 422 with a message for an invalid %s', async (field, invalid) => {
  const response = await post('/api/users', { ...newPerson('wrong'), ...invalid })
  expect(response.statusCode).toBe(422)
  expect(response.json().fields).toHaveProperty(field)
})

test('signing up stores UTC instead of an unknown time zone', async () => {
  await post('/api/users', { ...newPerson('nowhere'), timezone: 'Mars/Olympus' })
  const response = await post('/api/session', { email: 'nowhere@example.org', password: ada.password })
  expect(response.json()).toMatchObject({ profile: { timezone: 'UTC', country: '', currency: 'USD' } })
})

test('signing up is refused when the server is closed for new accounts', async () => {
  const closedApp = await openTestApp({ isSignUpOpen: false })
  const response = await closedApp.server.inject({ method: 'POST', url: '/api/users', payload: newPerson('late') })
  expect(response.json()).toMatchObject({ code: 'sign_up_closed' })
  await closedApp.stop()
})

test('a session begins with a cookie that scripts cannot read, and ends with the sign-out', async () => {
  await post('/api/users', newPerson('cookie'))
  const signInResponse = await post('/api/session', { email: 'cookie@example.org', password: ada.password })
  const cookie = String(signInResponse.headers['set-cookie'])
  expect(cookie).toMatch(/^foyer=[\w-]{43}; .*HttpOnly; SameSite=Lax/)
  expect(cookie, 'the browser keeps it for 400 days, while the session is used').toMatch(/; Max-Age=34560000;/)
  const headers = { cookie: cookie.split(';')[0] ?? '', origin: 'http://foyer.test' }
  const response = await app.server.inject({ url: '/api/session', headers })
  expect(response.json()).toMatchObject({ user: { email: 'cookie@example.org' } })
  expect((await app.server.inject({ method: 'DELETE', url: '/api/session', headers })).statusCode).toBe(204)
  expect((await app.server.inject({ url: '/api/session', headers })).statusCode).toBe(401)
})

test.each([
  ['a wrong password', { email: 'cookie@example.org', password: 'engine no. 2' }],
  ['an unknown email', { email: 'stranger@example.org', password: 'engine no. 1' }],
])('signing in is refused for %s with the same error', async (_name, credentials) => {
  const response = await post('/api/session', credentials)
  expect(response.statusCode).toBe(401)
  expect(response.json()).toMatchObject({ code: 'wrong_credentials', detail: 'Invalid login credentials' })
})

test('a session ends 30 days after its last use', async () => {
  let daysLater = 0
  // a separate application, because after so many days a schedule empties the history of the other tests
  const agingApp = await openTestApp({ now: () => new Date(clock.getTime() + daysLater * 86_400_000) })
  const grace = await signInAs(agingApp, 'grace')
  const readStatus = async (): Promise<number> => (await grace.send({ url: '/api/session' })).statusCode
  // `signInAs` uses the clock of the database instead; each request below lets the session end 30 days after the request
  await agingApp.tableOwner.query(`update sessions set last_seen_at = $1, expires_at = $1::timestamptz + interval '30 days'`, [clock])
  daysLater = 29
  expect(await readStatus()).toBe(200)
  daysLater = 58
  expect(await readStatus()).toBe(200)
  daysLater = 89
  expect(await readStatus()).toBe(401)
  await agingApp.stop()
})

test('a session can be listed and ended from another session of the user', async () => {
  const send = await signUpAndIn('twice')
  const otherSession = await post('/api/session', { email: 'twice@example.org', password: ada.password }, { 'user-agent': 'Phone' })
  const { rows } = (await send({ url: '/api/sessions' })).json()
  expect(rows).toMatchObject([{ user_agent: 'Phone', current: false }, { current: true }])
  expect(JSON.stringify(rows)).not.toContain(otherSession.json().token)
  expect((await send({ method: 'DELETE', url: `/api/sessions/${rows[0].id}` })).statusCode).toBe(204)
  const response = await app.server.inject({ url: '/api/session', headers: { authorization: `Bearer ${otherSession.json().token}` } })
  expect(response.statusCode).toBe(401)
  expect((await send({ method: 'DELETE', url: `/api/sessions/${rows[0].id}` })).statusCode).toBe(404)
})

test('a change of the profile reports conflicts and can be undone', async () => {
  const send = await signUpAndIn('profile')
  const editResponse = await send({ method: 'PATCH', url: '/api/profile', payload: { full_name: 'Countess', version: 1 } })
  expect(editResponse.json()).toMatchObject({ full_name: 'Countess', version: 2 })
  const conflict = await send({ method: 'PATCH', url: '/api/profile', payload: { full_name: 'Ada', version: 1 } })
  expect(conflict.json()).toMatchObject({ conflict: { fields: [{ field: 'full_name', yours: 'Ada', theirs: 'Countess' }] } })
  const mergedEdit = await send({ method: 'PATCH', url: '/api/profile', payload: { currency: 'EUR', version: 1 } })
  expect(mergedEdit.json()).toMatchObject({ full_name: 'Countess', currency: 'EUR' })
  await send({ method: 'POST', url: `/api/changes/${String(editResponse.headers['foyer-change'])}/undo` })
  expect((await send({ url: '/api/profile' })).json()).toMatchObject({ full_name: 'Ada Lovelace', currency: 'EUR' })
  const refusal = await send({ method: 'PATCH', url: '/api/profile', payload: { timezone: 'Mars/Olympus' } })
  expect(refusal.json().fields).toHaveProperty('timezone')
})

test('the account page stores that the first steps are hidden, and shows them again after an undo', async () => {
  const send = await signUpAndIn('beginner')
  const readProfile = async () => (await send({ url: '/api/session' })).json().profile
  expect(await readProfile()).toMatchObject({ first_steps_hidden: false, region_confirmed: false })
  const hideResponse = await send({ method: 'PATCH', url: '/api/profile', payload: { first_steps_hidden: true } })
  expect(hideResponse.json()).toMatchObject({ first_steps_hidden: true, region_confirmed: false })
  const [change] = (await send({ url: '/api/changes/recent' })).json().rows
  expect(change.label).toBe('Hid first steps')
  const otherSession = await post('/api/session', { email: 'beginner@example.org', password: ada.password })
  expect(otherSession.json().profile).toMatchObject({ first_steps_hidden: true })
  await send({ method: 'POST', url: `/api/changes/${change.change}/undo` })
  expect(await readProfile()).toMatchObject({ first_steps_hidden: false })
  const refusal = await send({ method: 'PATCH', url: '/api/profile', payload: { first_steps_hidden: 'yes' } })
  expect(refusal.json().fields).toHaveProperty('first_steps_hidden')
})

test('the account page does not overwrite an edit that is committed while conflicts are checked', async () => {
  const send = await signUpAndIn('checked')
  const owner: string = (await send({ url: '/api/session' })).json().user.id
  await send({ method: 'PATCH', url: '/api/profile', payload: { country: 'FR', version: 1 } })
  const edit = await commitDuringWait({
    ...app,
    caller: callerFor(owner),
    first: () => sql(`update profiles set full_name = 'Theirs' where user_id = $1`, [owner]),
    second: () => send({ method: 'PATCH', url: '/api/profile', payload: { full_name: 'Mine', version: 1 } }),
  })
  expect(edit.statusCode, edit.body).toBe(409)
  // the versions: 1 at first, 2 after the change of the country, 3 after the other edit
  expect(edit.json()).toMatchObject({ conflict: { version: 3, fields: [{ field: 'full_name', yours: 'Mine', theirs: 'Theirs' }] } })
  expect((await send({ url: '/api/profile' })).json()).toMatchObject({ full_name: 'Theirs', country: 'FR' })
})

test('the account page changes the email or the password only with the current password, and ends the other sessions', async () => {
  const send = await signUpAndIn('mover')
  const otherSession = await post('/api/session', { email: 'mover@example.org', password: ada.password })
  const refusal = await send({ method: 'POST', url: '/api/account/email', payload: { email: 'moved@example.org', password: 'guess' } })
  expect(refusal.json()).toMatchObject({ code: 'wrong_password' })
  const emailChange = await send({
    method: 'POST',
    url: '/api/account/email',
    payload: { email: 'moved@example.org', password: ada.password },
  })
  expect(emailChange.json()).toMatchObject({ email: 'moved@example.org' })
  const useOtherSession = (token: string) => app.server.inject({ url: '/api/session', headers: { authorization: `Bearer ${token}` } })
  expect((await useOtherSession(otherSession.json().token)).statusCode).toBe(401)
  const thirdSession = await post('/api/session', { email: 'moved@example.org', password: ada.password })
  const passwords = { current_password: ada.password, new_password: 'engine no. 2' }
  expect((await send({ method: 'POST', url: '/api/account/password', payload: passwords })).statusCode).toBe(204)
  expect((await send({ url: '/api/session' })).statusCode).toBe(200)
  expect((await useOtherSession(thirdSession.json().token)).statusCode).toBe(401)
  expect((await post('/api/session', { email: 'moved@example.org', password: 'engine no. 2' })).statusCode).toBe(200)
})

test('the account page deletes the account with all its data, and no data of other users', async () => {
  const send = await signUpAndIn('leaver')
  await send({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Grace', last_name: 'Hopper' } })
  const { user } = (await send({ url: '/api/session' })).json()
  expect((await send({ method: 'POST', url: '/api/account/delete', payload: { password: 'guess' } })).statusCode).toBe(403)
  expect((await send({ method: 'POST', url: '/api/account/delete', payload: { password: ada.password } })).statusCode).toBe(204)
  for (const table of ['profiles', 'crm_contacts', 'sessions', 'journal', 'changesets']) {
    const { rows } = await app.tableOwner.query(`select from ${table} where user_id = $1`, [user.id])
    expect(rows, table).toEqual([])
  }
  expect((await send({ url: '/api/session' })).statusCode).toBe(401)
})

test('the account page deletes the history with the account, even while a change is being undone', async () => {
  const send = await signUpAndIn('undoing')
  const addition = await send({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Grace', last_name: 'Hopper' } })
  const { user } = (await send({ url: '/api/session' })).json()
  const response = await commitDuringWait({
    ...app,
    caller: callerFor(user.id),
    // an undo that has begun and has not written its rows yet
    first: () => Promise.all([lockHistory(), sql('select app.open_undo($1)', [addition.headers['foyer-change']])]),
    second: () => send({ method: 'POST', url: '/api/account/delete', payload: { password: ada.password } }),
  })
  expect(response.statusCode).toBe(204)
  expect((await app.tableOwner.query('select from changesets where user_id = $1', [user.id])).rows).toEqual([])
})

test.each([
  ['email', '/api/account/email', { email: 'moved-on@example.org', password: ada.password }],
  ['password', '/api/account/password', { current_password: ada.password, new_password: 'engine no. 2' }],
])('a forgotten password cannot be replaced with a link that was sent before a new %s was set', async (field, url, payload) => {
  const send = await signUpAndIn(`linked-${field}`)
  const { user } = (await send({ url: '/api/session' })).json()
  // a reset link whose token is the text "email" or "password"
  await app.tableOwner.query(`insert into password_resets (user_id, token_hash, expires_at) values ($1, sha256($2), 'infinity')`, [
    user.id,
    field,
  ])
  expect((await send({ method: 'POST', url, payload })).statusCode).toBeLessThan(300)
  expect((await post('/api/password-resets/use', { token: field, password: 'engine no. 3' })).statusCode).toBe(410)
})

test('a forgotten password can be replaced with a mailed link, which works once and for an hour, even if another link was requested later', async () => {
  await using server = await startMailServer()
  const mailingApp = await openTestApp({ now: () => clock, mail: createMail({ smtpUrl: server.url, from: 'Foyer <foyer@example.org>' }) })
  const postTo = (url: string, payload: Record<string, unknown>) => mailingApp.server.inject({ method: 'POST', url, payload })
  await postTo('/api/users', newPerson('forgetful'))
  const oldSession = await postTo('/api/session', { email: 'forgetful@example.org', password: ada.password })
  expect((await postTo('/api/password-resets', { email: 'stranger@example.org' })).statusCode).toBe(204)
  expect((await postTo('/api/password-resets', { email: 'Forgetful@example.org' })).statusCode).toBe(204)
  await expect.poll(() => server.received.length).toBe(1)
  const [mail] = server.received
  const token = tokenIn(mail?.text)
  expect(mail?.to).toEqual(['forgetful@example.org'])
  await postTo('/api/password-resets', { email: 'forgetful@example.org' }) // by a stranger, for example
  await expect.poll(() => server.received.length).toBe(2)
  const laterToken = tokenIn(server.received[1]?.text)

  const refusal = await postTo('/api/password-resets/use', { token: 'guess', password: 'engine no. 9' })
  expect(refusal.json()).toMatchObject({ code: 'link_expired' })
  expect((await postTo('/api/password-resets/use', { token, password: 'engine no. 9' })).statusCode).toBe(204)
  expect((await postTo('/api/password-resets/use', { token, password: 'engine no. 8' })).statusCode).toBe(410)
  // the new password has invalidated all other links
  expect((await postTo('/api/password-resets/use', { token: laterToken, password: 'engine no. 8' })).statusCode).toBe(410)
  const response = await mailingApp.server.inject({
    url: '/api/session',
    headers: { authorization: `Bearer ${oldSession.json().token}` },
  })
  expect(response.statusCode).toBe(401)
  expect((await postTo('/api/session', { email: 'forgetful@example.org', password: 'engine no. 9' })).statusCode).toBe(200)

  await postTo('/api/password-resets', { email: 'forgetful@example.org' })
  await expect.poll(() => server.received.length).toBe(3)
  clock = new Date(clock.getTime() + 61 * 60_000)
  const expiredToken = tokenIn(server.received[2]?.text)
  expect((await postTo('/api/password-resets/use', { token: expiredToken, password: 'engine no. 7' })).statusCode).toBe(410)
  await mailingApp.stop()
})

test('a forgotten password cannot be replaced by mail when the server sends no mail', async () => {
  expect((await post('/api/password-resets', { email: 'ada@example.org' })).json()).toMatchObject({ code: 'mail_off' })
})

/** Returns the token of the link in a mail. */
const tokenIn = (text = ''): string => /token=([\w-]+)/.exec(text)?.[1] ?? ''

/** Signs up and signs in through HTTP. Returns a function that sends requests of this user. */
async function signUpAndIn(name: string): Promise<Person['send']> {
  await post('/api/users', newPerson(name))
  const response = await post('/api/session', { email: `${name}@example.org`, password: ada.password })
  expect(response.statusCode, response.body).toBe(200)
  const { token }: { token: string } = response.json()
  return (options) => app.server.inject({ ...options, headers: { authorization: `Bearer ${token}` } })
}
