// What visitors can do after the owner has changed their booking or its link, and with a page that they send again.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingLink } from '#contract/bookingLinks.ts'
import type { TimesResponse } from '#contract/publicBookings.ts'
import { newId } from '#server/platform/database/uuid.ts'
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
afterAll(() => app.stop())
beforeEach(async () => {
  clock.set('2026-11-23T08:00:00Z')
  ada = await signInAs(app, 'ada')
  link = await addLink(ada, { availability: everyDay('09:00', '17:00') })
  visits = createVisits(app, clock, ada, link)
})

test.each([
  ['cancels', 'cancelled', 'Booking cancelled: Engine visit'],
  ['moves', 'confirmed', 'Booking moved: Engine visit'],
])(
  'after the owner has removed the email, the visitor still %s the booking, and only the owner gets a mail',
  async (action, status, subject) => {
    const { id, cancel, move } = await visits.bookWithLinks()
    await visits.bookings.edit(id, { attendee_email: '' })
    const sent = await (action === 'cancels' ? visits.post(cancel) : visits.post(move, { start_time: at('12:00'), timezone: 'UTC' }))
    expect([sent.statusCode, sent.json().content.state], sent.body).toEqual([200, 'done'])
    expect(await visits.bookings.get(id)).toMatchObject({ status })
    const mails = await visits.readMails()
    expect(mails.at(-1)).toMatchObject({ to_address: ada.email, subject })
    expect(mails.map(({ to_address: to }) => to)).not.toContain('')
  },
)

test('after the owner has corrected the email, the links for the previous email can neither change nor show the booking', async () => {
  const { response, visitor } = await visits.book()
  const { id, address } = response.json<{ id: string; address: string }>()
  const { cancel_url: cancelUrl, move_url: moveUrl } = (await visits.get(address)).json().content.booked
  const [cancel, move] = [cancelUrl, moveUrl].map((url) => String(url).replace('http://foyer.test', ''))
  await visits.bookings.edit(id, { attendee_email: 'right@example.org' })
  expect((await visits.get(address)).json().content.booked).toBeNull()
  for (const url of [cancel ?? '', move ?? '']) expect((await visits.get(url)).statusCode).toBe(404)
  expect((await visits.post(cancel ?? '')).statusCode).toBe(404)
  expect((await visits.post(move ?? '', { start_time: at('12:00'), timezone: 'UTC' })).statusCode).toBe(404)
  expect(await visits.bookings.get(id)).toMatchObject({ status: 'confirmed', start_time: '2026-11-24T10:00:00Z' })
  const times = await visitor.times({ from: '2026-11-24', days: '1', move: move?.split('/').at(-1) ?? '' })
  // with a valid link the booked time itself would be offered too
  expect([times.statusCode, times.body.includes('2026-11-24T10:00:00')]).toEqual([200, false])
  await visits.bookings.edit(id, { attendee_email: visitor.email.toUpperCase() })
  expect((await visits.post(cancel ?? '')).json().content).toMatchObject({ state: 'done' })
})

test('a move from a page that was opened before the owner has moved the booking is refused, and can be sent again', async () => {
  const { id, move } = await visits.bookWithLinks()
  const opened = (await visits.get(move)).json().content.move.booked_start
  await visits.bookings.edit(id, { start_time: at('11:00'), end_time: at('11:30') })
  for (const chosen of [at('10:00'), at('14:00')]) {
    const refused = await visits.post(move, { start_time: chosen, timezone: 'UTC', booked_start: opened })
    expect([refused.statusCode, refused.json().content.problem.fields]).toEqual([
      422,
      { start_time: 'This booking was moved since you opened the page. Its time is above. Choose again.' },
    ])
    expect(refused.json().content).toMatchObject({ booking: { when: 'Tuesday, 24 November 2026, 11:00 to 11:30' } })
    expect(await visits.bookings.get(id)).toMatchObject({ start_time: '2026-11-24T11:00:00Z' })
    expect(refused.json().content.move.booked_start).toBe('2026-11-24T11:00:00.000Z')
  }
  const moved = await visits.post(move, { start_time: at('14:00'), timezone: 'UTC', booked_start: at('11:00') })
  expect(moved.json().content).toMatchObject({ state: 'done' })
})

