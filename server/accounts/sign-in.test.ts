// Attempts to sign in with wrong passwords, and how they are reported to the owner of the account. The limits: a network may send 10 wrong
// passwords for one account and 60 for all accounts in 15 minutes, and a known browser may send 10. After 20 wrong passwords in unknown
// browsers an account is under attack: each network then has only 2 attempts for this account in an hour.
import { createHash } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import type { Message } from '#server/platform/mail/message.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

const password = 'engine no. 1'
const start = new Date()
let clock = start
/** The mails to the user of the current test. Mails to other users are ignored, because some arrive only after their own test has ended. */
let mails: Message[] = []
let app: TestApp
let ada: Person
beforeAll(async () => {
  const mail = { isConfigured: true, send: async (message: Message) => void (message.to === ada.email && mails.push(message)) }
  app = await openTestApp({ now: () => clock, mail, trustedProxies: 1 })
})
afterAll(() => app.stop())
let testNumber = 0
beforeEach(async () => {
  testNumber += 1
  clock = start
  ada = await signInAs(app, 'ada')
  mails = []
})

/** Returns a different IPv4 address for each number and each test. Each address counts as a network. */
const network = (number: number): string => `10.${testNumber}.${number >> 8}.${number & 255}`

/** `from`: the network address of the client. `cookie`: the cookie that makes the browser known. */
type Attempt = { email?: string; password?: string; from?: string; cookie?: string }

const signIn = ({ email = ada.email, password: enteredPassword = 'wrong', from = network(0), cookie }: Attempt) =>
  app.server.inject({
    method: 'POST',
    url: '/api/session',
    payload: { email, password: enteredPassword },
    headers: { 'x-forwarded-for': from, ...(cookie && { cookie, origin: 'http://foyer.test' }) },
  })

const signInOften = async (count: number, attempt: (number: number) => Attempt): Promise<number[]> => {
  const statuses = []
  for (let number = 1; number <= count; number++) statuses.push((await signIn(attempt(number))).statusCode)
  return statuses
}

/** Signs in and returns the cookie that makes the browser known. */
async function becomeKnown(person = ada, from = network(1)): Promise<string> {
  const response = await signIn({ email: person.email, password, from })
  expect(response.statusCode, response.body).toBe(200)
  return cookieOf(response)
}

const cookieOf = (response: LightMyRequestResponse): string => {
  const cookies = [response.headers['set-cookie'] ?? []].flat()
  return cookies.find((each) => each.startsWith('foyer-known-'))?.split(';')[0] ?? ''
}

/** Returns the key of a counter in the table `attempts`. */
const hashKey = (...key: string[]): Buffer => createHash('sha256').update(key.join('\n')).digest()

const minutesLater = (minutes: number): Date => new Date(clock.getTime() + minutes * 60_000)

test('after ten wrong passwords a network must wait for 15 minutes, and other networks need not', async () => {
  expect(await signInOften(11, () => ({}))).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  const refusal = await signIn({ password })
  expect(refusal.json()).toMatchObject({ code: 'too_many_requests', retry_after_seconds: expect.any(Number) })
  expect((await signIn({ password, from: network(1) })).statusCode).toBe(200)
  clock = minutesLater(15)
  expect((await signIn({ password })).statusCode).toBe(200)
})

test('attempts at the same time do not exceed the limit', async () => {
  const responses = await Promise.all(Array.from({ length: 30 }, () => signIn({})))
  expect(responses.filter(({ statusCode }) => statusCode === 401)).toHaveLength(10)
})

test('refused attempts for one account do not use up the limit of their network for all accounts', async () => {
  const grace = await signInAs(app, 'grace')
  expect((await signInOften(70, () => ({}))).lastIndexOf(401)).toBe(9)
  expect((await signIn({ email: grace.email, password })).statusCode).toBe(200)
})

