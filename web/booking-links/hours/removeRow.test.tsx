import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { DateHours } from './DateHours.tsx'
import { DaysOff } from './DaysOff.tsx'

function ExampleDaysOff() {
  const [value, setValue] = useState([
    { from: '2026-12-24', to: '2027-01-02' },
    { from: '2027-05-03', to: '2027-05-03' },
    { from: '2027-08-30', to: '' },
  ])
  return <DaysOff value={value} error={undefined} onChange={setValue} />
}

/** Presses the button, and returns the text or the label of the element that then has the focus. */
function press(name: string): string | null | undefined {
  const button = screen.getByRole('button', { name })
  button.focus()
  fireEvent.click(button)
  return document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
}

test('each button that removes days off names these days, and after a removal the focus is not on a button that removes the next ones', () => {
  render(<ExampleDaysOff />, { wrapper: MantineProvider })
  expect(press('Remove days off: 03/05/2027')).toBe('Remove days off: 24/12/2026 to 02/01/2027')
  expect(press('Remove days off: 24/12/2026 to 02/01/2027')).toBe('Add days off')
  expect(press('Remove days off: 30/08/2027')).toBe('Add days off')
})

function ExampleDates() {
  const hours = [{ from: '09:00', to: '12:00' }]
  const [value, setValue] = useState(['2026-12-24', '2027-05-03', '2027-08-30'].map((date) => ({ date, hours })))
  return <DateHours value={value} errors={{}} onChange={setValue} />
}

test('after a date is removed, the focus is not on a button that removes the next date', () => {
  render(<ExampleDates />, { wrapper: MantineProvider })
  expect(press('Remove date: 30/08/2027')).toBe('Remove date: 03/05/2027')
  expect(press('Remove date: 24/12/2026')).toBe('Add date')
  expect(press('Remove 09:00 to 12:00: 03/05/2027')).toBe('Add hours: 03/05/2027')
  expect(press('Remove date: 03/05/2027')).toBe('Add date')
})
