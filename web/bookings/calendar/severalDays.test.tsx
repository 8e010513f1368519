import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renderApp, setWindowWidth } from '#web/testing.ts'
import { makeBooking, mockServerWith } from '../testing.ts'

/** From Thursday to Saturday. */
const fair = makeBooking(1, 9, {
  title: 'Trade fair',
  start_time: '2026-11-26T09:00:00.000Z',
  end_time: '2026-11-28T17:00:00.000Z',
})
const evening = makeBooking(2, 22, { title: 'Evening call', end_time: '2026-11-24T00:00:00.000Z' })
const days = ['2026-11-26', '2026-11-27', '2026-11-28']

beforeEach(() => setWindowWidth(1280))
afterEach(() => setWindowWidth(1024))

test('in the week, a booking over several days names the days on which it begins and ends in each column', async () => {
  mockServerWith(fair, evening)
  await renderApp('/bookings/calendar?view=week&day=2026-11-26')
  const blocks = await screen.findAllByRole('link', { name: /^Trade fair/ })
  expect(blocks.map((block) => [block.closest<HTMLElement>('[data-column]')?.dataset['column'], block.textContent])).toEqual([
    [days[0], 'Trade fair 09:00 - Sat 17:00 Imara Vantongeren'],
    [days[1], 'Trade fair Thu 09:00 - Sat 17:00 Imara Vantongeren'],
    [days[2], 'Trade fair Thu 09:00 - 17:00 Imara Vantongeren'],
  ])
  // some versions of ICU write a comma after the weekday
  expect(blocks[0]?.title.replaceAll(/(Thu|Sat),/g, '$1')).toBe('Thu 26 Nov, 09:00 to Sat 28 Nov, 17:00\nTrade fair\nImara Vantongeren')
  const evenings = screen.getAllByRole('link', { name: /^Evening call/ })
  expect([...blocks, ...evenings].map((block) => block.dataset['last'])).toEqual([undefined, undefined, 'true', 'true'])
  expect(screen.getByRole('link', { name: /^Evening call 22:00 - 00:00/ }).title).toMatch(/^22:00 to 00:00\n/)
})

test('in the month, a booking over several days begins on the first and continues on the others, and the texts name its days', async () => {
  mockServerWith(fair, evening)
  await renderApp('/bookings/calendar?day=2026-11-27')
  const readDay = async (name: RegExp) =>
    within(await screen.findByRole('button', { name }))
      .getByTitle(/Trade fair$/)
      .textContent.replaceAll(/(Thu|Sat),/g, '$1')
  expect(await readDay(/26 November 2026, 1 appointment/)).toBe('09:00 to Sat 28 Nov, 17:00 Trade fair')
  expect(await readDay(/27 November 2026, 1 appointment/)).toBe('continues, Thu 26 Nov, 09:00 to Sat 28 Nov, 17:00 Trade fair')
  expect(await readDay(/28 November 2026, 1 appointment/)).toBe('continues, Thu 26 Nov, 09:00 to Sat 28 Nov, 17:00 Trade fair')
  const list = within(screen.getByRole('region', { name: 'Appointments of the day' }))
  expect(list.getByText(/^Thu,? 26 Nov, 09:00 to Sat,? 28 Nov, 17:00$/)).toBeTruthy()
})

test('in the month, a booking over several days in another zone has its start in that zone and its days in the owner’s', async () => {
  mockServerWith({ ...fair, timezone: 'America/New_York' })
  await renderApp('/bookings/calendar?day=2026-11-27')
  const day = within(await screen.findByRole('button', { name: /26 November 2026, 1 appointment/ }))
  expect(day.getByTitle(/^04:00 in EST \(UTC-5\), Thu,? 26 Nov, 09:00 to Sat,? 28 Nov, 17:00 for you: Trade fair$/)).toBeTruthy()
  const list = within(screen.getByRole('region', { name: 'Appointments of the day' }))
  expect(list.getByText('04:00 - 12:00')).toBeTruthy()
  expect(list.getByText(/^Thu,? 26 Nov, 09:00 to Sat,? 28 Nov, 17:00 in Europe\/London$/)).toBeTruthy()
})
