import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { DaysOff } from './DaysOff.tsx'

function ExampleDaysOff() {
  const [value, setValue] = useState([
    { from: '2026-12-24', to: '2027-01-02' },
    { from: '2027-05-03', to: '2027-05-03' },
    { from: '2027-08-30', to: '' },
  ])
  return <DaysOff value={value} error={undefined} onChange={setValue} />
}

test('each button that removes days off names these days, and after a removal the focus stays in the list', () => {
  render(<ExampleDaysOff />, { wrapper: MantineProvider })
  const getButton = (name: string) => screen.getByRole('button', { name })
  const remove = (name: string): void => {
    getButton(name).focus()
    fireEvent.click(getButton(name))
  }
  remove('Remove days off: 30/08/2027')
  expect(document.activeElement).toBe(getButton('Remove days off: 03/05/2027'))
  remove('Remove days off: 24/12/2026 to 02/01/2027')
  expect(document.activeElement).toBe(getButton('Remove days off: 03/05/2027'))
  remove('Remove days off: 03/05/2027')
  expect(document.activeElement).toBe(getButton('Add days off'))
})
