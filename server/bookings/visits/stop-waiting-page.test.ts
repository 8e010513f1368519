// The page on which a visitor stops waiting says what it does and what it has done.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingLink } from '#contract/bookingLinks.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { contentPages } from '#server/testing/pages.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { addLink, createVisitClock, createVisitor, createVisits, everyDay } from '#server/testing/visits.ts'
import { signWaitingEmail } from './tokens.ts'

const installationKey = 'the key of an installation in tests'
const clock = createVisitClock()
let app: TestApp
let ada: Person
let link: BookingLink
let visits: ReturnType<typeof createVisits>
beforeAll(async () => {
  app = await openTestApp({ installationKey, now: clock.now, pages: contentPages, mail: { isConfigured: true, send: async () => {} } })
})
afterAll(async () => {
  await app.stop()
})
beforeEach(async () => {
  clock.set('2026-11-23T08:00:00Z')
  ada = await signInAs(app, 'ada')
  link = await addLink(ada, { availability: everyDay('10:00', '11:00') })
  visits = createVisits(app, clock, ada, link)
})

/** Waits for a time as a new visitor. Returns the path of the page on which the wait can be stopped. */
async function wait(body: object = {}): Promise<string> {
  const visitor = createVisitor(app, ada, link)
  const page = await visitor.open()
  clock.pass(10)
  const response = await app.server.inject({
    method: 'POST',
    url: `/api/public/booking-links/${link.id}/waits`,
    remoteAddress: visitor.remoteAddress,
    payload: { date: '2026-11-24', days: 1, timezone: 'Europe/London', name: 'Mary', email: 'mary@example.org', ...page, ...body },
  })
  const { waiting } = (await visits.get(response.json().address)).json().content
  return String(waiting?.stop_url).replace('http://foyer.test', '')
}

const read = async (address: string) => (await visits.get(address)).json().content

test('the page sends its address, which contains a token, only to this website', async () => {
  expect((await visits.get(await wait())).headers['referrer-policy']).toBe('same-origin')
})

test('the page names the days, then says that the visitor has stopped, and later that there is nothing to stop', async () => {
  const stop = await wait()
  expect(await read(stop)).toMatchObject({ when: 'on Tuesday, 24 November 2026', link_id: link.id })
  expect(await read(await wait({ days: 7 }))).toMatchObject({ when: 'from Tuesday, 24 November 2026 to Monday, 30 November 2026' })
  const known = { title: 'Engine visit', owner_name: 'ada', book_url: `http://foyer.test/book/${link.slug}` }
  const sent = await visits.post(stop, { link_id: link.id })
  expect(sent.json().content).toEqual({ kind: 'stopped', stops_all: false, is_done: true, color: '#3B82F6', ...known })
  const unknown = { title: 'Free times', owner_name: 'ada', book_url: '' }
  expect(await read(stop)).toMatchObject({ is_done: false, ...unknown })
  const others = await addLink(await signInAs(app, 'grace'))
  // the address says that a wait was stopped, but the id is no link of this owner, so the page names no link
  for (const id of ['', 'x', others.id]) expect(await read(`${stop}?stopped=${id}`)).toMatchObject({ is_done: true, ...unknown })
})

test('the page that stops all mails names the days of a single wait, and the booking link of a wait that has ended', async () => {
  await wait()
  const emailHash = createHash('sha256').update(`${ada.id} mary@example.org`).digest('hex').slice(0, 32)
  const stop = `/booking/wait/${signWaitingEmail(installationKey, { owner: ada.id, emailHash })}`
  expect(await read(stop)).toMatchObject({ stops_all: true, when: 'on Tuesday, 24 November 2026' })
  await wait({ date: '2026-11-26' })
  expect(await read(stop)).toMatchObject({ when: 'on these days' })
  await app.tableOwner.query('update booking_waits set mailed_at = now() where user_id = $1', [ada.id])
  expect(await read(stop)).toMatchObject({ kind: 'stopped', stops_all: true, is_done: false, title: 'Engine visit', owner_name: 'ada' })
})
