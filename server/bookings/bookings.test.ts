import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let bookings: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  bookings = recordsOf(ada, '/api/bookings')
})

/** Returns the start and the end of a booking on a day of December 2026, in UTC. */
const at = (day: number, from: string, to: string) => ({
  start_time: `2026-12-${String(day).padStart(2, '0')}T${from}:00Z`,
  end_time: `2026-12-${String(day).padStart(2, '0')}T${to}:00Z`,
})

test('a new booking is confirmed and shows its link and its contact; when the link is deleted, the booking stays without it', async () => {
  const link = await recordsOf(ada, '/api/booking-links').add({ title: 'Engine', color: '#AA0000' })
  const contact = await recordsOf(ada, '/api/contacts').add({ first_name: 'Mary', last_name: 'Somerville' })
  const { id } = await bookings.add({ title: 'Tea', ...at(1, '09:00', '09:30'), booking_link_id: link.id, contact_id: contact.id })
  expect(await bookings.get(id)).toMatchObject({
    title: 'Tea',
    ...at(1, '09:00', '09:30'),
    status: 'confirmed',
    timezone: 'UTC',
    attendee_name: '',
    booking_link_title: 'Engine',
    booking_link_color: '#AA0000',
    contact_name: 'Mary Somerville',
  })
  expect((await recordsOf(ada, '/api/booking-links').list()).rows).toMatchObject([{ booking_count: 1 }])
  expect(
    (await bookings.list({ filter: [{ field: 'contact_id', is: [contact.id] }], sort: 'start_time', order: 'desc' })).rows,
  ).toMatchObject([{ id }])
  await recordsOf(ada, '/api/booking-links').remove(link.id)
  expect(await bookings.get(id)).toMatchObject({ booking_link_id: null, booking_link_title: '' })
})

test('back-to-back bookings are stored; an overlap is refused for this owner and not for another one', async () => {
  await bookings.add({ title: 'A', ...at(1, '10:00', '10:30') })
  await bookings.add({ title: 'B', ...at(1, '10:30', '11:00') })
  const overlapping = { title: 'C', ...at(1, '10:15', '10:45') }
  const response = await bookings.post('', overlapping)
  expect([response.statusCode, response.json().fields]).toEqual([422, { start_time: 'Another booking takes this time' }])
  await recordsOf(await signInAs(app, 'grace'), '/api/bookings').add(overlapping)
})

test('the time of a cancelled booking is free at once; the booking cannot be confirmed again while another one has this time', async () => {
  const { id } = await bookings.add({ title: 'A', ...at(1, '10:00', '10:30') })
  const cancel = await bookings.patch(id, { status: 'cancelled' })
  expect(await readLabel(ada, cancel)).toBe('Cancelled booking')
  await bookings.add({ title: 'B', ...at(1, '10:00', '10:30') })
  const response = await ada.send({ method: 'POST', url: `/api/changes/${String(cancel.headers['foyer-change'])}/undo` })
  expect([response.statusCode, response.json().code]).toEqual([409, 'undo_blocked'])
  expect((await bookings.patch(id, { status: 'confirmed' })).statusCode).toBe(422)
})

test('a move has its own label in the history, and an undo moves the booking back', async () => {
  const { id } = await bookings.add({ title: 'A', ...at(1, '10:00', '10:30') })
  const move = await bookings.patch(id, at(2, '10:00', '11:00'))
  expect(await readLabel(ada, move)).toBe('Moved booking')
  await undo(ada, move)
  expect(await bookings.get(id)).toMatchObject(at(1, '10:00', '10:30'))
})

test.each([
  [{}, 'start_time'],
  [{ start_time: '2026-12-01T10:00:00Z', end_time: '2026-12-01T10:00:00Z' }, 'end_time'],
  [{ start_time: '2026-12-01T10:00:00.0001Z', end_time: '2026-12-01T10:00:00.9Z' }, 'end_time'],
  [{ start_time: '2026-12-01T10:00:00Z', end_time: '2026-12-09T10:00:00Z' }, 'end_time'],
  [{ start_time: '2026-12-01T10:00:00Z', end_time: '2026-12-01T09:00:00Z' }, 'end_time'],
  [{ start_time: '2026-12-01T10:00:00+16:00', end_time: '2026-12-01T11:00:00Z' }, 'start_time'],
  [{ start_time: '0026-12-01T10:00:00Z', end_time: '2026-12-01T10:00:00Z' }, 'start_time'],
  [{ ...at(1, '10:00', '10:30'), timezone: 'Europe/Nowhere' }, 'timezone'],
  [{ ...at(1, '10:00', '10:30'), status: 'lost' }, 'status'],
  [{ ...at(1, '10:00', '10:30'), attendee_email: 'nobody' }, 'attendee_email'],
])('%j is refused with a message for %s', async (fields, field) => {
  const response = await bookings.post('', { title: 'A', ...fields })
  expect(response.statusCode).toBe(422)
  expect(Object.keys(response.json().fields)).toContain(field)
})

