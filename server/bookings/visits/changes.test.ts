// Visitors cancel and move their bookings by the links of mails, and mails have calendar files.
import ICAL from 'ical.js'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingLink } from '#contract/bookingLinks.ts'
import type { TimesResponse } from '#contract/publicBookings.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { contentPages } from '#server/testing/pages.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'
import { addLink, at, createVisitClock, createVisitor, createVisits, everyDay } from '#server/testing/visits.ts'

const clock = createVisitClock()
let app: TestApp
let ada: Person
let link: BookingLink
let visits: ReturnType<typeof createVisits>
beforeAll(async () => {
  app = await openTestApp({ now: clock.now, pages: contentPages })
})
afterAll(async () => {
  await app.stop()
})
beforeEach(async () => {
  clock.set('2026-11-23T08:00:00Z')
  ada = await signInAs(app, 'ada')
  link = await addLink(ada, { availability: everyDay('09:00', '17:00') })
  visits = createVisits(app, clock, ada, link)
})

test('the links in the mail change nothing when they are opened; the form of the page cancels the booking, also if it is sent twice', async () => {
  const { id, cancel, visitor } = await visits.bookWithLinks()
  for (const method of ['GET', 'HEAD'] as const) expect((await visits.get(cancel, method)).statusCode).toBe(200)
  expect(await visits.bookings.get(id)).toMatchObject({ status: 'confirmed' })
  expect((await visits.post(cancel)).json().content).toMatchObject({ state: 'done' })
  expect((await visits.post(cancel)).json().content).toMatchObject({ state: 'done' })
  expect(await visits.bookings.get(id)).toMatchObject({ status: 'cancelled' })
  const mails = (await visits.readMails()).filter(({ to_address: to }) => to === visitor.email)
  expect(mails.map(({ subject }) => subject)).toEqual(['Confirmed: Engine visit', 'Cancelled: Engine visit'])
  expect((await visits.book()).response.statusCode).toBe(201) // the time is free again
})

test('the links in the mail move the booking; a taken time is refused and the booking keeps its time', async () => {
  const { id, move } = await visits.bookWithLinks({ notes: 'Secret', phone: '+44 20 7946 0118' })
  await visits.book({ start_time: at('11:00') })
  const opened = await visits.get(`${move}?date=2026-11-24`)
  expect(opened.json().content).toMatchObject({ state: 'open', booking: { when: 'Tuesday, 24 November 2026, 10:00 to 10:30' } })
  expect(opened.body).not.toMatch(/Secret|7946|Mary/)
  const labels = opened.json().content.move.choice.times.map(({ label }: { label: string }) => label)
  expect(labels).toContain('10:00 to 10:30') // its own time
  expect(labels).not.toContain('11:00 to 11:30')
  const readLabels = async (query: Record<string, string>): Promise<string[]> => {
    const times: TimesResponse = (
      await createVisitor(app, ada, link).times({ timezone: 'Europe/London', from: '2026-11-24', days: '1', ...query })
    ).json()
    return times.days.flatMap((day) => day.times.map(({ label }) => label))
  }
  expect(await readLabels({ move: move.split('/').at(-1) ?? '' })).toEqual(labels) // as the script of the page asks
  for (const token of ['', 'a.b']) expect(await readLabels({ move: token })).not.toContain('10:00 to 10:30')
  const refused = await visits.post(move, { start_time: at('11:00'), timezone: 'Europe/London' })
  expect([refused.statusCode, refused.json().content.problem.message]).toEqual([
    422,
    'This time has just been taken. Please choose another.',
  ])
  expect(refused.json().content.problem.nearest).toHaveLength(3)
  const moved = await visits.post(move, { start_time: at('12:00'), timezone: 'Europe/London' })
  expect(moved.json().content).toMatchObject({ state: 'done', booking: { when: 'Tuesday, 24 November 2026, 12:00 to 12:30' } })
  expect(await visits.bookings.get(id)).toMatchObject({ start_time: '2026-11-24T12:00:00Z', end_time: '2026-11-24T12:30:00Z' })
  expect((await visits.book()).response.statusCode).toBe(201)
})

