// Visitors cannot book the times at which the owner is busy in another calendar, whose address stays secret.
import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingLink } from '#contract/bookingLinks.ts'
import { maxOtherCalendars, type OtherCalendar } from '#contract/otherCalendars.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { secretPath, startCalendarServer, toCalendar, toEvent, type CalendarServer } from '#server/testing/calendar-server.ts'
import { cleanLater } from '#server/testing/cleaning.ts'
import { contentPages } from '#server/testing/pages.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { undo } from '#server/testing/records.ts'
import { addLink, at, createVisitClock, createVisitor, createVisits, everyDay } from '#server/testing/visits.ts'
import { unzip } from '#server/testing/zip.ts'

const clock = createVisitClock()
const log: string[] = []
let app: TestApp
let server: CalendarServer
let ada: Person
let link: BookingLink
/** The address of the calendar of the test. */
let address: string
let calendarCount = 0
beforeAll(async () => {
  server = await startCalendarServer()
  const stream = new Writable({ write: (chunk, _encoding, done) => (log.push(String(chunk)), done()) })
  app = await openTestApp({
    now: clock.now,
    pages: contentPages,
    logger: { level: 'trace', stream },
    allowedHosts: ['127.0.0.1'],
    lookup: (_name, options, callback) =>
      options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
  })
})
afterAll(async () => {
  await app.stop()
  await server[Symbol.asyncDispose]()
})
beforeEach(async () => {
  clock.set('2026-11-23T08:00:00Z')
  address = `${server.url}basic-${++calendarCount}.ics`
  server.setRespond(undefined)
  server.setFile(toCalendar(toEvent('DTSTART:20261124T100000Z|DURATION:PT1H')))
  ada = await signInAs(app, 'ada')
  link = await addLink(ada, { availability: everyDay('09:00', '12:00') })
})

const url = '/api/other-calendars'
const post = async (payload: object, person = ada) => {
  const response = await person.send({ method: 'POST', url, payload: { name: 'Family', ...payload } })
  return { status: response.statusCode, body: response.json(), change: String(response.headers['foyer-change']) }
}
const add = async (person = ada): Promise<OtherCalendar & { change: string }> => {
  const { status, body, change } = await post({ address }, person)
  expect(status, JSON.stringify(body)).toBe(201)
  return { ...body, change }
}
const get = async (id: string): Promise<OtherCalendar> => (await ada.send({ url: `${url}/${id}` })).json()
/** The times of 24 November that are offered. */
const readOffered = async (): Promise<string[]> => {
  const response = await createVisitor(app, ada, link).times({ from: '2026-11-24', days: '1' })
  return response.json().days.flatMap(({ times }: { times: { label: string }[] }) => times.map(({ label }) => label.slice(0, 5)))
}
/** The headers of the last request for the calendar of the test. */
const lastHeaders = () => server.requests.findLast(({ path }) => path === new URL(address).pathname)?.headers
const timesOutsideEvent = ['09:00', '09:30', '11:00', '11:30']
const allTimes = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30']
/** Lets the schedule read the due calendars, and waits until this one was read. */
async function readAfter(minutes: number, id: string): Promise<OtherCalendar> {
  const before = await get(id)
  clock.pass(minutes * 60) // the app's own schedule may read the calendar from now on
  await app.runSchedule('other calendars', clock.now())
  await expect.poll(async () => (await get(id)).next_read_at).not.toBe(before.next_read_at)
  return get(id)
}