test('refused attempts during an attack do not prolong it', async () => {
  await signInOften(20, (number) => ({ from: network(10 + number) }))
  expect(await signInOften(10, () => ({ from: network(2) }))).toEqual([401, 401, ...Array.from({ length: 8 }, () => 429)])
  const { rows } = await app.tableOwner.query('select count from attempts where key = $1', [hashKey('attack', ada.email)])
  expect(rows).toEqual([{ count: 22 }]) // the 20 wrong passwords of other networks, and 2 of this network
})

test('some of very many simultaneous right passwords get 429, but afterwards the network and the session are not locked', async () => {
  const grace = await signInAs(app, 'grace')
  const emails = Array.from({ length: 80 }, (_, number) => (number % 2 ? ada : grace).email)
  const signIns = await Promise.all(emails.map((email) => signIn({ email, password })))
  expect(signIns.map(({ statusCode }) => statusCode)).toContain(429)
  for (const { email } of [ada, grace]) expect((await signIn({ email, password })).statusCode).toBe(200)
  const exportAll = () => grace.send({ method: 'POST', url: '/api/takeout', payload: { password } })
  const exports = await Promise.all(Array.from({ length: 80 }, exportAll))
  expect(exports.map(({ statusCode }) => statusCode)).toContain(429)
  expect((await exportAll()).statusCode).toBe(200)
})

test('an error during the verification of a password does not count as a wrong password', async () => {
  const { rows } = await app.tableOwner.query<{ password_hash: string }>('select password_hash from users where id = $1', [ada.id])
  const setHash = (hash = '') => app.tableOwner.query('update users set password_hash = $2 where id = $1', [ada.id, hash])
  const exportAll = async () => (await ada.send({ method: 'POST', url: '/api/takeout', payload: { password } })).statusCode
  await setHash('scrypt$40$8$1$AAAA$AAAA') // needs more memory than there is, so scrypt fails
  expect(new Set(await signInOften(11, () => ({ password })))).toEqual(new Set([500]))
  for (let number = 1; number <= 11; number++) expect(await exportAll()).toBe(500)
  await setHash(rows[0]?.password_hash)
  expect((await signIn({ password })).statusCode).toBe(200)
  expect(await exportAll()).toBe(200)
})

test('an unknown email has the same limits as an account', async () => {
  const stranger = { email: `nobody${testNumber}@example.org` }
  expect((await signIn(stranger)).statusCode).toBe(401)
  await app.tableOwner.query('update attempts set count = 10 where count = 1') // ten attempts would take some seconds
  expect((await signIn(stranger)).statusCode).toBe(429)
})

test('right passwords do not count, so that many people can sign in from one network', async () => {
  expect(new Set(await signInOften(40, () => ({ password })))).toEqual(new Set([200]))
})

test('a network that tries the passwords of many accounts must wait, and known browsers in it need not', async () => {
  const cookie = await becomeKnown(ada, network(0))
  const otherPeople = await Promise.all(Array.from({ length: 7 }, () => signInAs(app, 'grace')))
  const statuses = await signInOften(61, (number) => ({ email: otherPeople[number % otherPeople.length]?.email ?? '' }))
  expect([statuses.indexOf(429), statuses.length]).toEqual([60, 61])
  expect((await signIn({ password })).statusCode).toBe(429)
  expect((await signIn({ password, cookie })).statusCode).toBe(200)
})

test('an attack from many networks does not lock out a known browser, and allows a new network two attempts until it is over', async () => {
  const cookie = await becomeKnown()
  expect(new Set(await signInOften(40, (number) => ({ from: network(10 + number) })))).toEqual(new Set([401]))
  expect((await signIn({ password, cookie })).statusCode).toBe(200)
  expect(await signInOften(3, () => ({ from: network(2) }))).toEqual([401, 401, 429])
  clock = minutesLater(16)
  expect((await signIn({ from: network(3) })).statusCode, 'the attack is over').toBe(401)
  // network 2 has used its two attempts of this hour, but attempts of a network are limited only during an attack
  expect((await signIn({ password, from: network(2) })).statusCode).toBe(200)
})

test('the right password in a new network succeeds during an attack', async () => {
  await signInOften(25, (number) => ({ from: network(10 + number) }))
  expect((await signIn({ password, from: network(2) })).statusCode).toBe(200)
})

