import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { setElementSize, sixtyOfManyContacts } from '#web/contacts/testing.ts'
import { mockServer, nora, renderApp, setWindowWidth } from '#web/testing.ts'

const contacts = { 'GET /api/session': nora, ...sixtyOfManyContacts }
const dispatchPrintEvent = (type: 'beforeprint' | 'afterprint'): void => act(() => void window.dispatchEvent(new Event(type)))
const findPrintedList = () => screen.findByRole('region', { name: 'Contacts on paper' })

/** Opens the contacts, and presses the shortcut that opens the print dialog of the browser. */
async function printContacts({ windowWidth = 1280 } = {}) {
  setWindowWidth(windowWidth)
  setElementSize()
  mockServer(contacts)
  const print = vi.fn<() => void>()
  vi.stubGlobal('print', print)
  await renderApp('/crm/contacts')
  await screen.findByRole('table', { name: 'Contacts' })
  await screen.findByRole('link', { name: 'Person 1' })
  fireEvent.keyDown(document.body, { key: 'p', ctrlKey: true })
  await waitFor(() => expect(print).toHaveBeenCalledOnce())
}

test('the printed table has all loaded rows with all columns, also the rows that the screen does not render', async () => {
  await printContacts()
  const screenRows = within(screen.getByRole('table', { name: 'Contacts' })).getAllByRole('row')
  expect(screenRows.length).toBeLessThan(60)
  dispatchPrintEvent('beforeprint')
  const printedList = await findPrintedList()
  expect(within(printedList).getAllByRole('row')).toHaveLength(1 + 60) // the head and the rows
  expect(
    within(printedList)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Name', 'Email', 'Phone', 'Company', 'Title', 'Notes'])
  expect(printedList.textContent).toContain('The first 60 contacts')
  expect(within(printedList).queryAllByRole('checkbox')).toHaveLength(0)
})

test('on a phone, the list has one column, but the printed table has all six', async () => {
  await printContacts({ windowWidth: 390 })
  dispatchPrintEvent('beforeprint')
  expect(within(await findPrintedList()).getAllByRole('columnheader')).toHaveLength(6)
})

test('while the page is printed, its title contains the day, and a line names the user', async () => {
  await printContacts()
  expect(document.title).toBe('Contacts - Foyer')
  dispatchPrintEvent('beforeprint')
  expect(document.title).toMatch(/^Contacts - \w+day, \d+ \w+ \d{4} - Foyer$/)
  expect(document.querySelector('[data-print-head]')?.textContent).toContain('Nora Ellisande')
  dispatchPrintEvent('afterprint')
  expect(document.title).toBe('Contacts - Foyer')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Contacts on paper' })).toBeNull())
  expect(document.querySelector('[data-print-head]')).toBeNull()
})

test('the palette has the command Print', async () => {
  mockServer(contacts)
  const print = vi.fn<() => void>()
  vi.stubGlobal('print', print)
  await renderApp('/crm/contacts')
  await screen.findByRole('button', { name: 'Search' })
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  await screen.findByRole('listbox', { name: 'Results' })
  const field = screen.getByLabelText('Search and commands', { selector: 'input' })
  fireEvent.change(field, { target: { value: 'pdf' } })
  expect(screen.getAllByRole('option')[0]?.textContent).toContain('Print')
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(print).toHaveBeenCalledOnce())
  expect(screen.queryByRole('dialog')).toBeNull()
})