test('a form that a link in the mail opens redirects to an address that shows the outcome as long as it is true, also when it is loaded again', async () => {
  const { id, move, cancel } = await visits.bookWithLinks()
  const send = async (url: string, payload: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://foyer.test' }
    const response = await app.server.inject({ method: 'POST', url, headers, payload })
    return { status: response.statusCode, address: String(response.headers.location) }
  }
  const readState = async (url: string): Promise<string> => (await visits.get(url)).json().content.state
  const moved = await send(move, new URLSearchParams({ start_time: at('12:00'), timezone: 'Europe/London' }).toString())
  expect([moved.status, await readState(moved.address), await readState(moved.address)]).toEqual([303, 'done', 'done'])
  await visits.bookings.edit(id, { start_time: at('13:00'), end_time: at('13:30') })
  expect(await readState(moved.address)).toBe('open')
  const cancelled = await send(cancel, '')
  expect([cancelled.status, await readState(cancelled.address), await readState(cancelled.address)]).toEqual([303, 'done', 'done'])
  expect([await readState(cancel), await readState(moved.address)]).toEqual(['cancelled', 'cancelled'])
})

test('the links in the mail open pages that send their addresses, which contain a token, only to this website', async () => {
  const { move, cancel } = await visits.bookWithLinks()
  for (const url of [move, cancel, '/booking/move/unknown']) expect((await visits.get(url)).headers['referrer-policy']).toBe('same-origin')
})

test('the links in the mail move a booking only as often as mails to its email are allowed', async () => {
  const { move } = await visits.bookWithLinks()
  const problems = []
  for (const hour of [11, 12, 13, 11, 12, 13, 11, 12, 13, 11, 12])
    problems.push((await visits.post(move, { start_time: at(`${hour}:00`), timezone: 'UTC' })).json().content.problem)
  expect(problems.filter((problem) => problem === null)).toHaveLength(9) // the first of ten mails confirmed the booking
  expect(problems.at(-1)).toMatchObject({ message: 'Too many tries. Please wait a moment.' })
})

test('the links in the mail count every move, also while the email is removed, but not tries to move to a taken time', async () => {
  const { id, move } = await visits.bookWithLinks()
  await visits.book({ start_time: at('14:00') })
  const moveTo = async (time: string) =>
    (await visits.post(move, { start_time: at(time), timezone: 'UTC' })).json().content.problem?.message
  for (let tries = 0; tries < 11; tries++) expect(await moveTo('14:00')).toBe('This time has just been taken. Please choose another.')
  expect(await moveTo('11:00')).toBeUndefined()
  await visits.bookings.edit(id, { attendee_email: '' })
  const messages = []
  for (const hour of [12, 13, 11, 12, 13, 11, 12, 13, 11]) messages.push(await moveTo(`${hour}:00`))
  // the confirmation and the first move were counted before
  expect(messages.filter((message) => message !== undefined)).toEqual(['Too many tries. Please wait a moment.'])
})

test('the links in the mail are valid for one purpose and one booking; altered links get 404, and an invalid time gets 422', async () => {
  const { move, cancel } = await visits.bookWithLinks()
  const token = cancel.split('/').at(-1) ?? ''
  for (const url of [cancel.replace('cancel', 'move'), move.replace('move', 'cancel'), `${cancel}x`, cancel.replace(token, 'a.b')]) {
    expect([(await visits.get(url)).statusCode, (await visits.post(url)).statusCode]).toEqual([404, 404])
  }
  const bad = await app.server.inject({
    method: 'POST',
    url: `/api/public/booking-changes/${move.split('/').at(-1)}/move`,
    headers: { 'idempotency-key': 'a' },
    payload: { start_time: 'noon', timezone: 'Mars/Base' },
  })
  // the time zone is checked only when the time is valid
  expect([bad.statusCode, Object.keys(bad.json().fields)]).toEqual([422, ['start_time']])
  const direct = await app.server.inject({
    method: 'POST',
    url: `/api/public/booking-changes/${token}/move`,
    headers: { 'idempotency-key': 'a' },
    payload: { start_time: at('12:00'), timezone: 'UTC' },
  })
  expect(direct.statusCode).toBe(404)
})

