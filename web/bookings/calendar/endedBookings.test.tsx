import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renderApp, setWindowWidth } from '#web/testing.ts'
import { makeBooking, mockServerWith } from '../testing.ts'

beforeEach(() => setWindowWidth(1280))
afterEach(() => setWindowWidth(1024))

test('in the week, a completed booking and a no-show have their status as a text and as different icons', async () => {
  mockServerWith(makeBooking(1, 9), makeBooking(2, 10, { status: 'completed' }), makeBooking(3, 11, { status: 'no-show' }))
  await renderApp('/bookings/calendar?view=week&day=2026-11-23')
  const blocks = await screen.findAllByRole('link', { name: /^Call \d/ })
  expect(blocks.map(({ textContent }) => textContent)).toEqual([
    'Call 1 09:00 - 09:30 Imara Vantongeren',
    'Call 2 10:00 - 10:30 Imara Vantongeren Completed',
    'Call 3 11:00 - 11:30 Imara Vantongeren No-show',
  ])
  expect(blocks.map(({ title }) => title.split('\n').at(-1))).toEqual(['Imara Vantongeren', 'Completed', 'No-show'])
  const icons = blocks.map((block) => block.querySelector('svg')?.innerHTML)
  expect([icons[0], new Set(icons).size]).toEqual([undefined, 3])
})
