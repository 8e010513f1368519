// Visitors book, cancel and move on public pages.
import ICAL from 'ical.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { BookingLink } from '#contract/bookingLinks.ts'
import type { OfferedTimes } from '#contract/publicBookings.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, undo } from '#server/testing/records.ts'
import { addLink, contentPages, createVisitClock, createVisitor, everyDay } from '#server/testing/visits.ts'

const clock = createVisitClock()
let app: TestApp
/** A second process of the same installation. */
let secondApp: TestApp
let ada: Person
let link: BookingLink
beforeAll(async () => {
  app = await openTestApp({ now: clock.now, pages: contentPages })
  secondApp = await openTestApp({ now: clock.now, pages: contentPages, connections: app.connections })
})
afterAll(async () => {
  await secondApp.stop()
  await app.stop()
})
beforeEach(async () => {
  clock.set('2026-11-23T08:00:00Z')
  ada = await signInAs(app, 'ada')
  link = await addLink(ada, { availability: everyDay('09:00', '17:00') })
})

const first = '2026-11-23T09:00:00.000Z'
const at = (time: string, day = 24): string => `2026-11-${day}T${time}:00Z`
const bookings = () => recordsOf(ada, '/api/bookings')
type Mail = { to_address: string; subject: string; content: string; state: string; calendar?: string }
const readMails = async (): Promise<Mail[]> =>
  (await app.tableOwner.query<Mail>('select * from outbox_mails where user_id = $1 order by id', [ada.id])).rows

/** Opens the page as a new visitor, lets some seconds pass and books. */
async function book(body: object = {}, booked = link, owner = ada) {
  const visitor = createVisitor(app, owner, booked)
  const page = await visitor.open()
  clock.pass(10)
  return { visitor, page, response: await visitor.send({ start_time: at('10:00'), ...page, ...body }) }
}

/** Books and returns the paths of the links to cancel and move. */
async function bookWithLinks(body: object = {}, booked = link) {
  const { response, visitor } = await book(body, booked)
  expect(response.statusCode, response.body).toBe(201)
  const [mail] = (await readMails()).filter(({ to_address: to }) => to === visitor.email)
  const [, move = '', cancel = ''] =
    /To move it: http:\/\/foyer\.test(\S+)\s+To cancel it: http:\/\/foyer\.test(\S+)/.exec(mail?.content ?? '') ?? []
  return { id: String(response.json().id), move, cancel, visitor }
}
const get = async (url: string, method: 'GET' | 'HEAD' = 'GET') =>
  app.server.inject({ method, url, headers: { 'user-agent': 'Mozilla/5.0 (scanner)' } })
const post = (url: string, fields: Record<string, string> = {}) =>
  app.server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://foyer.test' },
    payload: new URLSearchParams(fields).toString(),
  })

describe('the page of a link', () => {
  test('shows the first day with free times in the owner’s zone, and nothing private', async () => {
    const { status, content, headers } = await createVisitor(app, ada, link).page()
    expect([status, content.link.title, content.choice.date, content.choice.times[0]]).toEqual([
      200,
      'Engine visit',
      '2026-11-23',
      { start_time: first, label: '09:00 to 09:30' },
    ])
    expect(content.choice).toMatchObject({ timezone: 'Europe/London', timezone_label: 'London, GMT', next_day: null })
    expect(JSON.stringify(content)).not.toContain(ada.email)
    expect(String(headers['content-security-policy'])).toContain('frame-ancestors *')
    expect(headers['x-frame-options']).toBeUndefined()
  })

  test('of a missing or inactive link has status 404', async () => {
    await recordsOf(ada, '/api/booking-links').edit(link.id, { is_active: false })
    for (const slug of [link.slug, 'nothing', 'x'.repeat(150)]) {
      const response = await get(`/book/${slug}`)
      expect([response.statusCode, response.json().content]).toEqual([404, { kind: 'missing' }])
    }
    expect((await book()).response.statusCode).toBe(404)
  })

  test('shows times in the zone of the visitor, and refuses an unknown zone', async () => {
    const visitor = createVisitor(app, ada, link)
    const times: OfferedTimes = (await visitor.times({ timezone: 'America/New_York', days: '2' })).json()
    expect(times).toMatchObject({ today: '2026-11-23', timezone_label: 'New York, EST (UTC-5)' })
    expect(times.days[0]).toMatchObject({ date: '2026-11-23', label: 'Monday, 23 November 2026' })
    expect(times.days[0]?.times[0]).toEqual({ start_time: first, label: '04:00 to 04:30' })
    for (const timezone of ['Mars/Base', '__proto__', '../../etc', 'x'.repeat(100)]) {
      expect((await visitor.times({ timezone })).statusCode).toBe(422)
      expect((await book({ timezone })).response.statusCode).toBe(422)
    }
  })
})

