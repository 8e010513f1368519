import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { lockHistory } from '#server/platform/journal/lock.ts'
import { createMail } from '#server/platform/mail/mail.ts'
import type { Person } from '#server/testing/people.ts'
import { commitDuringWait } from '#server/testing/commit-during-wait.ts'
import { startMailServer } from '#server/testing/mail.ts'

let app: TestApp
let clock = new Date('2026-11-21T12:00:00Z')
beforeAll(async () => {
  app = await openTestApp({ now: () => clock })
})
afterAll(() => app.stop())

let last = 0
let address = ''
beforeEach(() => {
  address = `10.0.0.${++last}` // attempts are counted by network address
})
const post = (url: string, payload: Record<string, unknown>, headers = {}) =>
  app.server.inject({ method: 'POST', url, payload, headers, remoteAddress: address })

const ada = { email: 'ada@example.org', password: 'engine no. 1', full_name: 'Ada Lovelace', timezone: 'Europe/London' }
const newPerson = (name: string) => ({ ...ada, email: `${name}@example.org` })

describe('signing up', () => {
  test('creates an account and a profile, and does not sign in', async () => {
    const response = await post('/api/users', { ...newPerson('new'), email: ' New@Example.org ' })
    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toEqual({ id: expect.any(String), email: 'new@example.org' })
    expect(response.headers['set-cookie']).toBeUndefined()
    const signedIn = await post('/api/session', { email: 'NEW@example.org', password: ada.password })
    expect(signedIn.json()).toMatchObject({
      profile: { full_name: 'Ada Lovelace', timezone: 'Europe/London', country: 'GB', currency: 'GBP' },
    })
    expect(signedIn.body).not.toContain('scrypt')
  })

  test('refuses an email in use regardless of letter case', async () => {
    await post('/api/users', newPerson('taken'))
    const response = await post('/api/users', { ...newPerson('taken'), email: 'TAKEN@example.org' })
    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({ code: 'email_taken' })
  })

  test.each([
    ['email', { email: 'nonsense' }],
    ['password', { password: '12345' }],
    ['full_name', { full_name: ' ' }],
  ])('a wrong %s is named', async (field, wrong) => {
    const response = await post('/api/users', { ...newPerson('wrong'), ...wrong })
    expect(response.statusCode).toBe(422)
    expect(response.json().fields).toHaveProperty(field)
  })

  test('stores UTC instead of an unknown time zone', async () => {
    await post('/api/users', { ...newPerson('nowhere'), timezone: 'Mars/Olympus' })
    const response = await post('/api/session', { email: 'nowhere@example.org', password: ada.password })
    expect(response.json()).toMatchObject({ profile: { timezone: 'UTC', country: '', currency: 'USD' } })
  })

  test('can be disabled', async () => {
    const closed = await openTestApp({ isSignUpOpen: false })
    const response = await closed.server.inject({ method: 'POST', url: '/api/users', payload: newPerson('late') })
    expect(response.json()).toMatchObject({ code: 'sign_up_closed' })
    await closed.stop()
  })
})

