import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BookingRow } from '#contract/bookings.ts'
import { imara } from '#web/contacts/testing.ts'
import { changeResponse, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { makeBooking, makeCalendar, mockServerWith, visit } from './testing.ts'

const changeId = '01930000-0000-7000-8000-0000000000e1'
const monthAddress = '/bookings/calendar?day=2026-11-23'
const answers = {
  values: [
    { label: 'Which floor?', text: 'The third' },
    { label: 'Bought on', text: '2020-02-29', type: 'date' as const },
  ],
}
const weekAddress = '/bookings/calendar?view=week&day=2026-11-23'

beforeEach(() => setWindowWidth(1280))
afterEach(() => setWindowWidth(1024))

const findDay = (name: RegExp) => screen.findByRole('button', { name })

test('the month shows two start times per day, each in the zone of its booking, and lists the bookings of the selected day', async () => {
  const server = mockServerWith(
    makeBooking(1, 9),
    visit,
    makeBooking(2, 16),
    makeBooking(3, 17),
    makeBooking(4, 18, { status: 'cancelled' }),
  )
  await renderApp(monthAddress)
  const day = await findDay(/^Monday,? 23 November 2026, 4 appointments/) // without the cancelled one
  expect([...day.querySelectorAll('span')].map(({ textContent }) => textContent)).toEqual([
    'Monday, 23 November 2026, 4 appointments',
    '23',
    '09:00 Call 1',
    '09:00 in EST (UTC-5), 14:00 for you Site visit',
    ' in EST (UTC-5), 14:00 for you',
    '+2 more',
  ])
  expect(within(day).getByTitle('09:00 in EST (UTC-5), 14:00 for you: Site visit').querySelector('svg')).toBeTruthy()
  expect(within(day).getByTitle('09:00 Call 1').querySelector('svg')).toBeNull()
  expect(screen.getByRole('heading', { name: 'November 2026' })).toBeTruthy()
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Sun',
    'Mon',
    'Tue',
    'Wed',
    'Thu',
    'Fri',
    'Sat',
  ])
  const list = within(screen.getByRole('region', { name: 'Appointments of the day' }))
  const item = within(list.getByRole('link', { name: 'Site visit' }).closest('li') ?? document.body)
  expect(item.getByText('09:00 - 09:30')).toBeTruthy()
  expect(item.getByText('14:00 - 14:30 in Europe/London')).toBeTruthy()
  expect(item.getByRole('link', { name: 'Imara Vantongeren' }).getAttribute('href')).toBe(`/crm/contacts/${visit.contact_id}`)
  expect(item.getByRole('link', { name: 'imara@quillstone.example' }).getAttribute('href')).toBe('mailto:imara@quillstone.example')
  expect(item.getByRole('link', { name: '+44 20 7946 0118' }).getAttribute('href')).toBe('tel:+442079460118')
  expect(list.getByText('Cancelled')).toBeTruthy()
  expect(server.requestsTo('GET /api/bookings/calendar').map(({ query }) => query)).toEqual([{ from: '2026-11-01', to: '2026-12-06' }])
})

