import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { makeChangeSet, setElementSize, sixtyOfManyContacts } from '#web/contacts/testing.ts'
import { loadUndo, storeForUndo } from '#web/lib/undo.ts'
import { changeResponse, nora, renderApp, mockServer, setWindowWidth } from '#web/testing.ts'

/** The change set of the deletion. */
const change = makeChangeSet({ count: 60 })
/** The list has loaded 60 contacts, "Person 1" to "Person 60", of more than 1,000. */
const routes = { 'GET /api/session': nora, ...sixtyOfManyContacts }

beforeEach(async () => {
  await loadUndo() // the application loads this code on demand; here it must not delay the undo
  setElementSize()
  setWindowWidth(1280)
})

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
  storeForUndo('c-1', 'Contact created') // an earlier change, which Ctrl+Z must not undo
  await deleteAllLoaded()
  await waitFor(() => expect(server.requestsTo('GET /api/changes/{id}')).toHaveLength(1))
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  countResponse.resolve(change)
  await waitFor(() => expect(server.requestsTo('POST /api/changes/{id}/undo').map(({ params }) => params['id'])).toEqual([change.id]))
})

/** The response to a deletion that a job continues, because 100,000 other rows depend on the 60 contacts. */
const acceptDeletion = () => new Response(null, { status: 202, headers: { 'foyer-change': change.id } })

test('a toast shows the progress of a deletion that continues on the server, then its end, each with an Undo button', async () => {
  const progress = { done: 34_000, total: 100_060, finished: false, failed: false }
  const runningChange = { ...change, label: 'Deleting 60 contacts', progress }
  const server = mockServer({
    ...routes,
    'POST /api/contacts/bulk/delete': acceptDeletion,
    'GET /api/changes/{id}': runningChange,
    'POST /api/changes/{id}/undo': changeResponse('undo', change),
  })
  await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Person 1' })
  await deleteAllLoaded()
  const progressToast = await screen.findByText('Deleting 60 contacts')
  expect(progressToast.parentElement?.textContent).toContain('34,000 of 100,060 records')
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Person 1' })).toBeTruthy()
  server.setHandlers({
    'GET /api/changes/{id}': { ...runningChange, label: 'Deleted 60 contacts', progress: { ...progress, finished: true } },
  })
  expect(await screen.findByText('60 contacts deleted')).toBeTruthy()
  expect(screen.queryByText('Deleting 60 contacts')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.requestsTo('POST /api/changes/{id}/undo').map(({ params }) => params['id'])).toEqual([change.id]))
})

test('when a deletion fails on the server, the error shows how many records were deleted', async () => {
  const progress = { done: 34_000, total: 100_060, finished: false, failed: true }
  mockServer({
    ...routes,
    'POST /api/contacts/bulk/delete': acceptDeletion,
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
  deleteResponse.resolve(changeResponse(change.id))
})
