// Visitors who wait at the limit, at the same time, or from networks next to each other.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { BookingLink } from '#contract/bookingLinks.ts'
import { addDays } from '#server/platform/time/local-time.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { contentPages } from '#server/testing/pages.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { addLink, createVisitClock, createVisitor, createVisits, everyDay } from '#server/testing/visits.ts'

const clock = createVisitClock()
let app: TestApp
let ada: Person
let link: BookingLink
beforeAll(async () => {
  app = await openTestApp({ now: clock.now, pages: contentPages, mail: { isConfigured: true, send: async () => {} } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  clock.set('2026-11-23T08:00:00Z')
  ada = await signInAs(app, 'ada')
  link = await addLink(ada, { availability: everyDay('10:00', '11:00') })
})

const email = 'mary@example.org'
const dayOf = (number: number): string => addDays('2026-11-24', number)

/** Opens a page for each of the days, and waits for all of them at the same time from one network. */
async function waitAtOnce(dates: string[], remoteAddress = createVisitor(app, ada, link).remoteAddress, entered = email) {
  const pages = await Promise.all(dates.map(() => createVisitor(app, ada, link).open()))
  clock.pass(10)
  return Promise.all(
    dates.map((date, index) =>
      app.server.inject({
        method: 'POST',
        url: `/api/public/booking-links/${link.id}/waits`,
        remoteAddress,
        payload: { date, days: 1, timezone: 'Europe/London', name: 'Mary', email: entered, ...pages[index] },
      }),
    ),
  )
}
const countWaits = async () => (await app.tableOwner.query('select from booking_waits where user_id = $1', [ada.id])).rowCount

test('requests at the same time do not exceed the limit, and a wait at the limit can be sent again', async () => {
  const { remoteAddress } = createVisitor(app, ada, link)
  const responses = await waitAtOnce(
    Array.from({ length: 9 }, (_, number) => dayOf(number)),
    remoteAddress,
  )
  expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 201, 201, 422, 422, 422, 422])
  expect(await countWaits()).toBe(5)
  clock.pass(15 * 60)
  const stored = responses.findIndex(({ statusCode }) => statusCode === 201)
  expect((await waitAtOnce([dayOf(stored)], remoteAddress)).map(({ statusCode }) => statusCode)).toEqual([201])
  expect(await countWaits()).toBe(5)
})

test('another subscriber of the same IPv6 provider cannot renew a wait, but its waits count for the limit', async () => {
  const waitFrom = async (remoteAddress: string, day: number) => {
    const [response] = await waitAtOnce([dayOf(day)], remoteAddress)
    clock.pass(5 * 60) // visitors with one email may send ten requests in 15 minutes
    return [response?.statusCode, response?.json().fields?.email]
  }
  expect(await waitFrom('2001:db8:1:1::1', 0)).toEqual([201, undefined])
  expect(await waitFrom('2001:db8:1:2::1', 0)).toEqual([422, 'A mail about these days will be sent to this email already'])
  expect(await waitFrom('2001:db8:1:1::2', 0)).toEqual([201, undefined])
  for (let day = 1; day < 5; day++) expect(await waitFrom(`2001:db8:1:${day + 1}::1`, day)).toEqual([201, undefined])
  expect(await waitFrom('2001:db8:1:9::1', 5)).toEqual([422, expect.stringContaining('No more days')])
})

test('one network has at most a fifth of the waits of a link', async () => {
  const [first, second] = [createVisitor(app, ada, link), createVisitor(app, ada, link)]
  const send = async (day: number, { remoteAddress } = first, entered = 'grace@example.org') => {
    const [response] = await waitAtOnce([dayOf(day)], remoteAddress, entered)
    return [response?.statusCode, response?.json().fields]
  }
  expect(await send(0)).toEqual([201, undefined])
  // 99 more of the same network, with other emails
  await app.tableOwner.query(
    `insert into booking_waits (user_id, booking_link_id, name, email, timezone, first_day, last_day, from_time, until_time, network_hash)
     select user_id, booking_link_id, name, number || email, timezone, first_day, last_day, from_time, until_time, network_hash
     from booking_waits cross join generate_series(1, 99) number where user_id = $1`,
    [ada.id],
  )
  const date = 'Too many visitors from your network wait already. Try again when some of their days are over.'
  expect(await send(1)).toEqual([422, { date }])
  expect(await send(1, second)).toEqual([201, undefined])
  expect(await send(0)).toEqual([201, undefined]) // renews the first wait
  await app.tableOwner.query(`update booking_waits set mailed_at = now() where user_id = $1 and email like '99%'`, [ada.id])
  expect(await send(2)).toEqual([201, undefined])
})

test('when a form without script is sent twice, both responses show the same wait; sent with another email it is refused', async () => {
  const visits = createVisits(app, clock, ada, link)
  const { parts } = await createVisitor(app, ada, link).page('?date=2026-11-24')
  clock.pass(10)
  const fields = { link_id: link.id, page_token: parts.token, timezone: 'Europe/London', date: '2026-11-24', name: 'Mary' }
  const send = (entered: string) =>
    visits.post(`/book/${link.slug}`, { ...fields, start_time: '', email: entered, action: 'wait', wait_days: '1' })
  const sent = await Promise.all([send(email), send(email)])
  for (const response of sent) expect(response.json().content.waiting, response.body).toMatchObject({ email })
  expect(await countWaits()).toBe(1)
  const other = await send('grace@example.org')
  expect([other.statusCode, other.json().content.waiting]).toEqual([422, null])
})

test('the page that stops a wait shows the problem when its form is refused', async () => {
  const [response] = await waitAtOnce([dayOf(0)])
  const page = await app.server.inject({ url: response?.json().address })
  const stop = String(page.json().content.waiting.stop_url).replace('http://foyer.test', '')
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://foyer.test' }, payload: '' }
  const send = (url: string) => app.server.inject({ method: 'POST', url, remoteAddress: '10.200.0.1', ...form })
  for (let tries = 0; tries < 60; tries++) await send(`${stop}x`)
  const refused = await send(stop)
  expect([refused.statusCode, refused.json().content]).toEqual([
    422,
    expect.objectContaining({ kind: 'open', problem: 'Too many tries. Please wait a moment.' }),
  ])
  expect(await countWaits()).toBe(1)
})

test('the schedule handles the waits of other owners while an account is being deleted', { timeout: 10_000 }, async () => {
  const grace = await signInAs(app, 'grace')
  const linkOfGrace = await addLink(grace, { availability: everyDay('10:00', '11:00') })
  await app.tableOwner.query(
    `insert into booking_waits (user_id, booking_link_id, name, email, timezone, first_day, last_day, from_time, until_time)
     select owner, link, 'Mary', $2, 'UTC', day, day, day::timestamptz, day::timestamptz + interval '1 day'
     from unnest($1::uuid[], $3::uuid[]) owners (owner, link) cross join unnest('{2026-11-01,2026-12-01}'::date[]) days (day)`,
    [[ada.id, grace.id], email, [link.id, linkOfGrace.id]],
  )
  const deletion = await app.tableOwner.connect()
  onTestFinished(() => deletion.release(true)) // closes the connection, which rolls the deletion back
  await deletion.query('begin')
  await deletion.query(`select set_config('app.owner', $1, true)`, [ada.id])
  await deletion.query('select app.delete_account()')
  await app.runSchedule('booking waits', clock.now())
  const { rows } = await app.tableOwner.query('select from booking_waits where user_id = $1', [grace.id])
  expect([rows.length, await countWaits()]).toEqual([1, 2]) // the wait of Grace whose day is over is deleted
})
