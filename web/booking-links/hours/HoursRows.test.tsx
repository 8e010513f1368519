import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { Hours } from './availabilityText.ts'
import { findNextHours } from './HoursRows.tsx'
import { WeeklyHours } from './WeeklyHours.tsx'

function Example({ hours }: { hours: Hours[] }) {
  const [weekly, setWeekly] = useState(hours.map((each) => ({ weekday: 1, ...each })))
  return (
    <MantineProvider>
      <WeeklyHours value={weekly} errors={{}} onChange={setWeekly} />
    </MantineProvider>
  )
}

/** Renders these hours of Monday and removes a part of them. Returns the name of the element that then has the focus. */
function remove(hours: Hours[], removed: string): string | null | undefined {
  render(<Example hours={hours} />)
  const button = screen.getByRole('button', { name: `Remove ${removed}: Monday` })
  button.focus()
  fireEvent.click(button)
  return document.activeElement?.getAttribute('aria-label')
}

const morning = { from: '08:00', to: '12:00' }
const afternoon = { from: '13:00', to: '17:00' }
const evening = { from: '18:00', to: '24:00' }

// the focus goes to the button that removes the previous hours, else to the button that adds hours, else to the field of the first time
test.each([
  ['13:00 to 17:00', [morning, afternoon, evening], 'Remove 08:00 to 12:00: Monday'],
  ['18:00 to 24:00', [morning, afternoon, evening], 'Remove 13:00 to 17:00: Monday'],
  ['08:00 to 12:00', [morning, afternoon], 'Add hours after a break: Monday'],
  ['08:00 to 12:00', [morning, evening], 'Monday, from'], // no hours can be added after 24:00
  ['08:00 to 12:00', [morning], 'Add hours: Monday'],
  ['18:00 to 24:00', [evening], 'Add hours: Monday'],
])('after the hours %s of %j are removed, the focus is on “%s”', (removed, hours, focused) => {
  expect(remove(hours, removed)).toBe(focused)
})

test('added hours are after the latest hours of the day, in whatever order those were entered', () => {
  expect(findNextHours([{ from: '18:00', to: '20:00' }, afternoon])).toEqual({ from: '21:00', to: '23:00' })
  expect(findNextHours([evening, morning])).toBeUndefined()
})
