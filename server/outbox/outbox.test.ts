import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { OutboxMail } from '#contract/outbox.ts'
import { createMail } from '#server/platform/mail/mail.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { startMailServer, type MailServer } from '#server/testing/mail.ts'
import { contentPages } from '#server/testing/pages.ts'
import { createApiKey, signInAs, type Person } from '#server/testing/people.ts'
import { addLink, createVisitClock, createVisits, everyDay } from '#server/testing/visits.ts'
import { waitUntil } from '#server/testing/wait.ts'

const clock = createVisitClock()
let mailServer: MailServer
let beforeSend: () => Promise<void> = async () => {}
let app: TestApp
let ada: Person
let visits: ReturnType<typeof createVisits>
beforeAll(async () => {
  mailServer = await startMailServer()
  const mail = createMail({ smtpUrl: mailServer.url, from: 'Foyer <foyer@example.org>' })
  app = await openTestApp({
    now: clock.now,
    pages: contentPages,
    mail: { ...mail, send: async (message) => (await beforeSend(), mail.send(message)) },
  })
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

const list = async (query = ''): Promise<OutboxMail[]> => (await ada.send({ url: `/api/outbox${query}` })).json().rows
const waitForState = (state: string): Promise<unknown> =>
  vi.waitUntil(async () => (await list()).every((mail) => mail.state === state), { timeout: 20_000 })

test('the mails of a booking are sent once, with a calendar file, and a reply of the owner goes to the visitor', async () => {
  const { visitor } = await visits.book()
  await waitForState('sent')
  expect(mailServer.received.flatMap(({ to }) => to).toSorted()).toEqual([ada.email, visitor.email].toSorted())
  for (const { source } of mailServer.received) {
    expect(source).toMatch(/content-type: text\/calendar; charset=utf-8; method=REQUEST/i)
    expect(source).toMatch(/filename=appointment\.ics/)
  }
  const key = await createApiKey(app, ada, 'read')
  expect((await key.send({ url: '/api/outbox' })).statusCode).toBe(403) // the key could cancel bookings with the links in the mails
  const ownerMail = mailServer.received.find(({ to }) => to.includes(ada.email))
  expect(ownerMail?.headers).toContain(`Reply-To: ${visitor.email}`)
  expect(new Set(mailServer.received.map(({ headers }) => headers.find((line) => /^message-id/i.test(line)))).size).toBe(2)
})

test('a mail that the mail server refuses has the reason, and its owner can send it again', async () => {
  mailServer.setBehavior({ refuse: 550, refusedPart: 'address', text: 'no such user' })
  await visits.book()
  await waitForState('failed')
  const [mail] = await list()
  expect(mail?.problem).toMatch(/no such user/)
  mailServer.setBehavior('accept')
  const send = () => ada.send({ method: 'POST', url: `/api/outbox/${mail?.id}/send` })
  expect([(await send()).statusCode, (await send()).statusCode]).toEqual([204, 204])
  await waitUntil(async () => (await list()).some(({ id, state }) => id === mail?.id && state === 'sent'))
  expect(mailServer.received).toHaveLength(1)
})

test('a waiting mail has the time of its next attempt, can be sent at once or given up, and fails after two days', async () => {
  mailServer.setBehavior({ refuse: 451, refusedPart: 'message', text: 'later' })
  const { visitor } = await visits.book()
  await waitUntil(async () => (await list()).every(({ next_attempt_at: at }) => at !== null))
  const bookings = (await ada.send({ url: '/api/bookings' })).json().rows
  expect(await list()).toMatchObject([1, 2].map(() => ({ about: { kind: 'booking', id: bookings[0].id, parent_id: null } })))
  expect(await list(`?about=${bookings[0].id}&state=waiting`)).toHaveLength(2)
  expect(await list(`?about=${ada.id}`)).toEqual([])
  const [visitorMail, ownerMail] = (await list()).toSorted((one) => (one.to_address === visitor.email ? -1 : 1))
  const post = (id = '', action = '') => ada.send({ method: 'POST', url: `/api/outbox/${id}/${action}` })
  expect([(await post(ownerMail?.id, 'give-up')).statusCode, (await post(ownerMail?.id, 'give-up')).statusCode]).toEqual([204, 204])
  expect(await list('?state=given_up')).toMatchObject([{ id: ownerMail?.id }])
  mailServer.setBehavior('accept')
  await post(visitorMail?.id, 'send')
  await waitUntil(async () => (await list('?state=sent')).length === 1)
  expect(mailServer.received.map(({ to }) => to)).toEqual([[visitor.email]])
  await post(visitorMail?.id, 'give-up')
  expect(await list('?state=sent')).toHaveLength(1)
  mailServer.setBehavior({ refuse: 451, refusedPart: 'message', text: 'later' })
  await post(ownerMail?.id, 'send')
  await waitUntil(async () => (await list('?state=waiting')).some(({ problem }) => /later/.test(problem)))
  // three days before the time of `clock`, so the next attempt is the last one
  await app.tableOwner.query(`update outbox_mails set queued_at = '2026-11-20T08:00:00Z' where id = $1`, [ownerMail?.id])
  await app.tableOwner.query(`update jobs.jobs set run_at = '-infinity' where key = $1`, [ownerMail?.id])
  await vi.waitUntil(async () => (await list('?state=failed')).some(({ problem }) => /later/.test(problem)), { timeout: 20_000 })
})

test('a waiting mail that its owner sends during its last attempt is tried again when the attempt fails', async () => {
  mailServer.setBehavior({ refuse: 451, refusedPart: 'message', text: 'later' })
  await visits.book()
  await waitUntil(async () => (await list()).every(({ problem }) => /later/.test(problem)))
  const [mail] = await list()
  const post = (action: string) => ada.send({ method: 'POST', url: `/api/outbox/${mail?.id}/${action}` })
  const [isHeld, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  beforeSend = async () => (isHeld.resolve(), released.promise)
  onTestFinished(() => void (beforeSend = async () => {}))
  // three days before the time of `clock`, so the next attempt is the last one
  await app.tableOwner.query(`update outbox_mails set queued_at = '2026-11-20T08:00:00Z' where id = $1`, [mail?.id])
  await app.tableOwner.query(`update jobs.jobs set run_at = '-infinity' where key = $1`, [mail?.id])
  await app.tableOwner.query(`select pg_notify('jobs', '')`)
  await isHeld.promise
  expect((await post('send')).statusCode).toBe(204)
  beforeSend = async () => mailServer.setBehavior('accept')
  released.resolve()
  await waitUntil(async () => (await list('?state=sent')).some(({ id }) => id === mail?.id))
})

test('a mail that the mail server does not accept yet waits with the reason, and old mails are deleted', async () => {
  mailServer.setBehavior({ refuse: 451, refusedPart: 'message', text: 'later' })
  await visits.book()
  await waitUntil(async () => (await list()).every(({ problem }) => /later/.test(problem)))
  await waitForState('waiting')
  await app.runSchedule('old mails', new Date(Date.now() + 91 * 24 * 60 * 60 * 1000))
  expect(await list()).toEqual([])
})

test('if the visitor has the email of the owner, both mails of the booking are sent', async () => {
  await visits.book({ email: ada.email })
  await waitForState('sent')
  expect(mailServer.received.map(({ to }) => to)).toEqual([[ada.email], [ada.email]])
})

const later = { refuse: 451, refusedPart: 'message', text: 'later' } as const
/** Tries all waiting mails at once, and waits until none is left. */
async function sendWaiting(): Promise<void> {
  mailServer.setBehavior('accept')
  await app.tableOwner.query(`update jobs.jobs set run_at = '-infinity' where type = 'outbox mail'`)
  await app.tableOwner.query(`select pg_notify('jobs', '')`)
  await vi.waitUntil(async () => (await list('?state=waiting')).length === 0, { timeout: 20_000 })
}
const waitUntilRefused = () => waitUntil(async () => (await list('?state=waiting')).every(({ problem }) => /later/.test(problem)))

test('a mail that waits while the mail server accepts none is not sent after a newer mail about the booking', async () => {
  mailServer.setBehavior(later)
  const { cancel, visitor } = await visits.bookWithLinks()
  await waitUntilRefused()
  mailServer.setBehavior('accept')
  await visits.post(cancel)
  await waitUntil(async () => (await list('?state=sent')).length === 2)
  await sendWaiting()
  const sent = mailServer.received.map(({ to, headers }) => `${to[0]} ${headers.find((line) => line.startsWith('Subject'))}`)
  const expected = [`${ada.email} Subject: Booking cancelled: Engine visit`, `${visitor.email} Subject: Cancelled: Engine visit`]
  expect(sent.toSorted()).toEqual(expected.toSorted())
  const problem = 'Not sent: a newer mail about the same booking replaced it'
  const failed = await list('?state=failed')
  const outdated = { problem, is_outdated: true }
  expect(failed).toMatchObject([outdated, outdated])
  expect(await list('?state=sent')).toMatchObject([{ is_outdated: false }, { is_outdated: false }])
  const refused = await ada.send({ method: 'POST', url: `/api/outbox/${failed[0]?.id}/send` })
  const detail = 'This mail cannot be sent any more: a newer mail about the same booking replaced it.'
  expect([refused.statusCode, refused.json()]).toEqual([422, expect.objectContaining({ code: 'invalid', detail })])
  expect(await list('?state=failed')).toEqual(failed)
})

test('a mail that waits while the mail server accepts none is not sent after the end of the booking', async () => {
  mailServer.setBehavior(later)
  await visits.book()
  await waitUntilRefused()
  clock.set('2026-11-24T10:30:00Z')
  await sendWaiting()
  const problem = 'Not sent: it was about a time that is over now'
  expect(await list()).toMatchObject([1, 2].map(() => ({ state: 'failed', problem, is_outdated: true })))
  expect(mailServer.received).toEqual([])
})

test('a waiting mail whose job is not retried any more is shown as failed, and its owner can send it again', async () => {
  mailServer.setBehavior(later)
  const { visitor } = await visits.book()
  await waitUntilRefused()
  const id = (await list()).find(({ to_address: address }) => address === visitor.email)?.id
  // no process has the number 0, so the worker treats the job as that of a process that crashed for the tenth time
  await app.tableOwner.query('update jobs.jobs set taken_by = 0, taken_at = now(), crashes = 9 where key = $1', [id])
  await waitUntil(
    async () => (await app.tableOwner.query('select from jobs.jobs where key = $1 and failed_at is not null', [id])).rowCount === 1,
  )
  await app.runSchedule('abandoned mails')
  expect(await list('?state=waiting')).toMatchObject([{ to_address: ada.email }])
  const problem = 'Perhaps not sent: all attempts broke off because of errors of the server'
  expect(await list('?state=failed')).toMatchObject([{ id, problem, is_outdated: false }])
  expect((await ada.send({ method: 'POST', url: `/api/outbox/${id}/send` })).statusCode).toBe(204)
  await app.runSchedule('abandoned mails')
  expect(await list('?state=waiting')).toHaveLength(2)
  await sendWaiting()
  expect(await list('?state=sent')).toHaveLength(2)
})