test('the cookie of a known browser is useless for another account, when it is altered, and for more than ten wrong passwords', async () => {
  const cookie = await becomeKnown()
  const grace = await signInAs(app, 'grace')
  const [name = '', token = ''] = cookie.split('=')
  const nameOfGrace = (await becomeKnown(grace)).split('=')[0]
  await signInOften(11, () => ({ email: grace.email }))
  await signInOften(11, () => ({}))
  const forgedCookies = [`${nameOfGrace}=${token}`, `${name}=${token.slice(0, -3)}`, `${name}=${token}x`, `${name}=`]
  for (const each of forgedCookies) {
    expect((await signIn({ password, cookie: each })).statusCode, each).toBe(429)
    expect((await signIn({ email: grace.email, password, cookie: each })).statusCode, each).toBe(429)
  }
  expect(await signInOften(11, () => ({ cookie }))).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  clock = minutesLater(16)
  expect((await signIn({ password, cookie })).statusCode).toBe(200)
})

test('a new password makes stolen cookies invalid, and the browser in which it was chosen stays known', async () => {
  const stolenCookie = await becomeKnown()
  await signInOften(11, () => ({}))
  const payload = { current_password: password, new_password: 'engine no. 2' }
  const change = await ada.send({ method: 'POST', url: '/api/account/password', payload })
  expect(change.statusCode).toBe(204)
  expect((await signIn({ password: 'engine no. 2', cookie: stolenCookie })).statusCode).toBe(429)
  expect((await signIn({ password: 'engine no. 2', cookie: cookieOf(change) })).statusCode).toBe(200)
})

test('a new password is confirmed, and the browser stays known, when the database fails after the commit', async () => {
  // at the commit a trigger takes away the right to read users, so that every later read of the request would fail
  await app.tableOwner.query(
    `create function hide_users() returns trigger language plpgsql security definer as $$
     begin revoke select on users from foyer_app; return null; end $$;
     create constraint trigger hide_users after update of password_hash on users deferrable initially deferred for each row execute function hide_users()`,
  )
  const change = await ada.send({
    method: 'POST',
    url: '/api/account/password',
    payload: { current_password: password, new_password: 'engine no. 2' },
  })
  await app.tableOwner.query('drop function hide_users cascade; grant select on users to foyer_app')
  expect(change.statusCode, change.body).toBe(204)
  await signInOften(11, () => ({}))
  expect((await signIn({ password: 'engine no. 2', cookie: cookieOf(change) })).statusCode).toBe(200)
})

test('the cookie of a known browser is sent to the sign-in only, and scripts cannot read it', async () => {
  const response = await signIn({ password })
  const cookies = [response.headers['set-cookie'] ?? []].flat()
  expect(cookies.find((each) => each.startsWith('foyer-known-'))).toMatch(/Max-Age=31536000; Path=\/api\/session; HttpOnly; SameSite=Lax$/)
})

test('IPv6 networks with the same first 48 bits share a limit', async () => {
  const from = (number: number): Attempt => ({ from: `2001:db8:${testNumber}:${number.toString(16)}::1` })
  expect(await signInOften(20, from)).not.toContain(429)
  const statuses = await signInOften(40, (number) => from(100 + number))
  // during an attack the addresses with the same first 64 bits have 2 attempts, and those with the same first 48 bits have 8
  expect(statuses.filter((status) => status === 401)).toHaveLength(8)
  expect((await signIn({ password, from: `2001:db8:${testNumber}1:1::1` })).statusCode).toBe(200)
})

