import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setElementSize, setWindowWidth, imara, sixtyOfManyContacts } from '#web/contacts/testing.ts'
import { loadUndo, storeForUndo } from '#web/lib/undo.ts'
import { changeResponse, nora, renderApp, mockServer } from '#web/testing.ts'

const change = {
  id: '01930000-0000-7000-8000-0000000000e1',
  at: imara.created_at,
  actor: '',
  label: '',
  count: 60,
  undone: false,
  progress: null,
  skipped_counts: {},
  skipped: [],
}
const routes = { 'GET /api/session': nora, ...sixtyOfManyContacts }

beforeEach(async () => {
  await loadUndo()
  setElementSize()
  setWindowWidth(1280)
})
afterEach(() => setWindowWidth(1024))

async function deleteAllLoaded(): Promise<void> {
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all that are loaded' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Delete 60 contacts' }))
}

test('Ctrl+Z undoes a bulk deletion even while the number of deleted records is being loaded', async () => {
  const countResponse = Promise.withResolvers<object>()
  const server = mockServer({
    ...routes,
    'POST /api/contacts/bulk/delete': changeResponse(change.id),
    'GET /api/changes/{id}': () => countResponse.promise,
    'POST /api/changes/{id}/undo': changeResponse('undo', change),
  })
  await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Person 1' })
  storeForUndo('c-1', 'Contact created')
  await deleteAllLoaded()
  await waitFor(() => expect(server.requestsTo('GET /api/changes/{id}')).toHaveLength(1))
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  countResponse.resolve(change)
  await waitFor(() => expect(server.requestsTo('POST /api/changes/{id}/undo').map(({ params }) => params['id'])).toEqual([change.id]))
})

test('a deletion that continues on the server shows its progress with Undo, and its end', async () => {
  const progress = { done: 34_000, total: 100_060, finished: false, failed: false }
  const running = { ...change, label: 'Deleting 60 contacts', progress }
  const server = mockServer({
    ...routes,
    'POST /api/contacts/bulk/delete': () => new Response(null, { status: 202, headers: { 'foyer-change': change.id } }),
    'GET /api/changes/{id}': running,
    'POST /api/changes/{id}/undo': changeResponse('undo', change),
  })
  await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Person 1' })
  await deleteAllLoaded()
  const progressToast = await screen.findByText('Deleting 60 contacts')
  expect(progressToast.parentElement?.textContent).toContain('34,000 of 100,060 records')
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Person 1' })).toBeTruthy()
  server.setHandlers({ 'GET /api/changes/{id}': { ...running, label: 'Deleted 60 contacts', progress: { ...progress, finished: true } } })
  expect(await screen.findByText('60 contacts deleted')).toBeTruthy()
  expect(screen.queryByText('Deleting 60 contacts')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.requestsTo('POST /api/changes/{id}/undo').map(({ params }) => params['id'])).toEqual([change.id]))
})

test('a deletion that stopped on the server says how far it came', async () => {
  const progress = { done: 34_000, total: 100_060, finished: false, failed: true }
  mockServer({
    ...routes,
    'POST /api/contacts/bulk/delete': () => new Response(null, { status: 202, headers: { 'foyer-change': change.id } }),
    'GET /api/changes/{id}': { ...change, label: 'Deleting 60 contacts', progress },
  })
  await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Person 1' })
  await deleteAllLoaded()
  expect((await screen.findByRole('alert')).textContent).toContain('34,000 of 100,060 records')
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
})

test('when all loaded rows are deleted, the list loads the next page and does not say that it is empty', async () => {
  const deleteResponse = Promise.withResolvers<object>()
  mockServer({ ...routes, 'POST /api/contacts/bulk/delete': () => deleteResponse.promise })
  await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Person 1' })
  await deleteAllLoaded()
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Person 1' })).toBeNull())
  expect(screen.queryByText('The people you do business with')).toBeNull()
  expect(screen.getByRole('table', { name: 'Contacts' }).getAttribute('aria-busy')).toBe('true')
})
