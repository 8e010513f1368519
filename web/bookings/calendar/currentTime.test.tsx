import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderApp, setWindowWidth } from '#web/testing.ts'
import { mockServerWith } from '../testing.ts'

beforeEach(() => setWindowWidth(1280))
afterEach(() => {
  setWindowWidth(1024)
  vi.useRealTimers()
})

/**
 * The days that the week shows as today: by the button above the column, by the column, and by the line of the current time. `top`: the
 * position of this line in the column, in percent.
 */
function readToday(week: HTMLElement) {
  const column = week.querySelector<HTMLElement>('[data-column][data-today]')
  const line = week.querySelector<HTMLElement>('[data-column] > span[aria-hidden]')
  return {
    head: week.querySelector('[aria-current=date] b')?.textContent,
    column: column?.dataset['column'],
    line: line?.closest<HTMLElement>('[data-column]')?.dataset['column'],
    top: line?.style.top,
  }
}

test('in a month that stays open after midnight, the next day becomes today and is shown below the grid', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-23T23:59:30Z'), toFake: ['Date', 'setInterval', 'clearInterval'] })
  mockServerWith()
  await renderApp('/bookings/calendar')
  const month = await screen.findByRole('table', { name: 'Days of the month' })
  const readDays = () =>
    ['[aria-current=date]', '[aria-pressed=true]'].map((selector) => month.querySelector<HTMLElement>(selector)?.dataset['day'])
  expect(readDays()).toEqual(['2026-11-23', '2026-11-23'])
  act(() => void vi.advanceTimersByTime(60_000))
  expect(readDays()).toEqual(['2026-11-24', '2026-11-24'])
  expect(screen.getByRole('region', { name: 'Appointments of the day' }).textContent).toContain('Tuesday, 24 November 2026')
})

test('in a week that stays open after midnight, the next day becomes today and has the line of the current time', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-23T23:59:30Z'), toFake: ['Date', 'setInterval', 'clearInterval'] })
  mockServerWith()
  await renderApp('/bookings/calendar?view=week&day=2026-11-23')
  const week = await screen.findByRole('region', { name: 'Week' })
  expect(within(week).getAllByRole('button')).toHaveLength(7)
  const evening = readToday(week)
  expect(evening).toMatchObject({ head: '23', column: '2026-11-23', line: '2026-11-23' })
  expect(parseFloat(evening.top ?? '')).toBeGreaterThan(99)
  act(() => void vi.advanceTimersByTime(60_000))
  const morning = readToday(week)
  expect(morning).toMatchObject({ head: '24', column: '2026-11-24', line: '2026-11-24' })
  expect(parseFloat(morning.top ?? '')).toBeLessThan(1)
})
