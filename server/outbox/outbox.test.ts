import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createMail } from '#server/platform/mail/mail.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { startMailServer, type MailServer } from '#server/testing/mail.ts'
import { contentPages } from '#server/testing/pages.ts'
import { createApiKey, signInAs, type Person } from '#server/testing/people.ts'
import { addLink, createVisitClock, createVisits, everyDay } from '#server/testing/visits.ts'

const clock = createVisitClock()
let mailServer: MailServer
let app: TestApp
let ada: Person
let visits: ReturnType<typeof createVisits>
beforeAll(async () => {
  mailServer = await startMailServer()
  const mail = createMail({ smtpUrl: mailServer.url, from: 'Foyer <foyer@example.org>' })
  app = await openTestApp({ now: clock.now, pages: contentPages, mail })
})
afterAll(async () => {
  await app.stop()
  await mailServer[Symbol.asyncDispose]()
})
beforeEach(async () => {
  mailServer.received.length = 0
  mailServer.setBehavior('accept')
  clock.set('2026-11-23T08:00:00Z')
  ada = await signInAs(app, 'ada')
  visits = createVisits(app, clock, ada, await addLink(ada, { availability: everyDay('09:00', '17:00') }))
})

const list = async (): Promise<{ id: string; state: string; problem: string; to_address: string }[]> =>
  (await ada.send({ url: '/api/outbox' })).json().rows
const waitForState = (state: string): Promise<unknown> =>
  vi.waitUntil(async () => (await list()).every((mail) => mail.state === state), { timeout: 10_000 })

test('the mails of a booking are sent once, with a calendar file, and answers to the owner go to the visitor', async () => {
  const { visitor } = await visits.book()
  await waitForState('sent')
  expect(mailServer.received.flatMap(({ to }) => to).toSorted()).toEqual([ada.email, visitor.email].toSorted())
  for (const { source } of mailServer.received) {
    expect(source).toMatch(/content-type: text\/calendar; charset=utf-8; method=REQUEST/i)
    expect(source).toMatch(/filename=appointment\.ics/)
  }
  const key = await createApiKey(app, ada, 'read')
  expect((await key.send({ url: '/api/outbox' })).statusCode).toBe(403) // the links of visitors would let it cancel bookings
  const ofOwner = mailServer.received.find(({ to }) => to.includes(ada.email))
  expect(ofOwner?.headers).toContain(`Reply-To: ${visitor.email}`)
  expect(new Set(mailServer.received.map(({ headers }) => headers.find((line) => /^message-id/i.test(line)))).size).toBe(2)
})

test('a mail that the server refuses says why, and its owner sends it again', async () => {
  mailServer.setBehavior({ refuse: 550, refusedPart: 'address', text: 'no such user' })
  await visits.book()
  await waitForState('failed')
  const [mail] = await list()
  expect(mail?.problem).toMatch(/no such user/)
  mailServer.setBehavior('accept')
  const send = () => ada.send({ method: 'POST', url: `/api/outbox/${mail?.id}/send` })
  expect([(await send()).statusCode, (await send()).statusCode]).toEqual([204, 204])
  await vi.waitUntil(async () => (await list()).some(({ id, state }) => id === mail?.id && state === 'sent'))
  expect(mailServer.received).toHaveLength(1)
})

test('a mail whose server is away waits with the reason, and old mails are deleted', async () => {
  mailServer.setBehavior({ refuse: 451, refusedPart: 'message', text: 'later' })
  await visits.book()
  await vi.waitUntil(async () => (await list()).every(({ problem }) => /later/.test(problem)))
  await waitForState('waiting')
  await app.runSchedule('old mails', new Date(Date.now() + 91 * 24 * 60 * 60 * 1000))
  expect(await list()).toEqual([])
})