describe('a booking', () => {
  test('is stored with a new contact and two mails, and its time is not offered any more', async () => {
    const { response, visitor } = await book({ phone: '+44 20 7946 0118', notes: 'Third floor' })
    expect(response.statusCode, response.body).toBe(201)
    const booking = await bookings().get(response.json().id)
    expect(booking).toMatchObject({
      title: 'Engine visit',
      start_time: '2026-11-24T10:00:00Z',
      end_time: '2026-11-24T10:30:00Z',
      timezone: 'Europe/London',
      attendee_name: 'Mary Somerville',
      status: 'confirmed',
      booking_link_id: link.id,
      contact_name: 'Mary Somerville',
    })
    const contact = await recordsOf(ada, '/api/contacts').get(String(booking['contact_id']))
    expect(contact).toMatchObject({ first_name: 'Mary', last_name: 'Somerville', email: visitor.email, lead_source: 'Web' })
    const mails = await readMails()
    expect(mails.map(({ to_address: to, subject }) => [to, subject])).toEqual([
      [visitor.email, 'Confirmed: Engine visit'],
      [ada.email, 'New booking: Engine visit'],
    ])
    expect(mails[0]?.content).toContain('Tuesday, 24 November 2026, 10:00 to 10:30 (London, GMT)')
    expect(mails[0]?.content).not.toMatch(/Mary|Third floor/) // anybody can enter the address of somebody else
    expect(mails[1]?.content).toMatch(/Name: Mary Somerville[\s\S]*Notes: Third floor/)
    const times: OfferedTimes = (await visitor.times({ from: '2026-11-24', days: '1' })).json()
    expect(times.days[0]?.times.map(({ label }) => label)).not.toContain('10:00 to 10:30')
    const { content } = await visitor.page(String(response.json().address).replace(`/book/${link.slug}`, ''))
    expect(content.booked).toMatchObject({ when: 'Tuesday, 24 November 2026, 10:00 to 10:30', email: visitor.email })
    expect(content.values).toMatchObject({ name: '', email: '' })
  })

  test('of a known contact keeps what the contact has', async () => {
    const { id } = await recordsOf(ada, '/api/contacts').add({ first_name: 'M.', last_name: 'S.', email: 'mary@example.org' })
    const { response } = await book({ email: 'MARY@example.org', phone: '+44 20 7946 0118' })
    expect(await bookings().get(response.json().id)).toMatchObject({ contact_id: id })
    expect(await recordsOf(ada, '/api/contacts').get(id)).toMatchObject({ first_name: 'M.', last_name: 'S.', phone: '+44 20 7946 0118' })
  })

  test('is undone by its owner with its contact', async () => {
    const { response } = await book()
    await undo(ada, response)
    expect((await bookings().list()).rows).toEqual([])
    expect((await recordsOf(ada, '/api/contacts').list()).rows).toEqual([])
  })

  test('of a taken time gets the three nearest free ones, and the same page can then book one of them', async () => {
    await book()
    const { response, visitor, page } = await book()
    expect([response.statusCode, response.json().code, response.json().detail]).toEqual([
      409,
      'slot_taken',
      'This time has just been taken. Please choose another.',
    ])
    const labels = response.json().nearest.map(({ label }: { label: string }) => label)
    expect(labels).toEqual(['09:00 to 09:30', '09:30 to 10:00', '10:30 to 11:00'].map((time) => `Tuesday, 24 November 2026, ${time}`))
    expect((await visitor.send({ start_time: response.json().nearest[2].start_time, ...page })).statusCode).toBe(201)
  })

  test.each([
    ['a time between the offered ones', { start_time: at('10:17') }, 422],
    ['a time outside the hours', { start_time: at('07:00') }, 422],
    ['a past time', { start_time: at('09:00', 20) }, 422],
    ['a time in ten years', { start_time: '2036-11-24T10:00:00Z' }, 422],
    ['another duration', { end_time: at('12:00') }, 422],
    ['no name', { name: ' ' }, 422],
    ['an email that is none', { email: 'mary' }, 422],
    ['two emails', { email: 'a@example.org,b@example.org' }, 422],
    ['a filled trap', { subject_line: 'Pills' }, 409],
    ['a wrong token', { page_token: 'a.b' }, 409],
  ])('with %s is refused and writes nothing', async (_name, body, status) => {
    const { response } = await book(body)
    expect(response.statusCode, response.body).toBe(status)
    expect([(await bookings().list()).rows, await readMails()]).toEqual([[], []])
  })

  test('is made once for ten equal requests at the same time and a later one', async () => {
    const visitor = createVisitor(app, ada, link)
    const page = await visitor.open()
    clock.pass(10)
    const send = () => visitor.send({ start_time: at('10:00'), ...page }, 'the-same')
    const responses = [...(await Promise.all(Array.from({ length: 10 }, send))), await send()]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 11 }, () => 201))
    expect(new Set(responses.map(({ body }) => body)).size).toBe(1)
    expect((await bookings().list()).rows).toHaveLength(1)
    expect((await visitor.send({ start_time: at('11:00'), ...page })).json().code).toBe('visit_refused')
  })

  test('respects the buffers and the limits of the link', async () => {
    const limited = await addLink(ada, {
      availability: everyDay('09:00', '17:00'),
      buffer_after_minutes: 10,
      max_per_day: 2,
      max_per_visitor: 1,
    })
    expect((await book({}, limited)).response.statusCode).toBe(201)
    expect((await book({ start_time: at('10:30') }, limited)).response.json().code).toBe('slot_taken')
    expect((await book({ start_time: at('12:00'), email: 'mary@example.org' }, limited)).response.statusCode).toBe(201)
    expect((await book({ start_time: at('14:00') }, limited)).response.json().code).toBe('slot_taken')
    const { response } = await book({ start_time: at('14:00', 25), email: 'Mary@example.org' }, limited)
    expect(response.json().fields).toHaveProperty('email')
    expect((await book({ start_time: at('10:30') })).response.statusCode).toBe(409) // the buffer also covers another link of the owner
  })

  test('back to back with another one is possible without buffers', async () => {
    expect((await book()).response.statusCode).toBe(201)
    expect((await book({ start_time: at('10:30') })).response.statusCode).toBe(201)
  })
})