test('wrong passwords in all sessions of an account count together', async () => {
  const otherSession: Person = { ...ada, token: (await signIn({ password })).json().token }
  const passwordRequests = [
    ['/api/account/email', { email: 'moved@example.org', password: 'wrong' }],
    ['/api/account/password', { current_password: 'wrong', new_password: 'engine no. 2' }],
    ['/api/account/delete', { password: 'wrong' }],
    ['/api/takeout', { password: 'wrong' }],
  ] as const
  const sendWrongPassword = (person: Person, number: number) => {
    const [url, payload] = passwordRequests[number % passwordRequests.length] ?? passwordRequests[0]
    const headers = { authorization: `Bearer ${person.token}`, 'x-forwarded-for': network(number) }
    return app.server.inject({ method: 'POST', url, payload, headers })
  }
  const statuses: number[] = []
  for (let number = 0; number < 14; number++) statuses.push((await sendWrongPassword(number % 2 ? otherSession : ada, number)).statusCode)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), ...Array.from({ length: 4 }, () => 429)])
  clock = minutesLater(15)
  expect((await ada.send({ method: 'POST', url: '/api/takeout', payload: { password } })).statusCode).toBe(200)
})

test('the next sign-in reports wrong passwords in unknown browsers to the owner, but not typing errors in a known browser', async () => {
  const cookie = await becomeKnown()
  await signInOften(4, () => ({ cookie }))
  clock = minutesLater(20)
  expect((await signIn({ password, cookie })).json()).not.toHaveProperty('failed_sign_ins')
  clock = minutesLater(20)
  const firstFailure = clock.toISOString()
  await signInOften(7, () => ({}))
  clock = minutesLater(60)
  expect((await signIn({ password, cookie })).json()).toMatchObject({ failed_sign_ins: { count: 7, since: firstFailure } })
  expect((await signIn({ password, cookie })).json()).not.toHaveProperty('failed_sign_ins')
})

test('a sign-in that is refused although its password is right leaves the report of wrong passwords to the next sign-in', async () => {
  await signInOften(5, () => ({}))
  // an account has at most 60 sign-ins in 15 minutes
  await app.tableOwner.query(`insert into attempts (key, count, resets_at) values ($1, 60, $2)`, [
    hashKey('sign-ins', ada.id),
    minutesLater(15),
  ])
  expect((await signIn({ password })).statusCode).toBe(429)
  clock = minutesLater(16)
  expect((await signIn({ password })).json()).toMatchObject({ failed_sign_ins: { count: 5 } })
})

test('a network in regular use stays known for longer than 90 days', async () => {
  await signIn({ password, from: network(5) })
  for (let days = 0; days < 180; days += 60) {
    clock = minutesLater(60 * 24 * 60)
    await signIn({ password, from: network(5) })
  }
  clock = minutesLater(91 * 24 * 60) // after more than 90 days without a sign-in the network is unknown again
  await signIn({ password, from: network(5) })
  await expect.poll(() => mails.length).toBe(2)
  await signIn({ password, from: network(6) })
  await expect.poll(() => mails.length).toBe(3)
  const networks = mails.map(({ text }) => [network(5), network(6)].find((each) => text.includes(each)))
  expect(networks).toEqual([network(5), network(5), network(6)])
})

test('an attack sends one mail to the owner, and a sign-in sends one only if its browser and its network are new', async () => {
  const cookie = await becomeKnown()
  await expect.poll(() => mails.map(({ subject }) => subject)).toEqual(['New sign-in to your Foyer account'])
  await signInOften(30, (number) => ({ from: network(10 + number) }))
  await expect.poll(() => mails.at(-1)?.subject).toBe('Somebody tries to sign in to your Foyer account')
  await signIn({ password, cookie, from: network(100) }) // a known browser
  await signIn({ password, from: network(100) }) // a known network
  await signIn({ password, from: network(101) })
  await expect.poll(() => mails.length).toBe(3)
  expect(mails.at(-1)).toMatchObject({
    to: ada.email,
    subject: 'New sign-in to your Foyer account',
    text: expect.stringContaining(network(101)),
  })
})

test('the old email gets a mail when the email of the account is changed', async () => {
  const payload = { email: `new-${ada.email}`, password }
  expect((await ada.send({ method: 'POST', url: '/api/account/email', payload })).statusCode).toBe(200)
  await expect.poll(() => mails).toMatchObject([{ to: ada.email, subject: 'The email of your Foyer account was changed' }])
})
