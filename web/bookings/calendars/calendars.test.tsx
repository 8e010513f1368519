import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockServerWith, visit } from '../testing.ts'
import { renderApp } from '#web/testing.ts'

const month = '/bookings/calendar?day=2026-11-23'
const address = 'https://foyer.example/api/public/calendar-feeds/abc.ics'

async function openDialog(item: string) {
  fireEvent.click(await screen.findByRole('button', { name: 'Other calendars' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: item }))
  return within(await screen.findByRole('dialog', { name: item }))
}

test('the secret address is created, replaced and turned off, each after a question', async () => {
  const server = mockServerWith(visit)
  server.setHandlers({ 'GET /api/calendar-feed': { address: null } })
  server.setHandlers({ 'POST /api/calendar-feed': { address } })
  server.setHandlers({ 'DELETE /api/calendar-feed': undefined })
  await renderApp(month)
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