test('a moved booking gets the buffers that its link has at the time of the move', async () => {
  const buffered = await addLink(ada, { availability: everyDay('09:00', '17:00'), buffer_before_minutes: 60 })
  const { id, move } = await visits.bookWithLinks({ start_time: at('14:00') }, buffered)
  const links = recordsOf(ada, '/api/booking-links')
  await links.edit(buffered.id, { buffer_before_minutes: 0 })
  expect((await visits.book({ start_time: at('10:30') }, buffered)).response.statusCode).toBe(201)
  const moved = await visits.post(move, { start_time: at('11:00'), timezone: 'UTC' })
  expect(moved.json().content, moved.body).toMatchObject({ state: 'done' })
  await links.edit(buffered.id, { buffer_before_minutes: 60 })
  expect((await visits.post(move, { start_time: at('15:00'), timezone: 'UTC' })).json().content).toMatchObject({ state: 'done' })
  expect((await visits.book({ start_time: at('14:30') })).response.json()).toMatchObject({ code: 'slot_taken' })
  expect(await visits.bookings.get(id)).toMatchObject({ start_time: '2026-11-24T15:00:00Z' })
})

test('after the owner has moved a booking, its page can be sent again only with the same key, and not after a cancellation', async () => {
  const visitor = createVisitor(app, ada, link)
  const page = await visitor.open()
  clock.pass(10)
  const send = (key: string) => visitor.send({ start_time: at('10:00'), ...page }, key)
  const { id } = (await send('again')).json<{ id: string }>()
  const links = recordsOf(ada, '/api/booking-links')
  await visits.bookings.edit(id, { start_time: at('14:00'), end_time: at('14:30') })
  await links.edit(link.id, { is_active: false })
  expect((await send('again')).json()).toMatchObject({ id, start_time: '2026-11-24T14:00:00Z' })
  expect((await send('another')).json()).toMatchObject({ code: 'visit_refused' })
  await visits.bookings.edit(id, { status: 'cancelled' })
  for (const key of ['again', 'another']) {
    const refused = await send(key)
    expect([refused.statusCode, refused.json().code], refused.body).toEqual([409, 'visit_refused'])
  }
})

test('the page of one link books nothing on another link', async () => {
  const { page, visitor } = await visits.book()
  const other = await addLink(ada, { availability: everyDay('09:00', '17:00') })
  const response = await app.server.inject({
    method: 'POST',
    url: `/api/public/booking-links/${other.id}/bookings`,
    remoteAddress: visitor.remoteAddress,
    headers: { 'idempotency-key': 'other' },
    payload: { start_time: at('10:00'), timezone: 'Europe/London', name: 'Mary Somerville', email: visitor.email, ...page },
  })
  expect([response.statusCode, (await visits.bookings.list()).rows.length], response.body).toEqual([409, 1])
})

test('the first correction by a page that is sent again is stored, but nothing overwrites a booking that was changed since', async () => {
  const field = { id: newId(), field_name: 'floor', field_label: 'Floor', field_type: 'text', is_required: true }
  const asked = await addLink(ada, { availability: everyDay('09:00', '17:00'), questions: { fields: [field] } })
  const { visitor, page, response } = await visits.book({ values: { floor: '3' }, phone: '020 7946 0118' }, asked)
  const { id } = response.json<{ id: string }>()
  const send = (body: object) => visitor.send({ start_time: at('10:00'), ...page, ...body })
  const same = await send({ values: { floor: '3' }, phone: '020 7946 0118' })
  expect([same.json().id, (await visits.bookings.get(id)).version]).toEqual([id, 1])
  const corrected = { values: { floor: '4' }, phone: '020 7946 0119', name: 'Mary Greig', notes: 'Brings the plans' }
  const sentAgain = await send(corrected)
  expect([sentAgain.statusCode, sentAgain.json().id], sentAgain.body).toEqual([201, id])
  const stored = { attendee_name: 'Mary Greig', attendee_phone: '020 7946 0119', notes: 'Brings the plans', status: 'confirmed' }
  const answers = { values: [{ label: 'Floor', text: '4', type: 'text' }] }
  expect(await visits.bookings.get(id)).toMatchObject({ ...stored, answers })
  // the correction has changed the booking, so a second correction is not stored
  expect((await send({ ...corrected, notes: 'Brings nothing' })).json().id).toBe(id)
  expect(await visits.bookings.get(id)).toMatchObject({ ...stored, answers })
})

