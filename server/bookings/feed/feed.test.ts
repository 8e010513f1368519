// The feed: other calendars read the bookings at a secret address, which can be replaced and turned off.
import { Writable } from 'node:stream'
import ICAL from 'ical.js'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

const now = new Date('2026-11-24T08:00:00Z')
const log: string[] = []
let app: TestApp
let ada: Person
beforeAll(async () => {
  const stream = new Writable({ write: (chunk, _encoding, done) => (log.push(String(chunk)), done()) })
  app = await openTestApp({ now: () => now, logger: { level: 'trace', stream } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

const url = '/api/calendar-feed'
const turnOn = async (person = ada): Promise<string> => (await person.send({ method: 'POST', url })).json().address
const read = (address: string, options: { method?: 'GET' | 'HEAD'; headers?: Record<string, string> } = {}) =>
  app.server.inject({ url: new URL(address).pathname, remoteAddress: '10.9.8.7', ...options })
const add = (fields: Record<string, unknown>) => recordsOf(ada, '/api/bookings').add(fields)
const visit = { title: 'Engine visit', start_time: '2026-12-01T09:00:00Z', end_time: '2026-12-01T09:30:00Z' }

/** Returns the events of a calendar file as calendar programs read them. */
const parse = (file: string) =>
  new ICAL.Component(ICAL.parse(file)).getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component)
    return {
      uid: event.uid,
      sequence: event.sequence,
      title: event.summary,
      text: event.description,
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      zone: event.startDate.zone.tzid,
      status: component.getFirstPropertyValue('status'),
    }
  })

test('calendar programs read the bookings at the secret address', async () => {
  expect((await ada.send({ url })).json()).toEqual({ address: null })
  const { id } = await add({
    ...visit,
    attendee_name: 'Mary\r\nBEGIN:VALARM Somerville 🧮'.repeat(4).slice(0, 150),
    attendee_email: 'mary@example.org',
    notes: 'Two\nlines; with, signs',
  })
  await add({ ...visit, title: 'Cancelled', start_time: '2026-12-02T09:00:00Z', end_time: '2026-12-02T09:30:00Z', status: 'cancelled' })
  // a feed has the bookings of the last 90 days and all later ones
  await add({ ...visit, title: 'Long ago', start_time: '2026-08-01T09:00:00Z', end_time: '2026-08-01T09:30:00Z' })
  await add({ ...visit, title: 'Missed', start_time: '2026-09-01T09:00:00Z', end_time: '2026-09-01T09:30:00Z', status: 'no-show' })
  const address = await turnOn()
  expect(address).toMatch(/^http:\/\/foyer\.test\/api\/public\/calendar-feeds\/[\w.-]+\.ics$/)
  expect((await ada.send({ url })).json()).toEqual({ address })

  const response = await read(address)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  const events = parse(response.body)
  expect(events.map(({ title }) => title.slice(0, 12))).toEqual(['Missed', 'Engine visit'])
  expect(events[1]).toMatchObject({
    uid: `${id}@foyer.test`,
    sequence: 0,
    start: '2026-12-01T09:00:00.000Z',
    end: '2026-12-01T09:30:00.000Z',
    zone: 'UTC',
    status: 'CONFIRMED',
    text: expect.stringContaining('mary@example.org\n\nTwo\nlines; with, signs'),
  })
  for (const line of ['METHOD:PUBLISH', 'X-WR-CALNAME:Foyer bookings', 'REFRESH-INTERVAL;VALUE=DURATION:PT15M', 'X-PUBLISHED-TTL:PT15M'])
    expect(response.body.split('\r\n')).toContain(line)
  expect(Math.max(...response.body.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
  expect(response.body).not.toMatch(/\nBEGIN:VALARM|�/)
  expect(log.join('')).not.toContain(new URL(address).pathname.slice(-40))
})

test('a calendar program gets the file again only after a change', async () => {
  const { id } = await add(visit)
  const address = await turnOn()
  const first = await read(address)
  const headers = { 'if-none-match': String(first.headers.etag) }
  expect([(await read(address)).body, (await read(address, { headers })).statusCode]).toEqual([first.body, 304])
  const head = await read(address, { method: 'HEAD' })
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', String(Buffer.byteLength(first.body))])

  await ada.send({
    method: 'PATCH',
    url: `/api/bookings/${id}`,
    payload: { start_time: '2026-12-01T10:00:00Z', end_time: '2026-12-01T10:30:00Z' },
  })
  const moved = await read(address, { headers })
  expect(parse(moved.body)).toMatchObject([{ uid: `${id}@foyer.test`, sequence: 1, start: '2026-12-01T10:00:00.000Z' }])
  await ada.send({ method: 'PATCH', url: `/api/bookings/${id}`, payload: { status: 'cancelled' } })
  expect(parse((await read(address)).body)).toEqual([])
})

test('an address that was replaced, turned off, altered or belongs to a deleted account is not found', async () => {
  const grace = await signInAs(app, 'grace')
  const replaced = await turnOn()
  const address = await turnOn()
  expect(address).not.toBe(replaced)
  expect([(await read(replaced)).statusCode, (await read(address)).statusCode]).toEqual([404, 200])
  expect((await read(address.replace(/.(?=\.ics$)/, (last) => (last === 'A' ? 'B' : 'A')))).statusCode).toBe(404)
  expect((await read(address.replace('.ics', '.ics.ics'))).statusCode).toBe(404)

  const [one, other] = await Promise.all([turnOn(grace), turnOn(grace)])
  expect(new Set([(await read(one)).statusCode, (await read(other)).statusCode])).toEqual(new Set([200, 404]))
  expect((await grace.send({ method: 'DELETE', url })).statusCode).toBe(204)
  expect((await grace.send({ method: 'DELETE', url })).statusCode).toBe(204)
  expect([(await read(one)).statusCode, (await read(other)).statusCode]).toEqual([404, 404])
  expect((await grace.send({ url })).json()).toEqual({ address: null })

  await app.tableOwner.query('delete from users where id = $1', [ada.id])
  expect((await read(address)).statusCode).toBe(404)
})

test('a calendar that asks too often is refused for a while', async () => {
  const address = await turnOn()
  const path = new URL(address).pathname
  for (let sent = 0; sent < 300; sent += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => app.server.inject({ url: path, remoteAddress: `10.7.${sent}.${index}` })))
  const response = await read(address)
  expect([response.statusCode, Number(response.headers['retry-after']) > 0]).toEqual([429, true])
})

test('a feed has at most 5,000 bookings: first the coming ones, and if there is room, the latest past ones', async () => {
  await app.tableOwner.query(
    `insert into bookings (user_id, title, attendee_name, attendee_email, start_time, end_time)
     select $1, 'Visit', 'Mary Somerville', 'mary@example.org', $2::timestamptz + n * interval '6 minutes', $2::timestamptz + n * interval '6 minutes' + interval '5 minutes'
     from generate_series(-1000, 4500) n`,
    [ada.id, now],
  )
  const starts = parse((await read(await turnOn())).body).map(({ start }) => start)
  expect(starts).toHaveLength(5000)
  const minutesFromNow = (minutes: number): string => new Date(now.getTime() + minutes * 60_000).toISOString()
  // 4,501 bookings begin now or later, so 499 earlier ones have a place
  expect([starts[0], starts.at(-1)]).toEqual([minutesFromNow(-499 * 6), minutesFromNow(4500 * 6)])
  expect(starts).toEqual(starts.toSorted())
})