test('visitors cannot book the busy times of another calendar, also when they were offered before', async () => {
  const visits = createVisits(app, clock, ada, link)
  expect(await readOffered()).toEqual(allTimes)
  const { id } = await add()
  expect(await get(id)).toEqual({
    id,
    name: 'Family',
    host: new URL(server.url).host,
    created_at: expect.any(String),
    last_read_at: '2026-11-23T08:00:00Z',
    next_read_at: '2026-11-23T08:15:00Z',
    is_due: false,
    problem: null,
    busy_times: 1,
    unreadable_events: 0,
  })
  expect(await readOffered()).toEqual(timesOutsideEvent)
  const { response } = await visits.book({ start_time: at('10:00') })
  expect([response.statusCode, response.json().code]).toEqual([409, 'slot_taken'])
  expect(response.json().nearest.map(({ label }: { label: string }) => label.slice(0, 14))).toEqual([
    '09:00 to 09:30',
    '09:30 to 10:00',
    '11:00 to 11:30',
  ])
  const { move } = await visits.bookWithLinks({ start_time: at('09:00') })
  const moved = await visits.post(move, { start_time: at('10:30'), timezone: 'Europe/London' })
  expect(moved.statusCode).toBe(422) // the status of the page with the form, which says that the time is taken
  expect((await visits.book({ start_time: at('11:00') })).response.statusCode).toBe(201)
})

test('events of the other calendar that are bookings of the owner are left out, and a booking with another owner is busy', async () => {
  const grace = await signInAs(app, 'grace')
  const visits = createVisits(app, clock, ada, link)
  const visitsOfGrace = createVisits(app, clock, grace, await addLink(grace, { availability: everyDay('09:00', '12:00') }))
  await visits.bookWithLinks({ start_time: at('09:00') })
  const { cancel } = await visits.bookWithLinks({ start_time: at('09:30') })
  await visitsOfGrace.bookWithLinks({ start_time: at('11:00') })
  const mails = [...(await visits.readMails()), ...(await visitsOfGrace.readMails())]
  const files = mails.filter(({ to_address: to }) => to.startsWith('visitor-')).map(({ calendar }) => calendar)
  const events = files.map((file) => /BEGIN:VEVENT.*END:VEVENT/s.exec(file)?.[0].replaceAll('\r\n', '|') ?? '')
  expect(events).toHaveLength(3)
  server.setFile(toCalendar(...events))
  expect(await add()).toMatchObject({ busy_times: 1 })
  await visits.post(cancel)
  expect(await readOffered()).toEqual(['09:30', '10:00', '10:30', '11:30'])
})

test('the buffers of a booking link are kept before and after the busy times', async () => {
  link = await addLink(ada, { availability: everyDay('09:00', '12:00'), buffer_before_minutes: 15, buffer_after_minutes: 15 })
  await add()
  expect(await readOffered()).toEqual(['09:00', '11:30'])
})

test('the calendar screen gets the busy times with the name of their calendar, in the time zone of the profile', async () => {
  await ada.send({ method: 'PATCH', url: '/api/profile', payload: { timezone: 'America/New_York' } })
  server.setFile(toCalendar(toEvent('DTSTART;VALUE=DATE:20261124')))
  await add()
  const read = async (query: string) => (await ada.send({ url: `/api/busy-times?${query}` })).json()
  expect((await read('from=2026-11-24&to=2026-11-25')).rows).toEqual([
    {
      id: expect.any(String),
      name: 'Family',
      start_time: '2026-11-24T05:00:00Z',
      end_time: '2026-11-25T05:00:00Z',
      local_start: '2026-11-24T00:00',
      local_end: '2026-11-25T00:00',
    },
  ])
  expect((await read('from=2026-11-25&to=2026-11-26')).rows).toEqual([])
  expect((await read('from=2026-11-25&to=2027-11-26')).fields).toEqual({ to: 'Ask for at most 62 days' })
  expect((await read('from=2026-11-25&to=2026-11-25')).fields).toEqual({ to: 'Choose a day after the first one' })
  expect((await read('from=1999-11-25&to=2000-01-10')).fields).toEqual({
    from: 'Enter a date from 2000 to 2199, with all four digits of the year',
  })
})