test('an edit that would end a booking before its start is refused with a message for end_time', async () => {
  const { id } = await bookings.add({ title: 'A', ...at(1, '10:00', '10:30') })
  for (const edit of [{ end_time: '2026-12-01T09:00:00Z' }, { start_time: '2026-12-01T11:00:00Z' }])
    expect((await bookings.patch(id, edit)).json()).toMatchObject({
      status: 422,
      fields: { end_time: expect.stringContaining('after the start') },
    })
})

test('the calendar has all bookings that overlap the range, sorted by start; a reversed or too long range is refused', async () => {
  const overnight = await bookings.add({ title: 'Overnight', start_time: '2026-12-01T23:00:00Z', end_time: '2026-12-02T01:00:00Z' })
  const later = await bookings.add({ title: 'Later', ...at(2, '12:00', '12:30') })
  const cancelled = await bookings.add({ title: 'Cancelled', ...at(2, '10:00', '10:30'), status: 'cancelled' })
  await bookings.add({ title: 'Before', ...at(1, '09:00', '10:00') })
  await bookings.add({ title: 'After', ...at(3, '00:00', '01:00') })
  const read = (to: string) => ada.send({ url: `/api/bookings/calendar?from=2026-12-02&to=${to}` })
  const calendar: { rows: { id: string }[]; more: boolean } = (await read('2026-12-03')).json()
  expect(calendar.rows.map(({ id }) => id)).toEqual([overnight.id, cancelled.id, later.id])
  expect(calendar.more).toBe(false)
  expect((await read('2027-03-03')).statusCode).toBe(422)
  expect((await read('2026-12-01')).statusCode).toBe(422)
})

test('the days of the calendar are in the zone of the profile; each booking has its times in this zone and in its own zone', async () => {
  await ada.send({ method: 'PATCH', url: '/api/profile', payload: { timezone: 'America/New_York' } })
  // clocks in New York are set back on 1 November 2026 at 06:00 UTC
  await bookings.add({ title: 'A', start_time: '2026-11-01T03:45:00Z', end_time: '2026-11-01T04:15:00Z', timezone: 'Asia/Kathmandu' })
  await bookings.add({ title: 'B', start_time: '2026-11-02T04:30:00Z', end_time: '2026-11-02T05:00:00Z', timezone: 'UTC' })
  const read = async (from: string, to: string) => (await ada.send({ url: `/api/bookings/calendar?from=${from}&to=${to}` })).json().rows
  const [first, second] = await read('2026-11-01', '2026-11-02')
  expect(first).toMatchObject({
    title: 'A',
    local_start: '2026-10-31T23:45',
    local_end: '2026-11-01T00:15',
    shown_start: '09:30',
    shown_end: '10:00',
    shown_zone: 'UTC+5:45',
  })
  expect(second).toMatchObject({ title: 'B', local_start: '2026-11-01T23:30', local_end: '2026-11-02T00:00', shown_start: '04:30' })
  expect(await read('2026-11-02', '2026-11-03')).toEqual([])
  const zone = (await ada.send({ url: '/api/bookings/zone' })).json()
  expect(zone.timezone).toBe('America/New_York')
  const changes = zone.offsets.filter(({ from }: { from: string }) => from.startsWith('2026'))
  expect(changes).toEqual([
    { from: '2026-03-08T07:00:00.000Z', minutes: -240 },
    { from: '2026-11-01T06:00:00.000Z', minutes: -300 },
  ])
})

test('fifty requests for one time at the same time make one booking', async () => {
  const responses = await Promise.all(Array.from({ length: 50 }, () => bookings.post('', { title: 'A', ...at(5, '10:00', '10:30') })))
  const statuses = Map.groupBy(responses, ({ statusCode }) => statusCode)
  expect([statuses.get(201)?.length, statuses.get(422)?.length]).toEqual([1, 49])
})