test('a repeated request gets its booking again after the owner has renamed a question', async () => {
  const field = { id: newId(), field_name: 'floor', field_label: 'Floor', field_type: 'text', is_required: true }
  const asked = await addLink(ada, { availability: everyDay('09:00', '17:00'), questions: { fields: [field] } })
  const visitor = createVisitor(app, ada, asked)
  const page = await visitor.open()
  clock.pass(10)
  const send = () => visitor.send({ start_time: at('10:00'), ...page, values: { floor: '3' } }, 'again')
  const { id } = (await send()).json<{ id: string }>()
  await recordsOf(ada, '/api/booking-links').edit(asked.id, { questions: { fields: [{ ...field, field_label: 'Storey' }] } })
  const repeated = await send()
  expect([repeated.statusCode, repeated.json().id], repeated.body).toEqual([201, id])
  expect(await visits.bookings.get(id)).toMatchObject({ answers: { values: [{ label: 'Floor', text: '3', type: 'text' }] } })
})

test('a page whose booking was cancelled is refused when it is sent again', async () => {
  const { visitor, page, response } = await visits.book()
  await visits.bookings.edit(response.json().id, { status: 'cancelled' })
  const again = await visitor.send({ start_time: '2026-11-24T10:00:00Z', ...page })
  expect([again.statusCode, again.json().code]).toEqual([409, 'visit_refused'])
  expect((await visits.bookings.list()).rows).toHaveLength(1)
})

test('without script, a refused form can be corrected at once', async () => {
  const { parts } = await createVisitor(app, ada, link).page()
  clock.pass(10)
  const fields = { link_id: link.id, timezone: 'Europe/London', start_time: at('10:00'), name: 'Mary', phone: '', notes: '' }
  const wrong = await visits.post(`/book/${link.slug}`, { ...fields, page_token: parts.token, email: 'mary' })
  expect(wrong.statusCode).toBe(422)
  clock.pass(2)
  const corrected = await visits.post(`/book/${link.slug}`, { ...fields, page_token: wrong.json().parts.token, email: 'mary@example.org' })
  expect([corrected.statusCode, corrected.json().content.booked?.when], corrected.body).toEqual([
    200,
    'Tuesday, 24 November 2026, 10:00 to 10:30',
  ])
})

const shown = { date: '2026-11-24', timezone: 'Europe/London', listed_date: '2026-11-24', listed_timezone: 'Europe/London' }
const refused = { message: 'Please check what is marked below.', fields: { start_time: 'Choose a time on this day.' } }

test.each([
  ['day', { date: '2026-12-18' }, { date: '2026-12-18', timezone: 'Europe/London' }, '2026-12-18T09:00:00.000Z'],
  ['zone', { timezone: 'Asia/Tokyo' }, { date: '2026-11-24', timezone: 'Asia/Tokyo' }, '2026-11-23T15:00:00.000Z'],
])(
  'without script, a time from the list of another day or zone is not booked; the page shows the times of the chosen %s, and what was entered',
  async (_name, chosen, choice, firstTime) => {
    const { parts } = await createVisitor(app, ada, link).page()
    clock.pass(10)
    const entered = { name: 'Mary', email: 'mary@example.org', phone: '', notes: 'Third floor' }
    const fields = { ...shown, ...entered, link_id: link.id, page_token: parts.token, start_time: at('10:00') }
    const sent = await visits.post(`/book/${link.slug}`, { ...fields, ...chosen })
    const { content } = sent.json()
    expect([sent.statusCode, content.problem], sent.body).toEqual([422, { ...refused, nearest: [] }])
    expect([content.choice, content.values]).toMatchObject([choice, entered])
    expect(content.choice.times[0].start_time).toBe(firstTime)
    expect((await visits.bookings.list()).rows).toEqual([])
    const listed = { ...choice, listed_date: choice.date, listed_timezone: choice.timezone }
    const nearest = { start_time: at('09:00', 25) } // a time of another day, which the list offers if it is near a taken time
    const corrected = await visits.post(`/book/${link.slug}`, { ...fields, ...listed, ...nearest })
    expect(corrected.json().content.booked, corrected.body).not.toBeNull()
  },
)

test('without script, a time from the list of another day or zone does not become the new time of a booking that is moved', async () => {
  const { id, move } = await visits.bookWithLinks()
  const sent = await visits.post(move, { ...shown, date: '2026-12-18', start_time: at('12:00') })
  expect([sent.statusCode, sent.json().content.problem]).toEqual([422, { ...refused, nearest: [] }])
  expect(sent.json().content.move.choice.date).toBe('2026-12-18')
  expect(await visits.bookings.get(id)).toMatchObject({ start_time: '2026-11-24T10:00:00Z' })
})