test('a calendar is read every 15 minutes, and only if it has changed', async () => {
  const { id } = await add()
  expect(await readAfter(15, id)).toMatchObject({
    last_read_at: '2026-11-23T08:15:00Z',
    next_read_at: '2026-11-23T08:30:00Z',
    busy_times: 1,
  })
  expect(lastHeaders()).toMatchObject({ 'if-none-match': expect.any(String), 'if-modified-since': expect.any(String) })
  server.setFile(toCalendar())
  expect(await readAfter(15, id)).toMatchObject({ busy_times: 0 })
  expect(await readOffered()).toEqual(allTimes)

  // whole days are other times in another time zone, so the file is read in full again
  await ada.send({ method: 'PATCH', url: '/api/profile', payload: { timezone: 'America/New_York' } })
  await readAfter(15, id)
  expect(lastHeaders()).not.toHaveProperty('if-none-match')
  // the file is also read in full when the stored busy times end before the last day that visitors can book
  await readAfter(15, id)
  expect(lastHeaders()).toHaveProperty('if-none-match')
  await addLink(ada, { window_days: 400 })
  await readAfter(15, id)
  expect(lastHeaders()).not.toHaveProperty('if-none-match')
})

test('a calendar that cannot be read keeps its busy times, says why, and is tried again later and on request', async () => {
  const { id } = await add()
  server.setRespond((response) => void response.writeHead(503).end())
  expect(await readAfter(15, id)).toMatchObject({
    problem: 'The other calendar answered with status 503.',
    last_read_at: '2026-11-23T08:00:00Z',
    next_read_at: '2026-11-23T08:30:00Z',
    busy_times: 1,
  })
  expect(await readOffered()).toEqual(timesOutsideEvent)
  expect(await readAfter(15, id)).toMatchObject({ next_read_at: '2026-11-23T09:00:00Z' })
  server.setRespond(undefined)
  const asked = await ada.send({ method: 'POST', url: `${url}/${id}/read` })
  expect(asked.json()).toMatchObject({ id, name: 'Family' })
  await expect.poll(async () => (await get(id)).problem).toBeNull()
  expect(await get(id)).toMatchObject({ last_read_at: '2026-11-23T08:30:00Z', next_read_at: '2026-11-23T08:45:00Z' })
})

test('after a response that the calendar is unchanged, the pauses after failures begin with the shortest again', async () => {
  const { id } = await add()
  const fail = () => server.setRespond((response) => void response.writeHead(503).end())
  fail()
  await readAfter(15, id)
  expect(await readAfter(15, id)).toMatchObject({ next_read_at: '2026-11-23T09:00:00Z' })
  server.setRespond((response) => void response.writeHead(304).end())
  expect(await readAfter(30, id)).toMatchObject({ problem: null, next_read_at: '2026-11-23T09:15:00Z' })
  fail()
  expect(await readAfter(15, id)).toMatchObject({ next_read_at: '2026-11-23T09:30:00Z' })
})

test('a calendar that is still being read is not read a second time', async () => {
  const { id } = await add()
  const count = (): number => server.requests.filter(({ path }) => path === new URL(address).pathname).length
  const answered = Promise.withResolvers<void>()
  server.setRespond((response) => void answered.promise.then(() => response.writeHead(503).end()))
  clock.pass(15 * 60)
  await app.runSchedule('other calendars', clock.now())
  await expect.poll(count).toBe(2)
  await app.runSchedule('other calendars', clock.now())
  answered.resolve()
  await expect.poll(async () => (await app.tableOwner.query('select from jobs.jobs where owner = $1', [ada.id])).rowCount).toBe(0)
  expect([count(), (await get(id)).next_read_at]).toEqual([2, '2026-11-23T08:30:00Z'])
})