describe('a session', () => {
  test('begins with a cookie that scripts cannot read, and ends with the sign-out', async () => {
    await post('/api/users', newPerson('cookie'))
    const signedIn = await post('/api/session', { email: 'cookie@example.org', password: ada.password })
    const cookie = String(signedIn.headers['set-cookie'])
    expect(cookie).toMatch(/^foyer=[\w-]{43}; .*HttpOnly; SameSite=Lax/)
    const headers = { cookie: cookie.split(';')[0] ?? '', origin: 'http://foyer.test' }
    const caller = await app.server.inject({ url: '/api/session', headers })
    expect(caller.json()).toMatchObject({ user: { email: 'cookie@example.org' } })
    expect((await app.server.inject({ method: 'DELETE', url: '/api/session', headers })).statusCode).toBe(204)
    expect((await app.server.inject({ url: '/api/session', headers })).statusCode).toBe(401)
  })

  test.each([
    ['a wrong password', { email: 'cookie@example.org', password: 'engine no. 2' }],
    ['an unknown address', { email: 'stranger@example.org', password: 'engine no. 1' }],
  ])('%s gets the same answer', async (_name, credentials) => {
    const response = await post('/api/session', credentials)
    expect(response.statusCode).toBe(401)
    expect(response.json()).toMatchObject({ code: 'wrong_credentials', detail: 'Invalid login credentials' })
  })

  test('ends 30 days after its last use', async () => {
    const person = await signInForReal('lasting')
    clock = new Date(clock.getTime() + 29 * 86_400_000)
    expect((await person({ url: '/api/session' })).statusCode).toBe(200)
    clock = new Date(clock.getTime() + 29 * 86_400_000)
    expect((await person({ url: '/api/session' })).statusCode).toBe(200)
    clock = new Date(clock.getTime() + 31 * 86_400_000)
    expect((await person({ url: '/api/session' })).statusCode).toBe(401)
  })

  test('can be listed and ended from another one', async () => {
    const person = await signInForReal('twice')
    const other = await post('/api/session', { email: 'twice@example.org', password: ada.password }, { 'user-agent': 'Phone' })
    const { rows } = (await person({ url: '/api/sessions' })).json()
    expect(rows).toMatchObject([{ user_agent: 'Phone', current: false }, { current: true }])
    expect(JSON.stringify(rows)).not.toContain(other.json().token)
    expect((await person({ method: 'DELETE', url: `/api/sessions/${rows[0].id}` })).statusCode).toBe(204)
    const ended = await app.server.inject({ url: '/api/session', headers: { authorization: `Bearer ${other.json().token}` } })
    expect(ended.statusCode).toBe(401)
    expect((await person({ method: 'DELETE', url: `/api/sessions/${rows[0].id}` })).statusCode).toBe(404)
  })
})

