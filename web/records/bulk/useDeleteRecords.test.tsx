import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setElementSize, setWindowWidth, imara, sixtyOfManyContacts } from '#web/contacts/testing.ts'
import { storeForUndo } from '#web/lib/undo.ts'
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

beforeEach(() => {
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