/** With FOYER_FULL=1 the tests have many more rivals. */
const isFullTestRun = process.env['FOYER_FULL'] === '1'
const [rivalCount, roundCount] = isFullTestRun ? [200, 20] : [40, 2]

/** Sends requests of different visitors at the same time, over both processes. */
async function bookAtOnce(requests: { link: BookingLink; body: object }[]) {
  const opened = await Promise.all(
    requests.map(async ({ link: booked, body }, index) => {
      const visitor = createVisitor(index % 2 === 0 ? app : secondApp, ada, booked)
      return { visitor, body: { ...body, ...(await visitor.open()) } }
    }),
  )
  clock.pass(10)
  return Promise.all(opened.map(({ visitor, body }) => visitor.send(body)))
}

test('of many rivals for one time over two processes exactly one gets it, in each round', { timeout: 300_000 }, async () => {
  for (let round = 0; round < roundCount; round++) {
    const start_time = new Date(Date.parse(at('09:00')) + round * 30 * 60_000).toISOString()
    clock.set('2026-11-23T08:00:00Z')
    const responses = await bookAtOnce(Array.from({ length: rivalCount }, () => ({ link, body: { start_time } })))
    const statuses = responses.map(({ statusCode }) => statusCode)
    expect([statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 409).length]).toEqual([
      1,
      rivalCount - 1,
    ])
  }
  expect((await bookings().list()).rows).toHaveLength(roundCount)
  expect(await readMails()).toHaveLength(2 * roundCount)
  expect((await recordsOf(ada, '/api/contacts').list()).rows).toHaveLength(roundCount)
})

test('bookings of two links with different durations never overlap', { timeout: 300_000 }, async () => {
  const long = await addLink(ada, { availability: everyDay('09:00', '17:00'), duration_minutes: 60 })
  const requests = Array.from({ length: isFullTestRun ? 190 : 60 }, (_each, index) => ({
    link: index % 3 === 0 ? long : link,
    body: { start_time: new Date(Date.parse(at('09:00')) + (index % 16) * 30 * 60_000).toISOString() },
  }))
  const responses = await bookAtOnce(requests)
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(
    new Set([201, 409, 422].filter((s) => responses.some(({ statusCode }) => statusCode === s))),
  )
  const { rows } = await app.tableOwner.query(
    `select from bookings a join bookings b on a.user_id = b.user_id and a.id < b.id and a.busy && b.busy
     where a.user_id = $1 and a.status <> 'cancelled' and b.status <> 'cancelled'`,
    [ada.id],
  )
  expect(rows).toEqual([])
})

