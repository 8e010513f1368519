import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { OtherCalendar } from '#contract/otherCalendars.ts'
import { mockServerWith, visit } from '../testing.ts'
import { changeResponse, problemResponse, renderApp } from '#web/testing.ts'

const monthAddress = '/bookings/calendar?day=2026-11-23'
const address = 'https://foyer.example/api/public/calendar-feeds/abc.ics'

async function openDialog(item: string) {
  fireEvent.click(await screen.findByRole('button', { name: 'Connect calendars' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: item }))
  return within(await screen.findByRole('dialog', { name: item }))
}

test('the secret address is created, and replaced or turned off after a question', async () => {
  const server = mockServerWith(visit)
  server.setHandlers({ 'GET /api/calendar-feed': { address: null } })
  server.setHandlers({ 'POST /api/calendar-feed': { address } })
  server.setHandlers({ 'DELETE /api/calendar-feed': undefined })
  await renderApp(monthAddress)
  const dialog = await openDialog('Subscribe to bookings')
  fireEvent.click(await dialog.findByRole('button', { name: 'Create secret address' }))
  expect(await dialog.findByText(address)).toBeTruthy()
  expect(dialog.getByRole('link', { name: 'Open in calendar app' }).getAttribute('href')).toBe(address.replace('https', 'webcal'))

  server.setHandlers({ 'POST /api/calendar-feed': { address: address.replace('abc', 'new') } })
  fireEvent.click(dialog.getByRole('button', { name: 'New address' }))
  expect(dialog.getByRole('alert').textContent).toContain('stops working for good')
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  fireEvent.click(dialog.getByRole('button', { name: 'New address' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Replace address' }))
  expect(await dialog.findByText(address.replace('abc', 'new'))).toBeTruthy()
  await waitFor(() => expect(dialog.queryByRole('alert')).toBeNull())

  fireEvent.click(dialog.getByRole('button', { name: 'Turn off' }))
  fireEvent.click(within(dialog.getByRole('alert')).getByRole('button', { name: 'Turn off' }))
  expect(await dialog.findByRole('button', { name: 'Create secret address' })).toBeTruthy()
  expect(server.requestsTo('POST /api/calendar-feed')).toHaveLength(2)
})

const family: OtherCalendar = {
  id: '01930000-0000-7000-8000-0000000000f1',
  name: 'Family',
  host: 'calendar.google.com',
  created_at: '2026-11-01T09:00:00.000Z',
  last_read_at: '2026-11-23T09:00:00.000Z',
  next_read_at: '2026-11-23T09:15:00.000Z',
  is_due: false,
  problem: null,
  busy_times: 1,
  unreadable_events: 0,
}
const changeId = '01930000-0000-7000-8000-0000000000e1'

test('another calendar is added, shows why it cannot be read, is read again, and is removed with Undo', async () => {
  const server = mockServerWith(visit)
  const failing = { ...family, problem: 'There is no calendar at this address.', unreadable_events: 2 }
  server.setHandlers({
    'GET /api/other-calendars': { rows: [] },
    'POST /api/other-calendars': problemResponse('invalid', { fields: { address: 'There is no calendar at this address.' } }),
    'POST /api/other-calendars/{id}/read': family,
    'DELETE /api/other-calendars/{id}': () => changeResponse(changeId),
  })
  await renderApp(monthAddress)
  const dialog = await openDialog('Other calendars')
  fireEvent.click(await dialog.findByRole('button', { name: 'Add calendar' }))
  expect(await dialog.findByText('Enter a name')).toBeTruthy()
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Family' } })
  fireEvent.change(dialog.getByLabelText('Secret address'), { target: { value: 'webcal://calendar.google.com/private/basic.ics' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Add calendar' }))
  expect(await dialog.findByText('There is no calendar at this address.')).toBeTruthy()

  server.setHandlers({
    'POST /api/other-calendars': () => changeResponse(changeId, family, 201),
    'GET /api/other-calendars': { rows: [failing] },
  })
  fireEvent.click(dialog.getByRole('button', { name: 'Add calendar' }))
  expect(await screen.findByText('Calendar added')).toBeTruthy()
  expect((await dialog.findByRole('listitem')).textContent).toMatch(
    /^Familycalendar\.google\.com1 busy time2 events could not be readRemoveThere is no calendar at this address\. Last read .*; the busy times of then still apply\./,
  )
  expect(dialog.getByLabelText<HTMLInputElement>('Secret address').value).toBe('')
  server.setHandlers({ 'GET /api/other-calendars': { rows: [family] } })
  fireEvent.click(dialog.getByRole('button', { name: 'Try again to read Family' }))
  expect(await dialog.findByText(/^read/)).toBeTruthy()
  expect(dialog.queryByText('Try again')).toBeNull()

  server.setHandlers({ 'GET /api/other-calendars': { rows: [] } })
  fireEvent.click(dialog.getByRole('button', { name: 'Remove Family' }))
  expect(await screen.findByText('Calendar removed')).toBeTruthy()
  await waitFor(() => expect(dialog.queryByRole('listitem')).toBeNull())
})

const busyTime = {
  id: '01930000-0000-7000-8000-0000000000f2',
  name: 'Family',
  start_time: '2026-11-23T14:00:00.000Z',
  end_time: '2026-11-24T10:00:00.000Z',
  local_start: '2026-11-23T14:00',
  local_end: '2026-11-24T10:00',
}

test('busy times of other calendars are shown in the month, the day list and the week, and cannot be moved', async () => {
  const server = mockServerWith(visit)
  server.setHandlers({ 'GET /api/busy-times': { rows: [busyTime] } })
  const { router } = await renderApp(monthAddress)
  expect(await screen.findByRole('button', { name: /^Monday,? 23 November 2026, 1 appointment, 1 busy time/ })).toBeTruthy()
  expect(screen.getByRole('button', { name: /24 November 2026, no appointments, 1 busy time/ })).toBeTruthy()
  expect(within(screen.getByRole('list', { name: 'Busy in other calendars' })).getByText('14:00 - 24:00')).toBeTruthy()
  expect(server.requestsTo('GET /api/busy-times').map(({ query }) => query)).toEqual([{ from: '2026-11-01', to: '2026-12-06' }])

  await router.navigate({ to: '/bookings/calendar', search: { view: 'week', day: '2026-11-23' } })
  const [first, second] = await screen.findAllByTitle(/^Busy: /)
  expect([first?.title, second?.title]).toEqual(['Busy: 14:00 - 24:00 Family', 'Busy: 00:00 - 10:00 Family'])
  expect(first?.closest('a')).toBeNull() // only bookings are links, and can be moved
})

test('busy times that cannot be loaded are reported', async () => {
  const server = mockServerWith(visit)
  server.setHandlers({ 'GET /api/busy-times': problemResponse('not_found') })
  await renderApp(monthAddress)
  expect(await screen.findByText('The busy times of other calendars could not be loaded.', {}, { timeout: 10_000 })).toBeTruthy()
})