test('the links in the mail say why a booking cannot be changed: it is over, too soon, or its link is inactive', async () => {
  const late = await addLink(ada, { availability: everyDay('09:00', '17:00'), cutoff_minutes: 24 * 60 })
  const { move, cancel } = await visits.bookWithLinks({ start_time: at('10:00', 25) }, late)
  clock.set(at('10:30'))
  expect((await visits.post(cancel)).json().content).toMatchObject({ state: 'late', cutoff: '1 day' })
  clock.set(at('10:30', 25))
  expect((await visits.post(cancel)).json().content).toMatchObject({ state: 'past' })
  clock.set(at('08:00', 23))
  await recordsOf(ada, '/api/booking-links').edit(late.id, { is_active: false })
  expect((await visits.get(move)).json().content).toMatchObject({ state: 'closed' })
  expect((await visits.post(move, { start_time: at('11:00'), timezone: 'UTC' })).json().content).toMatchObject({ state: 'closed' })
})

test('the confirmation of a booking, with the links to change it, stays when its link is deactivated or deleted', async () => {
  const { response } = await visits.book()
  const { address } = response.json()
  const links = recordsOf(ada, '/api/booking-links')
  const { booked } = (await visits.get(address)).json().content
  const moved = await visits.get(`${new URL(booked.move_url).pathname}?moved_to=${at('10:00')}`)
  expect(moved.json().content).toMatchObject({ state: 'done', move_url: booked.move_url, cancel_url: booked.cancel_url })
  await links.edit(link.id, { is_active: false })
  const shown = await visits.get(address)
  expect([shown.statusCode, shown.json().content]).toMatchObject([200, { kind: 'booked', booked: { ...booked, move_url: '' } }])
  expect((await visits.get(new URL(booked.move_url).pathname)).json().content).toMatchObject({
    state: 'closed',
    cancel_url: booked.cancel_url,
  })
  await links.remove(link.id)
  expect((await visits.get(address)).json().content).toMatchObject({ kind: 'booked', title: 'Engine visit', owner_name: 'ada' })
  expect((await visits.post(new URL(booked.cancel_url).pathname)).json().content).toMatchObject({ state: 'done' })
  expect((await visits.get(address)).json().content).toEqual({ kind: 'missing' })
})

test('links to change a booking are offered neither in the mail nor on the page when it cannot be changed any more', async () => {
  const limited = await addLink(ada, { availability: everyDay('09:00', '17:00'), cutoff_minutes: 24 * 60 })
  for (const [day, canChange] of [
    [23, false],
    [25, true],
  ] as const) {
    const { response, visitor } = await visits.book({ start_time: at('10:00', day) }, limited)
    const { content } = (await visits.get(response.json().address)).json()
    expect([content.booked.can_change, content.cutoff]).toEqual([canChange, '1 day'])
    const [mail] = (await visits.readMails()).filter(({ to_address: to }) => to === visitor.email)
    const [, changes] = /\(London, GMT\)\s+([^]*)/.exec(mail?.content ?? '') ?? []
    expect(changes).toMatch(
      canChange
        ? /^To move it: \S+\s+To cancel it: \S+\s+You can move or cancel it until 1 day before it begins\.\n$/
        : /^It can no longer be moved or cancelled online\. To change it, contact ada\.\n$/,
    )
  }
})

test('the links in the mail let at most one of many visitors book the time of a cancelled booking', async () => {
  const { cancel } = await visits.bookWithLinks()
  const requests = visits.bookAtOnce(Array.from({ length: 20 }, () => ({ link, body: { start_time: at('10:00') } })))
  const [, responses] = await Promise.all([visits.post(cancel), requests])
  expect(responses.filter(({ statusCode }) => statusCode === 201).length).toBeLessThanOrEqual(1)
  expect((await visits.bookings.list({ filter: [{ field: 'status', is: ['confirmed'] }] })).rows.length).toBeLessThanOrEqual(1)
})