const readChoice = async (address: string) => (await visits.get(address)).json().content.move.choice

test('the page that moves a booking opens on the day of the booking with its time, or on the first day with times if this day has none', async () => {
  const { move } = await visits.bookWithLinks({ start_time: at('10:00', 26) })
  const day = { date: '2026-11-26', start_time: '2026-11-26T10:00:00.000Z' }
  expect(await readChoice(move)).toMatchObject(day)
  expect(await readChoice(`${move}?timezone=Pacific/Auckland`)).toMatchObject({ date: '2026-11-26', timezone: 'Pacific/Auckland' })
  expect(await readChoice(`${move}?date=2026-11-25`)).toMatchObject({ date: '2026-11-25' })
  const availability = {
    ...everyDay('09:00', '17:00'),
    days_off: ['2026-11-23', '2026-11-26'].map((dayOff) => ({ from: dayOff, to: dayOff })),
  }
  await recordsOf(ada, '/api/booking-links').edit(link.id, { availability })
  expect(await readChoice(move)).toMatchObject({ date: '2026-11-24', start_time: '' })
  expect(await readChoice(`${move}?date=2026-11-26`)).toMatchObject({ date: '2026-11-26', times: [] })
})

test('the page that moves a booking gives a program the same response when it repeats its request with the same key', async () => {
  const { move } = await visits.bookWithLinks()
  const send = () =>
    app.server.inject({
      method: 'POST',
      url: `/api/public/booking-changes/${move.split('/').at(-1)}/move`,
      headers: { 'idempotency-key': 'once' },
      payload: { start_time: at('12:00'), timezone: 'Europe/London' },
    })
  for (const response of [await send(), await send()]) expect([response.statusCode, response.json()]).toEqual([200, { state: 'done' }])
})

test('the page that moves a booking says that the booking has the chosen time already, unless the same form has moved it', async () => {
  const { id, move, visitor } = await visits.bookWithLinks()
  const { booked_start: bookedStart } = (await visits.get(move)).json().content.move
  const moveTo = async (time: string) =>
    (await visits.post(move, { start_time: at(time), timezone: 'Europe/London', booked_start: bookedStart })).json().content
  const message = 'This is the time of your booking already. Choose another time.'
  expect(await moveTo('10:00')).toMatchObject({ state: 'open', problem: { fields: { start_time: message } } })
  for (let times = 0; times < 2; times++) expect(await moveTo('12:00')).toMatchObject({ state: 'done', problem: null })
  expect(await visits.bookings.get(id)).toMatchObject({ start_time: '2026-11-24T12:00:00Z' })
  const mails = (await visits.readMails()).filter(({ to_address: to }) => to === visitor.email)
  expect(mails.map(({ subject }) => subject)).toEqual(['Confirmed: Engine visit', 'Moved: Engine visit'])
})

test('each offered day has the offset of its zone on that day', async () => {
  clock.set('2026-10-31T08:00:00Z')
  const times: TimesResponse = (await createVisitor(app, ada, link).times({ timezone: 'America/New_York', days: '3' })).json()
  expect(times.days.map(({ timezone_label: label }) => label)).toEqual([
    'New York, EDT (UTC-4)',
    'New York, EST (UTC-5)', // the clocks are set back before the first time of this day
    'New York, EST (UTC-5)',
  ])
})

test('the times around a change of the clocks have different labels', async () => {
  clock.set('2026-10-30T08:00:00Z')
  const allDay = await addLink(ada, { availability: everyDay('00:00', '24:00'), notice_minutes: 0 })
  const query = { timezone: 'America/New_York', from: '2026-11-01', days: '1' }
  const times: TimesResponse = (await createVisitor(app, ada, allDay).times(query)).json()
  const labels = times.days.flatMap((day) => day.times.map(({ label }) => label))
  expect(new Set(labels).size).toBe(labels.length)
  expect(labels.slice(1, 7)).toEqual([
    '00:30 EDT (UTC-4) to 01:00 EDT (UTC-4)',
    '01:00 EDT (UTC-4) to 01:30 EDT (UTC-4)',
    '01:30 EDT (UTC-4) to 01:00 EST (UTC-5)',
    '01:00 EST (UTC-5) to 01:30 EST (UTC-5)',
    '01:30 EST (UTC-5) to 02:00 EST (UTC-5)',
    '02:00 to 02:30',
  ])
})
