// Which requests of visitors to public pages are accepted: the token of the page, the proof of work, and the limits of requests.
import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { solveProof } from '#server/testing/visitors.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { VisitorPage } from './page-token.ts'

let time = Date.now()
const now = (): Date => new Date(time)
let app: TestApp
/** A second process of the same installation. */
let secondApp: TestApp
let ada: Person
let page: VisitorPage
let networkCount = 0
let ip: string
beforeAll(async () => {
  app = await openTestApp({ now })
  secondApp = await openTestApp({ now, connections: app.connections })
})
afterAll(async () => {
  await secondApp.stop()
  await app.stop()
})
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  page = { owner: ada.id, kind: 'page', id: ada.id }
  networkCount++
  ip = `192.0.2.${networkCount}`
})

type SentFields = { proof?: string; without_script?: boolean; subject_line?: string; email?: string; ip?: string; page_token?: string }

/** Opens the page, lets some seconds pass, and returns the token with a proof. */
async function fillPage(seconds = 10, opened = page): Promise<{ page_token: string; proof: string; challenge: Challenge }> {
  const { token, challenge } = app.router.visitors.openPage(opened, ip, 'version 1')
  time += seconds * 1000
  return { page_token: token, proof: await solveProof(challenge), challenge }
}

const check = (sent: SentFields & { page_token: string }, { router } = app, checked = page) =>
  router.visitors.check(checked, { without_script: false, subject_line: '', ip, ...sent })