describe('the links in the mail', () => {
  test('change nothing when they are opened, and cancel when their form is sent, also twice', async () => {
    const { id, cancel, visitor } = await bookWithLinks()
    for (const method of ['GET', 'HEAD'] as const) expect((await get(cancel, method)).statusCode).toBe(200)
    expect(await bookings().get(id)).toMatchObject({ status: 'confirmed' })
    expect((await post(cancel)).json().content).toMatchObject({ state: 'done' })
    expect((await post(cancel)).json().content).toMatchObject({ state: 'done' })
    expect(await bookings().get(id)).toMatchObject({ status: 'cancelled' })
    const mails = (await readMails()).filter(({ to_address: to }) => to === visitor.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['Confirmed: Engine visit', 'Cancelled: Engine visit'])
    expect((await book()).response.statusCode).toBe(201) // the time is free again
  })

  test('move the booking; a taken time is refused and the booking keeps its time', async () => {
    const { id, move } = await bookWithLinks({ notes: 'Secret', phone: '+44 20 7946 0118' })
    await book({ start_time: at('11:00') })
    const opened = await get(`${move}?date=2026-11-24`)
    expect(opened.json().content).toMatchObject({ state: 'open', booking: { when: 'Tuesday, 24 November 2026, 10:00 to 10:30' } })
    expect(opened.body).not.toMatch(/Secret|7946|Mary/)
    const labels = opened.json().content.move.choice.times.map(({ label }: { label: string }) => label)
    expect(labels).toContain('10:00 to 10:30') // its own time
    expect(labels).not.toContain('11:00 to 11:30')
    const refused = await post(move, { start_time: at('11:00'), timezone: 'Europe/London' })
    expect([refused.statusCode, refused.json().content.problem.message]).toEqual([
      422,
      'This time has just been taken. Please choose another.',
    ])
    expect(refused.json().content.problem.nearest).toHaveLength(3)
    const moved = await post(move, { start_time: at('12:00'), timezone: 'Europe/London' })
    expect(moved.json().content).toMatchObject({ state: 'done', booking: { when: 'Tuesday, 24 November 2026, 12:00 to 12:30' } })
    expect(await bookings().get(id)).toMatchObject({ start_time: '2026-11-24T12:00:00Z', end_time: '2026-11-24T12:30:00Z' })
    expect((await book()).response.statusCode).toBe(201)
  })

  test('are for one purpose and one booking, and altered ones are unknown', async () => {
    const { move, cancel } = await bookWithLinks()
    const token = cancel.split('/').at(-1) ?? ''
    for (const url of [cancel.replace('cancel', 'move'), move.replace('move', 'cancel'), `${cancel}x`, cancel.replace(token, 'a.b')]) {
      expect([(await get(url)).statusCode, (await post(url)).statusCode]).toEqual([404, 404])
    }
    const direct = await app.server.inject({
      method: 'POST',
      url: `/api/public/booking-changes/${token}/move`,
      headers: { 'idempotency-key': 'a' },
      payload: { start_time: at('12:00'), timezone: 'UTC' },
    })
    expect(direct.statusCode).toBe(404)
  })

  test('say why a booking cannot be changed: it is over, too soon, or its link is inactive', async () => {
    const late = await addLink(ada, { availability: everyDay('09:00', '17:00'), cutoff_minutes: 24 * 60 })
    const { move, cancel } = await bookWithLinks({ start_time: at('10:00', 25) }, late)
    clock.set(at('10:30'))
    expect((await post(cancel)).json().content).toMatchObject({ state: 'late', cutoff: '1 day' })
    clock.set(at('10:30', 25))
    expect((await post(cancel)).json().content).toMatchObject({ state: 'past' })
    clock.set(at('08:00', 23))
    await recordsOf(ada, '/api/booking-links').edit(late.id, { is_active: false })
    expect((await get(move)).json().content).toMatchObject({ state: 'closed' })
    expect((await post(move, { start_time: at('11:00'), timezone: 'UTC' })).json().content).toMatchObject({ state: 'closed' })
  })

  test('a cancelled time goes to at most one of many rivals', async () => {
    const { cancel } = await bookWithLinks()
    const rivals = bookAtOnce(Array.from({ length: 20 }, () => ({ link, body: { start_time: at('10:00') } })))
    const [, responses] = await Promise.all([post(cancel), rivals])
    expect(responses.filter(({ statusCode }) => statusCode === 201).length).toBeLessThanOrEqual(1)
    expect((await bookings().list({ filter: [{ field: 'status', is: ['confirmed'] }] })).rows.length).toBeLessThanOrEqual(1)
  })

  test('a move and a booking of the same time leave two bookings at different times, or one that was not moved', async () => {
    const { id, move } = await bookWithLinks()
    const [moved, [rival]] = await Promise.all([
      post(move, { start_time: at('12:00'), timezone: 'UTC' }),
      bookAtOnce([{ link, body: { start_time: at('12:00') } }]),
    ])
    const { start_time: start } = await bookings().get(id)
    expect([moved.statusCode, rival?.statusCode]).toEqual(start === '2026-11-24T12:00:00Z' ? [200, 409] : [422, 201])
  })
})

