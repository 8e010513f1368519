import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeNumberedContacts, setElementSize, sixtyOfManyContacts } from '#web/contacts/testing.ts'
import { browserMemory } from '#web/lib/browserMemory.ts'
import { queries } from '#web/lib/queries.ts'
import { mockServer, nora, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { finished, importId, importHandlers, running, withTable } from './testing.ts'

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
  browserMemory.setOwner(nora.user.id)
})

const notifications = async () => within(await screen.findByRole('region', { name: 'Notifications' }))

test('an import that this browser has started is shown on every screen until it ends', async () => {
  browserMemory.store('running imports', [importId])
  const { setHandlers } = mockServer({ ...importHandlers, 'GET /api/imports/{id}': withTable(running) })
  const { router } = await renderApp('/crm/contacts')
  const toasts = await notifications()
  expect(await toasts.findByText('Importing workshop-contacts.csv')).toBeTruthy()
  expect(toasts.getByText('738 of 1,210 rows')).toBeTruthy()
  setHandlers({ 'GET /api/imports/{id}': withTable({ ...running, rows_done: 900 }) })
  await act(() => queries.invalidateQueries())
  expect(await toasts.findByText('900 of 1,210 rows')).toBeTruthy()
  fireEvent.click(toasts.getByRole('button', { name: 'Show' }))
  await screen.findByRole('heading', { name: 'Importing 900 of 1,210 rows' })
  expect(router.state.location.pathname).toBe(`/crm/imports/${importId}`)
  expect(toasts.queryByText('Importing workshop-contacts.csv')).toBeNull() // its own page shows the progress
  setHandlers({ 'GET /api/imports/{id}': withTable({ ...finished, failed: 0, skipped: 84 }) })
  await act(() => queries.invalidateQueries())
  expect(await toasts.findByText('Import Successful')).toBeTruthy()
  expect(toasts.getByText('Imported 1,916 contacts')).toBeTruthy()
  expect(toasts.getByRole('button', { name: 'Undo' })).toBeTruthy()
  await waitFor(() => expect(localStorage.getItem(`foyer ${nora.user.id} running imports`)).toBe('[]'))
})

test.each([
  [{ ...finished, failed: 37 }, 'Import Successful', 'Imported 1,916 contacts. 37 rows failed.'],
  [{ ...finished, created: 0, updated: 0, skipped: 0, failed: 37 }, 'Import Failed', 'Nothing was imported. 37 rows failed.'],
  [{ ...finished, created: 0, updated: 0, skipped: 240, failed: 0 }, 'Import Successful', 'Nothing to import: 240 rows skipped'],
  [
    { ...finished, created: 0, updated: 0, skipped: 0, failed: 0, rows_done: 0, rows_total: 0 },
    'Import Failed',
    'Nothing was imported. The file has no rows.',
  ],
  [{ ...finished, status: 'failed' as const, problem: 'This file is empty.' }, 'Import Failed', 'This file is empty.'],
  [{ ...finished, status: 'failed' as const, problem: '' }, 'Import Failed', 'Failed to import contacts'],
])('the end of an import is announced (%#)', async (summary, title, message) => {
  browserMemory.store('running imports', [importId])
  mockServer({ ...importHandlers, 'GET /api/imports/{id}': withTable(summary) })
  await renderApp('/crm/contacts')
  const toasts = await notifications()
  expect(await toasts.findByText(title)).toBeTruthy()
  expect(toasts.getByText(message)).toBeTruthy()
})

test('the browser stops following an import that was deleted elsewhere', async () => {
  browserMemory.store('running imports', [importId])
  mockServer({ ...importHandlers, 'GET /api/imports/{id}': problemResponse('not_found') })
  await renderApp('/crm/contacts')
  await waitFor(() => expect(localStorage.getItem(`foyer ${nora.user.id} running imports`)).toBe('[]'))
})

/** A fake EventSource whose events are sent by the test. */
class FakeStream extends EventTarget {
  static readonly CLOSED = 2
  static newest: FakeStream | undefined
  readyState = 1
  constructor() {
    super()
    FakeStream.newest = this
  }
  close(): void {
    this.readyState = FakeStream.CLOSED
  }
  send(tables: string[]): void {
    const change = crypto.randomUUID()
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ change, tables }) }))
  }
}

test('an open list is refetched at most once a second while rows come in, and keeps the visible rows', async () => {
  vi.stubGlobal('EventSource', FakeStream)
  const { requestsTo, setHandlers } = mockServer({
    ...importHandlers,
    ...sixtyOfManyContacts,
    'GET /api/contacts': { rows: makeNumberedContacts(11, 70), next: null },
  })
  await renderApp('/crm/contacts')
  await screen.findByText('Person 11') // not by its role, which is slow for many elements
  const list = document.querySelector('table[aria-label="Contacts"]')?.parentElement
  if (!list) throw new Error('The table has no scrolling element')
  list.scrollTop = 800
  fireEvent.scroll(list)
  const requestsBefore = requestsTo('GET /api/contacts').length
  setHandlers({ 'GET /api/contacts': { rows: makeNumberedContacts(1, 70), next: null } })
  const startedAt = performance.now()
  await act(async () => {
    for (let batch = 0; batch < 60; batch += 1) {
      FakeStream.newest?.send(['crm_contacts', 'journal'])
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
  })
  const seconds = (performance.now() - startedAt) / 1000
  expect(requestsTo('GET /api/contacts').length - requestsBefore).toBeGreaterThanOrEqual(1)
  expect(requestsTo('GET /api/contacts').length - requestsBefore).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
  expect(list.isConnected).toBe(true)
  expect(list.scrollTop).toBe(1200) // the ten rows of 40 px that came in are above, so the same rows are visible
})