test('a link in the mail moves a booking to a time that another visitor books at the same moment only if that booking is refused', async () => {
  const { id, move } = await visits.bookWithLinks()
  const [moved, [booked]] = await Promise.all([
    visits.post(move, { start_time: at('12:00'), timezone: 'UTC' }),
    visits.bookAtOnce([{ link, body: { start_time: at('12:00') } }]),
  ])
  const { start_time: start } = await visits.bookings.get(id)
  expect([moved.statusCode, booked?.statusCode]).toEqual(start === '2026-11-24T12:00:00Z' ? [200, 409] : [422, 201])
})

test('calendar files add, change and remove one appointment, and a name cannot add lines', async () => {
  const name = `Eve ATTENDEE:mailto:x@evil BEGIN:VALARM "${'é🎉'.repeat(40)}`
  const { move, cancel } = await visits.bookWithLinks({ name: `Eve\r\nATTENDEE:mailto:x@evil\r\nBEGIN:VALARM "${'é🎉'.repeat(40)}` })
  await visits.post(move, { start_time: at('12:00'), timezone: 'UTC' })
  await visits.post(cancel)
  const files = (await visits.readMails()).filter(({ to_address: to }) => to === ada.email).map(({ calendar }) => calendar)
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

test('with mail off, mails stay in the outbox of their owner with the reason, and cannot be sent from there', async () => {
  await visits.book()
  expect((await visits.readMails()).map(({ state }) => state)).toEqual(['off', 'off'])
  const { rows }: { rows: { id: string; problem: string }[] } = (await ada.send({ url: '/api/outbox' })).json()
  expect(rows).toMatchObject([{ problem: 'Not sent: no mail server configured' }, { to_address: expect.any(String) }])
  const again = await ada.send({ method: 'POST', url: `/api/outbox/${rows[0]?.id}/send` })
  expect([again.statusCode, again.json().code]).toEqual([409, 'mail_off'])
})

const originalTimezone = process.env['TZ']

test.each(['UTC', 'America/Vancouver'])(
  'calendar, lists, pages and mails show the same time of a booking when the time zone of the server is %s',
  async (serverZone) => {
    process.env['TZ'] = serverZone
    try {
      const night = await addLink(ada, { availability: everyDay('01:00', '04:00'), window_days: 400 })
      await app.tableOwner.query(`update profiles set timezone = 'America/New_York' where user_id = $1`, [ada.id])
      const visitor = createVisitor(app, ada, night)
      const query = { timezone: 'America/New_York', from: '2027-11-07', days: '1' }
      const offered: TimesResponse = (await visitor.times(query)).json()
      // the clocks show 01:30 twice on this day; the first time is offered
      const time = { start_time: '2027-11-07T05:30:00.000Z' }
      const first = offered.days[0]?.times[1]
      expect([first, (await visitor.page('?timezone=America/New_York&date=2027-11-07')).content.choice.times[1]]).toMatchObject([
        { start_time: time.start_time, label: '01:30 EDT (UTC-4) to 01:00 EST (UTC-5)' },
        { start_time: time.start_time },
      ])
      const { response } = await visits.book({ start_time: time.start_time, timezone: 'America/New_York' }, night)
      const { id }: { id: string } = response.json()
      const stored = await visits.bookings.get(id)
      const calendar = await ada.send({ url: '/api/bookings/calendar?from=2027-11-07&to=2027-11-08' })
      const ofContact = await visits.bookings.list({
        filter: [{ field: 'contact_id', is: [String(stored['contact_id'])] }],
        sort: 'start_time',
      })
      expect(calendar.json().rows[0]).toMatchObject({ shown_start: '01:30', shown_zone: 'EDT (UTC-4)' })
      const starts = [stored, calendar.json().rows[0], ofContact.rows[0]].map((row) => Date.parse(String(row?.start_time)))
      expect(starts).toEqual(starts.map(() => Date.parse(time.start_time)))
      const [mail] = await visits.readMails()
      expect(mail?.content).toContain('Sunday, 7 November 2027, 01:30 EDT (UTC-4) to 01:00 EST (UTC-5) (New York, EDT (UTC-4))')
      expect(mail?.calendar).toContain('DTSTART:20271107T053000Z')
    } finally {
      if (originalTimezone === undefined) delete process.env['TZ']
      else process.env['TZ'] = originalTimezone
    }
  },
)
