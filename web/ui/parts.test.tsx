// Tests the components of this folder that have no test file of their own.
import { useState } from 'react'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MantineProvider } from '@mantine/core'
import { expect, test, vi } from 'vitest'
import { Avatar } from './Avatar.tsx'
import { EmptyState } from './EmptyState.tsx'
import { FailedState } from './FailedState.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { PageBar, PageBarStartContext } from './PageBar.tsx'
import { PasswordField } from './PasswordField.tsx'
import { RelativeTime, TimeFormatsContext } from './RelativeTime.tsx'

test.each([
  ['Nora Ellisande', 'NE'],
  ['nora van der ellisande', 'NE'],
  ['Nora', 'NO'],
  ['Ö', 'Ö'],
  [' ', ''],
  ['𝒩ora 𝒲hite', '𝒩𝒲'], // each of these two letters is two UTF-16 code units
])('the avatar of %j shows %s', (name, letters) => {
  const { container } = render(<Avatar id="1" name={name} />)
  expect(container.firstElementChild?.getAttribute('data-initials')).toBe(letters)
})

test('the same id always has the same avatar colour, and all eight colours are used', () => {
  const colour = (id: string): string | null => {
    const { container } = render(<Avatar id={id} name="A" />)
    return container.firstElementChild?.getAttribute('data-colour') ?? null
  }
  const ids = Array.from({ length: 200 }, (_, number) => `01930000-0000-7000-8000-${String(number).padStart(12, '0')}`)
  const colours = ids.map(colour)
  expect(new Set(colours).size).toBe(8)
  expect(ids.map(colour)).toEqual(colours)
})

test('the page bar reserves space for the count and sets the title of the tab', () => {
  const { rerender, container } = render(<PageBar title="Contacts" count={null} />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Contacts')
  expect(document.title).toBe('Contacts - Foyer')
  expect(container.querySelector('h1 + span')?.textContent).toBe('') // the placeholder of the count
  rerender(<PageBar title="Contacts" count="1,284" />)
  expect(screen.getByText('1,284')).toBeTruthy()
})

test('the page bar announces a new count', () => {
  const { rerender } = render(<PageBar title="Contacts" count="1,284" />)
  const count = screen.getByRole('status')
  rerender(<PageBar title="Contacts" count="12" />)
  expect(screen.getByRole('status')).toBe(count) // a status is announced only if its element stays
  expect(count.textContent).toBe('12')
})

test('the page bar shows the breadcrumb, and the element that the shell sets for the start of the bar', () => {
  const path = [
    <a key="1" href="/crm/contacts">
      Contacts
    </a>,
    'Imara Vantongeren',
  ]
  render(
    <PageBarStartContext value={<button>Menu</button>}>
      <PageBar title="Edit" breadcrumb={path} />
    </PageBarStartContext>,
  )
  expect(screen.getByRole('navigation', { name: 'Breadcrumb' }).textContent).toBe('ContactsImara VantongerenEdit')
  expect(screen.getByRole('button', { name: 'Menu' })).toBeTruthy()
})

test('a relative time is updated every minute, and its title is the exact time', () => {
  vi.useFakeTimers()
  const start = Date.now()
  render(
    <TimeFormatsContext
      value={{
        relative: (at, now) => `${at} + ${Math.round((now - start) / 60_000)}`,
        planned: (at) => `planned ${at}`,
        exact: (at) => `exactly ${at}`,
      }}
    >
      <RelativeTime at="noon" />
      <RelativeTime at="midnight" isPlanned />
    </TimeFormatsContext>,
  )
  expect(screen.getByTitle('exactly noon').textContent).toBe('noon + 0')
  expect(screen.getByTitle('exactly midnight').textContent).toBe('planned midnight')
  act(() => void vi.advanceTimersByTime(120_000))
  expect(screen.getByText('noon + 2')).toBeTruthy()
  vi.useRealTimers()
})

test('empty and failed states show their text and buttons', () => {
  const retry = vi.fn<() => void>()
  render(
    <MantineProvider env="test">
      <EmptyState title="Nobody yet" actions={<button>Add contact</button>}>
        People live here.
      </EmptyState>
      <FailedState title="Contacts could not be loaded" reason="The server is busy." onRetry={retry} />
    </MantineProvider>,
  )
  expect(screen.getByRole('heading', { name: 'Nobody yet' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Add contact' })).toBeTruthy()
  expect(screen.getByRole('alert').textContent).toContain('The server is busy.')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(retry).toHaveBeenCalledTimes(1)
})

test('a password can be shown and hidden, and the label of the button changes', () => {
  render(
    <MantineProvider env="test">
      <PasswordField label="Password" autoComplete="current-password" hint="At least 6 characters" />
    </MantineProvider>,
  )
  const field = screen.getByLabelText<HTMLInputElement>('Password')
  expect(field.type).toBe('password')
  expect(screen.getByText('At least 6 characters')).toBeTruthy()
  fireEvent.mouseDown(screen.getByRole('button', { name: 'Show password' }))
  expect(field.type).toBe('text')
  fireEvent.mouseDown(screen.getByRole('button', { name: 'Hide password' }))
  expect(field.type).toBe('password')
})

test('Escape in the leave dialog keeps the input and restores the focus to the field', async () => {
  function Editor() {
    const [isDialogOpen, setDialogOpen] = useState(false)
    return (
      <MantineProvider env="test">
        <input aria-label="Name" onChange={() => setDialogOpen(true)} />
        {isDialogOpen && <LeaveDialog onStay={() => setDialogOpen(false)} onLeave={() => {}} />}
      </MantineProvider>
    )
  }
  render(<Editor />)
  screen.getByLabelText('Name').focus()
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'N' } })
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep editing'))
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
})