test('another day and other months are selected by click, by buttons and by keys', async () => {
  const server = mockServerWith(visit)
  const { router } = await renderApp(monthAddress)
  fireEvent.click(await findDay(/24 November 2026, no appointments/))
  expect(await screen.findByText('No appointments scheduled for this day.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Next month' }))
  expect(await screen.findByRole('heading', { name: 'December 2026' })).toBeTruthy()
  expect(router.state.location.search).toEqual({ day: '2026-12-24' })
  expect(server.requestsTo('GET /api/bookings/calendar').at(-1)?.query).toEqual({ from: '2026-11-29', to: '2027-01-03' })
  fireEvent.click(screen.getByRole('button', { name: 'Previous month' }))
  await screen.findByRole('heading', { name: 'November 2026' })
  fireEvent.keyDown(await findDay(/24 November 2026/), { key: 'ArrowLeft' })
  await waitFor(() => expect(router.state.location.search).toEqual({ day: '2026-11-23' }))
  fireEvent.keyDown(await findDay(/23 November 2026/), { key: 'PageDown' })
  await waitFor(() => expect(router.state.location.search).toEqual({ day: '2026-12-23' }))
  await waitFor(async () => expect(document.activeElement).toBe(await findDay(/23 December 2026/)))
  fireEvent.click(screen.getByRole('button', { name: 'Today' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

test('a calendar that cannot be loaded shows an error, and a button tries again', async () => {
  const server = mockServerWith(visit)
  server.setHandlers({ 'GET /api/bookings/calendar': problemResponse('not_found') })
  await renderApp(monthAddress)
  expect(await screen.findByRole('heading', { name: 'The calendar could not be loaded' })).toBeTruthy()
  server.setHandlers({ 'GET /api/bookings/calendar': makeCalendar([visit]) })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await findDay(/23 November 2026, 1 appointment/)).toBeTruthy()
})

test('in the week, a booking is moved and lengthened with the keyboard, and a toast offers Undo', async () => {
  const server = mockServerWith(visit)
  server.setHandlers({ 'PATCH /api/bookings/{id}': ({ body }) => changeResponse(changeId, { ...visit, ...Object(body), version: 3 }) })
  await renderApp(weekAddress)
  const booking = await screen.findByRole('link', { name: /^Site visit 14:00 - 14:30/ })
  const press = (key: string, shiftKey = false) => fireEvent.keyDown(document.activeElement ?? document.body, { key, shiftKey })
  booking.focus()
  press(' ')
  expect(screen.getByText(/^“Site visit” is lifted/)).toBeTruthy()
  press('ArrowDown')
  press('ArrowRight')
  press('ArrowDown', true)
  expect(
    screen
      .getByRole('link', { name: /^Site visit 14:15 - 15:00/ })
      .closest('[data-column]')
      ?.getAttribute('data-column'),
  ).toBe('2026-11-24')
  for (let days = 0; days < 7; days++) press('ArrowRight')
  expect(document.activeElement?.closest('[data-column]')?.getAttribute('data-column')).toBe('2026-11-28') // the last day that is shown
  for (let days = 0; days < 4; days++) press('ArrowLeft')
  press(' ')
  expect(await screen.findByText('Booking updated')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(server.requestsTo('PATCH /api/bookings/{id}')[0]?.body).toEqual({
    start_time: '2026-11-24T14:15:00.000Z',
    end_time: '2026-11-24T15:00:00.000Z',
    version: 2,
  })
})

test('the list of shortcuts has the keys that move a booking, only while the hours are shown', async () => {
  mockServerWith(visit)
  await renderApp(weekAddress)
  const booking = await screen.findByRole('link', { name: /^Site visit 14:00/ })
  fireEvent.keyDown(booking, { key: '?', shiftKey: true })
  const heading = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).getByText('Moving a booking')
  const rows = [...(heading.nextElementSibling?.children ?? [])]
  const texts = rows.map((row) => [row.querySelector('dt'), ...row.querySelectorAll('kbd')].map((cell) => cell?.textContent))
  expect(texts).toEqual([
    ['Lift the focused booking, then save it', 'Space'],
    ['Move it', '↑', '↓', '←', '→'],
    ['Change its length', 'Shift', '↑', 'Shift', '↓'],
    ['Put it back', 'Esc'],
  ])
  fireEvent.keyDown(heading, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.keyDown(booking, { key: 'm' })
  fireEvent.keyDown(await findDay(/23 November 2026/), { key: '?', shiftKey: true })
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  expect(dialog.queryByText('Moving a booking')).toBeNull()
})

test('Escape puts a lifted booking back, and a refused move shows the reason', async () => {
  const server = mockServerWith(visit)
  const taken = problemResponse('invalid', { fields: { start_time: 'Another booking takes this time' } })
  server.setHandlers({ 'PATCH /api/bookings/{id}': taken })
  await renderApp(weekAddress)
  await screen.findByRole('link', { name: /^Site visit 14:00/ })
  const press = (key: string) => fireEvent.keyDown(screen.getByRole('link', { name: /^Site visit/ }), { key })
  for (const key of [' ', 'ArrowDown', 'Escape']) press(key)
  expect(screen.getByRole('link', { name: /^Site visit 14:00/ })).toBeTruthy()
  expect(server.requestsTo('PATCH /api/bookings/{id}')).toEqual([])
  for (const key of [' ', 'ArrowUp', ' ']) press(key)
  expect(await screen.findByText('“Site visit” was not moved')).toBeTruthy()
  expect(screen.getByText('Another booking takes this time')).toBeTruthy()
  expect(await screen.findByRole('link', { name: /^Site visit 14:00/ })).toBeTruthy()
})

test('a key on another booking puts a lifted booking back, and Space lifts the other one', async () => {
  const server = mockServerWith(visit, makeBooking(1, 9))
  await renderApp(weekAddress)
  const press = (name: RegExp, key: string) => fireEvent.keyDown(screen.getByRole('link', { name }), { key })
  await screen.findByRole('link', { name: /^Site visit 14:00/ })
  press(/^Site visit/, ' ')
  press(/^Site visit/, 'ArrowDown')
  press(/^Call 1/, 'ArrowDown')
  expect(screen.getByText('“Site visit” stays where it is.')).toBeTruthy()
  press(/^Call 1/, ' ')
  press(/^Call 1/, 'ArrowDown')
  expect(screen.getByRole('link', { name: /^Call 1 09:15/ })).toBeTruthy()
  expect(screen.getByRole('link', { name: /^Site visit 14:00/ })).toBeTruthy()
  press(/^Call 1/, 'Escape')
  expect(server.requestsTo('PATCH /api/bookings/{id}')).toEqual([])
})

test('when a booking is added, its end moves with its start, also across a change of the clocks', async () => {
  const server = mockServerWith()
  server.setHandlers({ 'POST /api/bookings': ({ body }) => changeResponse(changeId, { ...visit, ...Object(body) }, 201) })
  await renderApp('/bookings/calendar/new?start=2027-03-27T09:00:00Z&end=2027-03-27T09:45:00Z&title=Tea')
  const date = await screen.findByLabelText<HTMLInputElement>('Start')
  expect(date.value).toBe('27/03/2027')
  expect(date.closest('fieldset')?.getAttribute('aria-describedby')).toBe(screen.getByText('In your time zone, Europe/London').id)
  expect(screen.getByLabelText<HTMLInputElement>('End, time').value).toBe('09:45')
  fireEvent.change(date, { target: { value: '28/03/2027' } }) // the clocks are set forward on this day
  fireEvent.change(screen.getByLabelText('Start, time'), { target: { value: '' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save booking' }))
  expect(await screen.findByText('Enter a time like 09:30')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Start, time'), { target: { value: '10:00' } })
  expect(screen.getByLabelText<HTMLInputElement>('End').value).toBe('28/03/2027')
  expect(screen.getByLabelText<HTMLInputElement>('End, time').value).toBe('10:45')
  for (const typed of ['2', '24/03/202', '24/03/2027']) fireEvent.change(date, { target: { value: typed } })
  expect(screen.getByLabelText<HTMLInputElement>('End').value).toBe('24/03/2027')
  fireEvent.change(date, { target: { value: '28/03/2027' } })
  fireEvent.change(screen.getByLabelText('End, time'), { target: { value: '11:00' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save booking' }))
  expect(await screen.findByText('Booking created')).toBeTruthy()
  expect(server.requestsTo('POST /api/bookings')[0]?.body).toEqual({
    id: expect.any(String),
    title: 'Tea',
    timezone: 'Europe/London',
    start_time: '2027-03-28T09:00:00Z',
    end_time: '2027-03-28T10:00:00Z',
  })
})

test('bookings whose clock time has changed with the rules of a zone are listed until they are dismissed', async () => {
  const server = mockServerWith(visit)
  const change = {
    booking_id: visit.id,
    title: 'Site visit',
    attendee_name: 'Imara Vantongeren',
    start_time: '2026-06-23T23:30:00.000Z', // 00:30 of the next day in London, where it is summer time
    timezone: 'America/New_York',
    before: 'Tuesday, 23 June 2026, 18:30',
    after: 'Tuesday, 23 June 2026, 19:30',
  }
  server.setHandlers({
    'GET /api/bookings/zone-changes': { rows: [change], count: 1 },
    'POST /api/bookings/zone-changes/dismiss': () => undefined,
  })
  await renderApp(monthAddress)
  const notice = within(await screen.findByRole('region', { name: 'Changed time zones' }))
  expect(notice.queryByRole('link')).toBeNull()
  fireEvent.click(notice.getByRole('button', { name: 'Show bookings' }))
  const link = notice.getByRole('link', { name: 'Site visit, Imara Vantongeren' })
  expect(link.getAttribute('href')).toContain('day=2026-06-24')
  const item = link.closest('li')
  expect(item?.textContent).toContain('Tuesday, 23 June 2026, 19:30 in America/New York, before: Tuesday, 23 June 2026, 18:30')
  server.setHandlers({ 'GET /api/bookings/zone-changes': { rows: [], count: 0 } })
  fireEvent.click(notice.getByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Changed time zones' })).toBeNull())
})

test('the time zone of the visitor is changed in the form', async () => {
  const server = mockServerWith(visit)
  server.setHandlers({ 'PATCH /api/bookings/{id}': changeResponse(changeId, { ...visit, timezone: 'Asia/Tokyo', version: 3 }) })
  await renderApp(`/bookings/calendar/${visit.id}/edit?day=2026-11-23`)
  const zone = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Time zone of the visitor' })
  expect(zone.value).toMatch(/^America\/New York/)
  act(() => zone.focus())
  fireEvent.change(zone, { target: { value: 'Tokyo' } })
  fireEvent.click(await screen.findByRole('option', { name: /^Asia\/Tokyo/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Save booking' }))
  expect(await screen.findByText('Booking updated')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/bookings/{id}')[0]?.body).toEqual({ timezone: 'Asia/Tokyo', version: 2 })
})

test('the panel shows the booking, and its buttons change the status', async () => {
  const server = mockServerWith({ ...visit, answers, answer_count: 1 })
  server.setHandlers({ 'PATCH /api/bookings/{id}': changeResponse(changeId, { ...visit, status: 'cancelled', version: 3 }) })
  await renderApp(`/bookings/calendar/${visit.id}?day=2026-11-23`)
  const panel = within(await screen.findByRole('complementary', { name: 'Booking' }))
  expect(await panel.findByText(/^Mon,? 23 Nov, 14:00 to 14:30$/)).toBeTruthy()
  expect(panel.getByText('America/New York')).toBeTruthy()
  expect(panel.getByText('Confirmed').hasAttribute('data-primary')).toBe(true)
  expect(panel.getByText('Parking behind the house.')).toBeTruthy()
  expect(panel.getByText('Which floor?').nextSibling?.textContent).toBe('The third')
  expect(panel.getByText('Bought on').nextSibling?.textContent).toMatch(/^Saturday,? 29 February 2020$/)
  fireEvent.click(panel.getByRole('button', { name: 'Cancel booking' }))
  expect(await screen.findByText('Booking cancelled')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/bookings/{id}')[0]?.body).toEqual({ status: 'cancelled' })
})

test('the tab of a contact has the appointments with type, time, status and notes, and their number', async () => {
  const call = makeBooking(1, 9, { status: 'no-show', booking_link_title: 'First call', notes: '[not a link](https://example.com)' })
  const answered = { ...visit, answers, answer_count: 1 }
  const server = mockServerWith(answered, call)
  server.setHandlers({
    'GET /api/contacts/{id}': { ...imara, id: visit.contact_id ?? '' },
    'GET /api/bookings': { rows: [answered, call].map((booking) => BookingRow.parse(booking)), next: null },
  })
  await renderApp(`/crm/contacts/${visit.contact_id}?tab=appointments`)
  expect(await screen.findByRole('link', { name: 'Appointments 2' })).toBeTruthy()
  const row = (await screen.findByRole('link', { name: 'Call 1' })).closest('li')
  expect(row?.textContent).toMatch(/^Call 1No-showFirst call · Mon,? 23 Nov, 09:00 to 09:30\[not a link\]\(https:\/\/example\.com\)$/)
  const first = screen.getByRole('link', { name: 'Site visit' }).closest('li') ?? document.body
  expect(within(first).getByText('Confirmed').hasAttribute('data-primary')).toBe(true)
  fireEvent.click(within(first).getByRole('button', { name: '1 answer' }))
  expect((await within(first).findByText('Which floor?')).nextSibling?.textContent).toBe('The third')
  expect(row?.querySelector('button')).toBeNull()
  expect(screen.getByRole('link', { name: 'Add booking' }).getAttribute('href')).toBe(`/bookings/calendar/new?contact=${visit.contact_id}`)
  expect(server.requestsTo('GET /api/bookings')[0]?.query).toMatchObject({ sort: 'start_time', order: 'desc' })
})

test('after a reload in the next hour, a new booking that was typed before is restored', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T10:58:00Z') })
  mockServerWith()
  await renderApp('/bookings/calendar/new')
  fireEvent.change(await screen.findByLabelText('Title'), { target: { value: 'Site visit' } })
  cleanup()
  vi.setSystemTime(new Date('2026-11-23T11:01:00Z'))
  await renderApp('/bookings/calendar/new')
  expect(await screen.findByText('What you typed before is back. It is not saved yet.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Site visit')
})