/** Returns the code of the refusal; undefined if the request is accepted. */
async function codeOf(result: Promise<unknown>): Promise<string | undefined> {
  try {
    await result
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

const use = (visit: { use: () => Promise<void> }, { database } = app) => database.transaction(callerFor(ada.id), 'Visited', visit.use)

test('a visitor who fills in the page and solves the challenge is accepted by another process, and gets the version of the page back', async () => {
  const { challenge: _challenge, ...sent } = await fillPage()
  expect(await check(sent, secondApp)).toMatchObject({ pageVersion: 'version 1', suspicion: undefined })
})

test('a page is used once, also when two processes use it at the same time', async () => {
  const { challenge: _challenge, ...sent } = await fillPage()
  const visits = await Promise.all([check(sent), check(sent, secondApp), check(sent)])
  const codes = await Promise.all(visits.map((visit, index) => codeOf(use(visit, index === 1 ? secondApp : app))))
  expect(codes.filter((code) => code === 'visit_refused')).toHaveLength(2)
  expect(codes).toContain(undefined)
})

test('a write that fails does not count as a use of its page', async () => {
  const { challenge: _challenge, ...sent } = await fillPage()
  const failed = app.database.transaction(callerFor(ada.id), 'Visited', async () => {
    await (await check(sent)).use()
    throw new Error('The write failed')
  })
  await expect(failed).rejects.toThrow('The write failed')
  expect(await codeOf(use(await check(sent)))).toBeUndefined()
})

test('a token that is altered, of another page or old is refused', async () => {
  const { challenge: _challenge, ...sent } = await fillPage()
  const other = { ...page, id: '01930000-0000-7000-8000-000000000001' }
  expect(await codeOf(check(sent, app, other))).toBe('visit_refused')
  expect(await codeOf(check(sent, app, { ...page, kind: 'other' }))).toBe('visit_refused')
  for (const token of ['', 'a.b', `${sent.page_token}x`, sent.page_token.replace(/^./, 'x')])
    expect(await codeOf(check({ ...sent, page_token: token }))).toBe('visit_refused')
  time += 24 * 60 * 60 * 1000
  expect(await codeOf(check(sent))).toBe('page_expired')
})

test('a challenge is accepted until its token expires by the clock of the application, also if the machine has another time', async () => {
  const timeBefore = time
  time -= 3 * 24 * 60 * 60 * 1000
  try {
    const { challenge: _challenge, ...sent } = await fillPage()
    time += 23 * 60 * 60 * 1000
    expect(await codeOf(check(sent))).toBeUndefined()
  } finally {
    time = timeBefore
  }
})

test('a proof that is missing, for another token, altered or spliced is refused', async () => {
  const { page_token, proof, challenge } = await fillPage()
  const other = await fillPage()
  const { parameters } = challenge
  const alter = (changes: object): string => {
    const decoded: { challenge: Challenge } = JSON.parse(Buffer.from(proof, 'base64').toString())
    const altered = { ...decoded.challenge, parameters: { ...decoded.challenge.parameters, ...changes } }
    return Buffer.from(JSON.stringify({ ...decoded, challenge: altered })).toString('base64')
  }
  // as in CVE-2025-68113: bytes are moved from one signed value to the next one
  const spliced = alter({ salt: parameters.salt.slice(0, -2), nonce: parameters.salt.slice(-2) + parameters.nonce })
  const wrongSolution = Buffer.from(JSON.stringify({ challenge, solution: { counter: 1, derivedKey: 'ff' } })).toString('base64')
  const proofs = [
    other.proof,
    alter({ cost: 0 }),
    alter({ keyPrefix: '' }),
    alter({ data: {} }),
    spliced,
    wrongSolution,
    '',
    'x',
    Buffer.from('[]').toString('base64'),
  ]
  for (const each of proofs) expect(await codeOf(check({ page_token, proof: each })), each).toBe('visit_refused')
  expect(await codeOf(check({ page_token }))).toBe('visit_refused')
  expect(await codeOf(check({ page_token, proof }))).toBeUndefined()
})

test.each([
  ['fills in the invisible field', 'trap', 10, { subject_line: 'Cheap pills' }],
  ['sends the page after 2 seconds', 'too_fast', 2, {}],
  ['sends the page without a proof after 7 seconds', 'too_fast', 7, { proof: undefined, without_script: true }],
  ['sends the page without a proof after 9 seconds', undefined, 9, { proof: undefined, without_script: true }],
])('a visitor who %s is accepted with the suspicion %s', async (_name, suspicion, seconds, changes) => {
  const { challenge: _challenge, ...sent } = await fillPage(seconds)
  const { proof, ...rest } = { ...sent, ...changes }
  expect((await check(proof === undefined ? rest : { ...rest, proof })).suspicion).toBe(suspicion)
})

test('without proofs the fourth request of a network in an hour is suspicious, and those of other networks are not', async () => {
  const send = async (from: string) => {
    const { page_token } = await fillPage()
    return (await check({ page_token, without_script: true, ip: from })).suspicion
  }
  const suspicions = []
  for (let host = 1; host <= 4; host++) suspicions.push(await send(`2001:db8:${networkCount}::${host}`)) // one network of 64 bits
  expect(suspicions).toEqual([undefined, undefined, undefined, 'too_many_without_script'])
  expect(await send(`198.51.100.${networkCount}`)).toBeUndefined()
  time += 60 * 60 * 1000
  expect(await send(`2001:db8:${networkCount}::1`)).toBeUndefined()
})

test('requests of a network or an email are counted in all processes together, and other networks and emails are not affected', async () => {
  const { page_token } = await fillPage()
  const send = (sent: SentFields, index: number) =>
    codeOf(check({ page_token, without_script: true, ...sent }, index % 2 === 0 ? app : secondApp))
  const email = `bob-${networkCount}@example.org`
  // an email may send 10 requests in 15 minutes, and a network 60
  const codesOfEmail = await Promise.all(Array.from({ length: 12 }, (_each, index) => send({ email, ip: `203.0.113.${index + 1}` }, index)))
  expect(codesOfEmail.filter((code) => code === 'too_many_requests')).toHaveLength(2)
  expect(await send({ email: 'carol@example.org', ip: '203.0.113.99' }, 0)).toBeUndefined()
  const codesOfNetwork = await Promise.all(
    Array.from({ length: 62 }, (_each, index) => send({ ip: `2001:db8:${networkCount}:1::${index + 1}` }, index)),
  )
  expect(codesOfNetwork.filter((code) => code === 'too_many_requests')).toHaveLength(2)
  expect(await send({ ip: `2001:db8:${networkCount}:2::1` }, 0)).toBeUndefined()
})

test('refused requests without a proof are not counted for their email, and suspicious requests have a counter of their own', async () => {
  const { challenge: _challenge, ...sent } = await fillPage()
  const email = `bob-${networkCount}@example.org`
  for (let index = 0; index < 12; index++) {
    const from = `203.0.113.${index + 1}`
    expect(await codeOf(check({ page_token: sent.page_token, email, ip: from }))).toBe('visit_refused')
    // the counter for suspicious requests of this email has the same limit of 10
    expect(await codeOf(check({ ...sent, subject_line: 'Cheap pills', email, ip: from }))).toBe(
      index < 10 ? undefined : 'too_many_requests',
    )
  }
  expect(await codeOf(check({ ...sent, email }))).toBeUndefined()
})

test('a page takes 600 requests in 15 minutes from all networks together, and other pages are not affected', async () => {
  const counter = { key: ['visitors', 'page', page.kind, page.id], windowSeconds: 15 * 60 }
  await Promise.all(Array.from({ length: 599 }, () => app.router.attempts.add(counter)))
  const send = async (checked: VisitorPage) => {
    const { challenge: _challenge, ...sent } = await fillPage(10, checked)
    return codeOf(check(sent, secondApp, checked))
  }
  expect([await send(page), await send(page), await send({ ...page, kind: 'other' })]).toEqual([undefined, 'too_many_requests', undefined])
})

test('a network can send 200 MiB of files in an hour', async () => {
  const mebibyte = 1024 ** 2
  await Promise.all(Array.from({ length: 20 }, () => app.router.visitors.countBytes(ip, 10 * mebibyte)))
  expect(await codeOf(secondApp.router.visitors.countBytes(ip, 1))).toBe('too_many_requests')
  expect(await codeOf(app.router.visitors.countBytes(`2001:db8:${networkCount}::1`, mebibyte))).toBeUndefined()
  time += 60 * 60 * 1000
  expect(await codeOf(app.router.visitors.countBytes(ip, mebibyte))).toBeUndefined()
})

test('the work is multiplied for a network that opens the page very often', async () => {
  const costs = []
  for (let view = 0; view < 61; view++) costs.push(app.router.visitors.openPage(page, ip).challenge.parameters.cost)
  expect([costs[0], costs[19], costs[20], costs[59], costs[60]]).toEqual([1, 1, 4, 4, 16])
  const { challenge } = app.router.visitors.openPage(page, ip)
  expect(await solveChallenge({ challenge, deriveKey })).toMatchObject({ counter: expect.any(Number) })
  time += 60_000
  expect(app.router.visitors.openPage(page, ip).challenge.parameters.cost).toBe(1)
})