test('attempts to sign in are counted by network address and by account', async () => {
  const guess = (email: string, remoteAddress: string) =>
    app.server.inject({ method: 'POST', url: '/api/session', payload: { email, password: 'x' }, remoteAddress })
  const responses = []
  for (let tried = 0; tried <= 20; tried++) responses.push(await guess('victim@example.org', `10.1.0.${tried}`))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([...Array.from({ length: 20 }, () => 401), 429])
  expect(responses.at(-1)?.json()).toMatchObject({ code: 'too_many_requests', retry_after_seconds: expect.any(Number) })
  expect(Number(responses.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
  clock = new Date(clock.getTime() + 15 * 60_000)
  expect((await guess('victim@example.org', '10.1.0.1')).statusCode).toBe(401)
})

test.each([
  ['another website', { origin: 'https://evil.example' }, 403],
  ['a cookie without an origin', {}, 403],
  ['our own page', { origin: 'http://foyer.test' }, 204],
])('an unsafe request from %s', async (_name, headers, status) => {
  const name = `origin${status}${Object.keys(headers).length}`
  await post('/api/users', newPerson(name))
  const signedIn = await post('/api/session', { email: `${name}@example.org`, password: ada.password })
  const cookie = `foyer=${signedIn.json().token}`
  const response = await app.server.inject({ method: 'DELETE', url: '/api/session', headers: { cookie, ...headers } })
  expect(response.statusCode).toBe(status)
})

describe('the account page', () => {
  test('changes the profile, with conflicts and undo', async () => {
    const person = await signInForReal('profile')
    const changed = await person({ method: 'PATCH', url: '/api/profile', payload: { full_name: 'Countess', version: 1 } })
    expect(changed.json()).toMatchObject({ full_name: 'Countess', version: 2 })
    const conflict = await person({ method: 'PATCH', url: '/api/profile', payload: { full_name: 'Ada', version: 1 } })
    expect(conflict.json()).toMatchObject({ conflict: { fields: [{ field: 'full_name', yours: 'Ada', theirs: 'Countess' }] } })
    const merged = await person({ method: 'PATCH', url: '/api/profile', payload: { currency: 'EUR', version: 1 } })
    expect(merged.json()).toMatchObject({ full_name: 'Countess', currency: 'EUR' })
    await person({ method: 'POST', url: `/api/changes/${String(changed.headers['foyer-change'])}/undo` })
    expect((await person({ url: '/api/profile' })).json()).toMatchObject({ full_name: 'Ada Lovelace', currency: 'EUR' })
    const wrong = await person({ method: 'PATCH', url: '/api/profile', payload: { timezone: 'Mars/Olympus' } })
    expect(wrong.json().fields).toHaveProperty('timezone')
  })

  test('an edit that is committed while another one is checked for conflicts is not overwritten', async () => {
    const person = await signInForReal('weighed')
    const owner: string = (await person({ url: '/api/session' })).json().user.id
    await person({ method: 'PATCH', url: '/api/profile', payload: { country: 'FR', version: 1 } })
    const edit = await commitDuringWait({
      ...app,
      caller: callerFor(owner),
      first: () => sql(`update profiles set full_name = 'Theirs' where user_id = $1`, [owner]),
      second: () => person({ method: 'PATCH', url: '/api/profile', payload: { full_name: 'Mine', version: 1 } }),
    })
    expect(edit.statusCode, edit.body).toBe(409)
    expect(edit.json()).toMatchObject({ conflict: { version: 3, fields: [{ field: 'full_name', yours: 'Mine', theirs: 'Theirs' }] } })
    expect((await person({ url: '/api/profile' })).json()).toMatchObject({ full_name: 'Theirs', country: 'FR' })
  })

  test('changing the email or the password requires the password; a new password ends the other sessions', async () => {
    const person = await signInForReal('mover')
    const other = await post('/api/session', { email: 'mover@example.org', password: ada.password })
    const refused = await person({ method: 'POST', url: '/api/account/email', payload: { email: 'moved@example.org', password: 'guess' } })
    expect(refused.json()).toMatchObject({ code: 'wrong_password' })
    const moved = await person({
      method: 'POST',
      url: '/api/account/email',
      payload: { email: 'moved@example.org', password: ada.password },
    })
    expect(moved.json()).toMatchObject({ email: 'moved@example.org' })
    const passwords = { current_password: ada.password, new_password: 'engine no. 2' }
    expect((await person({ method: 'POST', url: '/api/account/password', payload: passwords })).statusCode).toBe(204)
    expect((await person({ url: '/api/session' })).statusCode).toBe(200)
    const ended = await app.server.inject({ url: '/api/session', headers: { authorization: `Bearer ${other.json().token}` } })
    expect(ended.statusCode).toBe(401)
    expect((await post('/api/session', { email: 'moved@example.org', password: 'engine no. 2' })).statusCode).toBe(200)
  })

  test('deletes the account with all its data, and no data of other users', async () => {
    const person = await signInForReal('leaver')
    await person({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Grace', last_name: 'Hopper' } })
    const { user } = (await person({ url: '/api/session' })).json()
    expect((await person({ method: 'POST', url: '/api/account/delete', payload: { password: 'guess' } })).statusCode).toBe(403)
    expect((await person({ method: 'POST', url: '/api/account/delete', payload: { password: ada.password } })).statusCode).toBe(204)
    for (const table of ['profiles', 'crm_contacts', 'sessions', 'journal', 'changesets']) {
      const { rows } = await app.owner.query(`select from ${table} where user_id = $1`, [user.id])
      expect(rows, table).toEqual([])
    }
    expect((await person({ url: '/api/session' })).statusCode).toBe(401)
  })

  test('leaves no history, even while a change is being undone', async () => {
    const person = await signInForReal('undoing')
    const added = await person({ method: 'POST', url: '/api/contacts', payload: { first_name: 'Grace', last_name: 'Hopper' } })
    const { user } = (await person({ url: '/api/session' })).json()
    const left = await commitDuringWait({
      ...app,
      caller: callerFor(user.id),
      first: () => Promise.all([lockHistory(), sql('select app.open_undo($1)', [added.headers['foyer-change']])]), // the undo writes its rows later
      second: () => person({ method: 'POST', url: '/api/account/delete', payload: { password: ada.password } }),
    })
    expect(left.statusCode).toBe(204)
    expect((await app.owner.query('select from changesets where user_id = $1', [user.id])).rows).toEqual([])
  })
})

describe('a forgotten password', () => {
  test.each([
    ['email', '/api/account/email', { email: 'moved-on@example.org', password: ada.password }],
    ['password', '/api/account/password', { current_password: ada.password, new_password: 'engine no. 2' }],
  ])('a new %s ends the links that were sent before', async (what, url, payload) => {
    const person = await signInForReal(`linked-${what}`)
    const { user } = (await person({ url: '/api/session' })).json()
    await app.owner.query(`insert into password_resets (user_id, token_hash, expires_at) values ($1, sha256($2), 'infinity')`, [
      user.id,
      what,
    ])
    expect((await person({ method: 'POST', url, payload })).statusCode).toBeLessThan(300)
    expect((await post('/api/password-resets/use', { token: what, password: 'engine no. 3' })).statusCode).toBe(410)
  })

  test('is replaced with a mailed link, once and within an hour', async () => {
    await using server = await startMailServer()
    const mailing = await openTestApp({ now: () => clock, mail: createMail({ smtpUrl: server.url, from: 'Foyer <foyer@example.org>' }) })
    const ask = (url: string, payload: Record<string, unknown>) => mailing.server.inject({ method: 'POST', url, payload })
    await ask('/api/users', newPerson('forgetful'))
    const before = await ask('/api/session', { email: 'forgetful@example.org', password: ada.password })
    expect((await ask('/api/password-resets', { email: 'stranger@example.org' })).statusCode).toBe(204)
    expect((await ask('/api/password-resets', { email: 'Forgetful@example.org' })).statusCode).toBe(204)
    await expect.poll(() => server.received.length, { timeout: 10_000 }).toBe(1)
    const [mail] = server.received
    const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    expect(mail?.to).toEqual(['forgetful@example.org'])

    const stale = await ask('/api/password-resets/use', { token: 'guess', password: 'engine no. 9' })
    expect(stale.json()).toMatchObject({ code: 'link_expired' })
    expect((await ask('/api/password-resets/use', { token, password: 'engine no. 9' })).statusCode).toBe(204)
    expect((await ask('/api/password-resets/use', { token, password: 'engine no. 8' })).statusCode).toBe(410)
    const ended = await mailing.server.inject({ url: '/api/session', headers: { authorization: `Bearer ${before.json().token}` } })
    expect(ended.statusCode).toBe(401)
    expect((await ask('/api/session', { email: 'forgetful@example.org', password: 'engine no. 9' })).statusCode).toBe(200)

    await ask('/api/password-resets', { email: 'forgetful@example.org' })
    await expect.poll(() => server.received.length, { timeout: 10_000 }).toBe(2)
    clock = new Date(clock.getTime() + 61 * 60_000)
    const late = /token=([\w-]+)/.exec(server.received[1]?.text ?? '')?.[1] ?? ''
    expect((await ask('/api/password-resets/use', { token: late, password: 'engine no. 7' })).statusCode).toBe(410)
    await mailing.stop()
  })

  test('gets an error when the server sends no mail', async () => {
    expect((await post('/api/password-resets', { email: 'ada@example.org' })).json()).toMatchObject({ code: 'mail_off' })
  })
})

type Ask = Person['send']

/** Signs up and in through HTTP. Returns the function that sends requests of this user. */
async function signInForReal(name: string): Promise<Ask> {
  await post('/api/users', newPerson(name))
  const response = await post('/api/session', { email: `${name}@example.org`, password: ada.password })
  expect(response.statusCode, response.body).toBe(200)
  const { token }: { token: string } = response.json()
  return (options) => app.server.inject({ ...options, headers: { authorization: `Bearer ${token}` } })
}