test('without script, a form books once, and shows what is wrong with what was typed', async () => {
  const visitor = createVisitor(app, ada, link)
  const { content } = await visitor.page('?name=Mary&date=2026-11-24&timezones=all')
  expect([content.values.name, content.choice.date, content.choice.timezones.includes('Asia/Kathmandu')]).toEqual([
    'Mary',
    '2026-11-24',
    true,
  ])
  clock.pass(10)
  const fields = {
    link_id: link.id,
    page_token: content.page_token,
    timezone: 'Europe/London',
    start_time: at('10:00'),
    name: 'Mary',
    phone: '',
    notes: '',
  }
  const wrong = await post(`/book/${link.slug}`, { ...fields, email: 'mary' })
  expect([wrong.statusCode, wrong.json().content.problem.fields, wrong.json().content.values.name]).toEqual([
    422,
    { email: 'Enter an email like name@example.com' },
    'Mary',
  ])
  for (let times = 0; times < 2; times++) {
    const sent = await post(`/book/${link.slug}`, { ...fields, email: 'mary@example.org' })
    expect([sent.statusCode, sent.json().content.booked?.when], sent.body).toEqual([200, 'Tuesday, 24 November 2026, 10:00 to 10:30'])
  }
  expect((await bookings().list()).rows).toHaveLength(1)
})

test('calendar files add, change and remove one appointment, and a name cannot add lines', async () => {
  const name = `Eve ATTENDEE:mailto:x@evil BEGIN:VALARM "${'é🎉'.repeat(40)}`
  const { move, cancel } = await bookWithLinks({ name: `Eve\r\nATTENDEE:mailto:x@evil\r\nBEGIN:VALARM "${'é🎉'.repeat(40)}` })
  await post(move, { start_time: at('12:00'), timezone: 'UTC' })
  await post(cancel)
  const files = (await readMails()).filter(({ to_address: to }) => to === ada.email).map(({ calendar = '' }) => calendar)
  const events = files.map((file) => {
    expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(Buffer.from(file).toString('utf8')).not.toContain('\uFFFD')
    const calendar = new ICAL.Component(ICAL.parse(file))
    const event = calendar.getFirstSubcomponent('vevent')
    return {
      method: calendar.getFirstPropertyValue('method'),
      uid: event?.getFirstPropertyValue('uid'),
      sequence: event?.getFirstPropertyValue('sequence'),
      start: String(event?.getFirstPropertyValue('dtstart')),
      attendees: event?.getAllProperties('attendee').length,
      attendeeName: event?.getFirstProperty('attendee')?.getFirstParameter('cn')?.slice(0, 20),
      alarms: event?.getAllSubcomponents('valarm').length,
    }
  })
  const same = { uid: events[0]?.uid, attendees: 1, attendeeName: name.slice(0, 20), alarms: 0 }
  expect(events).toEqual([
    { ...same, method: 'REQUEST', sequence: 0, start: '2026-11-24T10:00:00Z' },
    { ...same, method: 'REQUEST', sequence: 1, start: '2026-11-24T12:00:00Z' },
    { ...same, method: 'CANCEL', sequence: 2, start: '2026-11-24T12:00:00Z' },
  ])
})

test('with mail off, mails stay in the outbox of their owner with the reason', async () => {
  await book()
  await vi.waitUntil(async () => (await readMails()).every(({ state }) => state === 'off'))
  const { rows }: { rows: { id: string; problem: string }[] } = (await ada.send({ url: '/api/outbox' })).json()
  expect(rows).toMatchObject([{ problem: 'Not sent: no mail server configured' }, { to_address: expect.any(String) }])
  const again = await ada.send({ method: 'POST', url: `/api/outbox/${rows[0]?.id}/send` })
  expect([again.statusCode, again.json().code]).toEqual([409, 'mail_off'])
})