test('webcal addresses are accepted, redirects are followed, and no calendar is added twice or above the maximum', async () => {
  await add()
  expect(await post({ address: `${address}#top` })).toMatchObject({
    status: 422,
    body: { fields: { address: 'This calendar was added already' } },
  })
  server.setRespond((response, path) => {
    if (path.includes('basic')) response.writeHead(301, { location: 'other.ics' }).end()
    else response.end(toCalendar())
  })
  expect((await post({ address: address.replace(secretPath, 'moved') })).status).toBe(201)
  for (let number = 2; number < maxOtherCalendars; number++)
    expect((await post({ address: `webcal://calendar.example/${number}`, check: false })).status).toBe(201)
  expect(await post({ address: 'https://calendar.example/more', check: false })).toMatchObject({
    status: 422,
    body: { fields: { address: `At most ${maxOtherCalendars} calendars. Remove one first` } },
  })
})

test('adding and removing a calendar can be undone, and both undos also change the offered times', async () => {
  const { id, change } = await add()
  const removed = await ada.send({ method: 'DELETE', url: `${url}/${id}` })
  expect((await ada.send({ url })).json()).toEqual({ rows: [] })
  expect(await readOffered()).toEqual(allTimes)
  expect((await ada.send({ method: 'DELETE', url: `${url}/${id}` })).statusCode).toBe(404)
  await undo(ada, removed)
  expect(await readOffered()).toEqual(timesOutsideEvent)
  expect(await readAfter(15, id)).toMatchObject({ problem: null, busy_times: 1 })
  await undo(ada, { headers: { 'foyer-change': change } })
  expect(await readOffered()).toEqual(allTimes)
})

test('another user neither sees nor changes a calendar, and does not get its busy times', async () => {
  const { id } = await add()
  const grace = await signInAs(app, 'grace')
  for (const request of [
    { url: `${url}/${id}` },
    { method: 'DELETE' as const, url: `${url}/${id}` },
    { method: 'POST' as const, url: `${url}/${id}/read` },
  ])
    expect((await grace.send(request)).statusCode).toBe(404)
  expect((await grace.send({ url: '/api/busy-times?from=2026-11-24&to=2026-11-25' })).json()).toEqual({ rows: [] })
})

test('the address is in no response, event, log or download, and it is deleted thirty days after its calendar', async () => {
  const { id } = await add()
  const texts = await Promise.all(
    [url, `${url}/${id}`, '/api/changes', '/api/trash'].map(async (path) => (await ada.send({ url: path })).body),
  )
  const takeout = (await ada.send({ method: 'POST', url: '/api/takeout', payload: { password: 'engine no. 1' } })).json()
  const zip = [...(await unzip((await ada.send({ url: takeout.url })).rawPayload))].flat().map(String).join('\n')
  expect(zip).toContain('other_calendars')
  const { rows } = await app.tableOwner.query<{ text: string }>(
    `select string_agg(j::text, '') || (select string_agg(s::text, '') from other_calendar_sources s) as text from journal j`,
  )
  expect([...texts, zip, rows[0]?.text, ...log].join('\n')).not.toMatch(new RegExp(`${secretPath}|Secret meeting`))

  // the busy times are deleted with the address
  const count = async () => (await app.tableOwner.query('select from other_calendar_times where user_id = $1', [ada.id])).rowCount
  const deletion = await ada.send({ method: 'DELETE', url: `${url}/${id}` })
  await cleanLater(app, 'unused other calendars', 29)
  await undo(ada, deletion)
  expect(await count()).toBe(1)
  await ada.send({ method: 'DELETE', url: `${url}/${id}` })
  await cleanLater(app, 'unused other calendars', 31)
  expect(await count()).toBe(0)
})

test('with another key of the installation the calendar says that it must be added again', async () => {
  const { id } = await add()
  await app.tableOwner.query(`update other_calendar_sources set sealed_address = 'x' where id = $1`, [id])
  expect(await readAfter(15, id)).toMatchObject({
    problem: 'The address was encrypted with another key of this server. Remove the calendar and add it again.',
    busy_times: 1,
  })
})
