// Undo and redo by shortcut and by the button of a toast. Changes have ids such as `c-1`. On the mocked server the undo of `c-1` makes a
// change with the id `undo-of-c-1`; a redo is the undo of this change.
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { toast } from '#web/lib/toasts.ts'
import { loadUndo, storeForUndo } from '#web/lib/undo.ts'
import { makeChangeSet } from '#web/contacts/testing.ts'
import { changeResponse, nora, problemResponse, renderApp, mockServer } from '#web/testing.ts'

/** The response to an undo. */
const change = { ...makeChangeSet({ count: 1 }), label: 'Undone' }
const deletedContact = {
  id: nora.user.id,
  table: 'crm_contacts',
  title: 'Ada Quill',
  change: change.id,
  parent: null,
  deleted_at: change.at,
  expires_at: change.at,
}
/** The trash contains a contact. When these tests need a write that is still running, they restore this contact. */
const handlers = {
  'GET /api/session': nora,
  'GET /api/tasks/count': { count: 0, more: false },
  'GET /api/trash': { rows: [deletedContact], next: null },
}
async function openTrash(): Promise<void> {
  await renderApp('/trash')
  await screen.findByText('Ada Quill')
}

const undoRoute = 'POST /api/changes/{id}/undo'
/** Starts a write that gets its response later. */
async function startWrite() {
  const restoreResponse = Promise.withResolvers<Response>()
  const server = mockServer({
    ...handlers,
    'POST /api/trash/{id}/restore': () => restoreResponse.promise,
    [undoRoute]: ({ params }: { params: Record<string, string> }) => changeResponse(`undo-of-${params['id']}`, change),
  })
  await openTrash()
  storeForUndo('c-1', 'Contact updated')
  fireEvent.click(screen.getByRole('button', { name: /^Restore/ }))
  await waitFor(() => expect(server.requestsTo('POST /api/trash/{id}/restore')).toHaveLength(1))
  await loadUndo()
  return { server, restoreResponse }
}

test.each([
  ['undoes that write', 1, ['c-4']],
  ['twice undoes that write, and then the change before it', 2, ['c-4', 'c-1']],
])('Ctrl+Z during a write waits for the response to the write, and %s', async (_result, presses, undone) => {
  const { server, restoreResponse } = await startWrite()
  for (let press = 0; press < presses; press += 1) fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  restoreResponse.resolve(changeResponse('c-4', change))
  await waitFor(() => expect(server.requestsTo(undoRoute).map(({ params }) => params['id'])).toEqual(undone))
})

test('Ctrl+Z during a write that fails soon undoes nothing, not even an older change', async () => {
  const { server, restoreResponse } = await startWrite()
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  restoreResponse.resolve(problemResponse('not_ready'))
  expect(await screen.findByText('Nothing to undo')).toBeTruthy()
  expect(server.requestsTo(undoRoute)).toEqual([])
})

test('several undos and redos run one after another', async () => {
  const undos = ['c-2', 'c-1', 'undo-of-c-1'].map((id) => ({ id, ...Promise.withResolvers<Response>() }))
  const server = mockServer({
    ...handlers,
    'POST /api/changes/{id}/undo': ({ params }) => undos.find(({ id }) => id === params['id'])?.promise,
  })
  await openTrash()
  storeForUndo('c-1', 'Contact updated')
  storeForUndo('c-2', 'Contact deleted')
  for (const key of ['z', 'z']) fireEvent.keyDown(document.body, { key, ctrlKey: true })
  fireEvent.keyDown(document.body, { key: 'Z', ctrlKey: true, shiftKey: true })
  for (const [index, { id, resolve }] of undos.entries()) {
    await waitFor(() => expect(server.requestsTo('POST /api/changes/{id}/undo')).toHaveLength(index + 1))
    resolve(changeResponse(`undo-of-${id}`, change))
  }
  expect(server.requestsTo('POST /api/changes/{id}/undo').map(({ params }) => params['id'])).toEqual(undos.map(({ id }) => id))
  expect(await screen.findByText('Redone: Contact updated')).toBeTruthy()
})

test('an undo that failed can be tried again', async () => {
  const server = mockServer({ ...handlers, 'POST /api/changes/{id}/undo': () => problemResponse('not_ready') })
  await openTrash()
  storeForUndo('c-1', 'Contact updated')
  storeForUndo('c-2', 'Contact deleted')
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(await screen.findByRole('alert')).toBeTruthy()
  server.setHandlers({ 'POST /api/changes/{id}/undo': () => changeResponse('u-2', change) })
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(await screen.findByText('Undone: Contact deleted')).toBeTruthy()
})

test('when an undo continues as a job, the toast "Undone" appears after the job has finished, with the number of skipped rows', async () => {
  const running = { done: 3, total: 12, finished: false, failed: false }
  const server = mockServer({
    ...handlers,
    'POST /api/changes/{id}/undo': () => changeResponse('undo-of-group', { ...change, progress: running }),
    'GET /api/changes/{id}': { ...change, progress: running },
  })
  await openTrash()
  storeForUndo('group', '12 contacts imported')
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  await waitFor(() => expect(server.requestsTo('GET /api/changes/{id}').map(({ params }) => params['id'])).toContain(change.id))
  expect(screen.queryByText('Undone: 12 contacts imported')).toBeNull()
  server.setHandlers({
    'GET /api/changes/{id}': { ...change, skipped_counts: { edited: 2 }, progress: { ...running, done: 12, finished: true } },
  })
  expect(await screen.findByText('Undone: 12 contacts imported')).toBeTruthy()
  expect(screen.getByText('Kept as it is: 2 records edited since.')).toBeTruthy()
})

test('when the job of an undo has failed, a toast shows how much was undone, and its button continues the undo', async () => {
  const running = { done: 3, total: 12, finished: false, failed: false }
  const server = mockServer({
    ...handlers,
    'POST /api/changes/{id}/undo': () => changeResponse('undo-of-group', { ...change, progress: running }),
    'GET /api/changes/{id}': { ...change, progress: { ...running, failed: true } },
  })
  await openTrash()
  storeForUndo('group', '12 contacts imported')
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(await screen.findByText('Undo stopped')).toBeTruthy()
  expect(screen.getByText('3 of 12 parts were undone.')).toBeTruthy()
  server.setHandlers({ 'GET /api/changes/{id}': { ...change, progress: { ...running, done: 12, finished: true } } })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Undone: 12 contacts imported')).toBeTruthy()
  expect(server.requestsTo('POST /api/changes/{id}/undo').map(({ params }) => params['id'])).toEqual(['group', 'group'])
})

test('when the job of a redo has failed, the toast speaks of the redo', async () => {
  const progress = { done: 3, total: 12, finished: false, failed: true }
  mockServer({
    ...handlers,
    'POST /api/changes/{id}/undo': ({ params }) =>
      changeResponse(`undo-of-${params['id']}`, params['id'] === 'group' ? change : { ...change, progress }),
  })
  await openTrash()
  storeForUndo('group', '12 contacts imported')
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(await screen.findByText('Undone: 12 contacts imported')).toBeTruthy()
  fireEvent.keyDown(document.body, { key: 'Z', ctrlKey: true, shiftKey: true })
  expect(await screen.findByText('Redo stopped')).toBeTruthy()
  expect(screen.getByText('3 of 12 parts were redone.')).toBeTruthy()
})

test('Ctrl+Z undoes the last change and shows the number of skipped rows, and Ctrl+Shift+Z redoes the change', async () => {
  const server = mockServer({
    ...handlers,
    'POST /api/changes/{id}/undo': ({ params }) =>
      changeResponse(`undo-of-${params['id']}`, { ...change, skipped_counts: { edited: 2, in_use: 1 } }),
  })
  await openTrash()
  storeForUndo('c-1', 'Contact deleted')
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(await screen.findByText('Undone: Contact deleted')).toBeTruthy()
  expect(screen.getByText('Kept as it is: 2 records edited since, 1 record in use elsewhere.')).toBeTruthy()
  fireEvent.keyDown(document.body, { key: 'Z', ctrlKey: true, shiftKey: true })
  expect(await screen.findByText('Redone: Contact deleted')).toBeTruthy()
  expect(server.requestsTo('POST /api/changes/{id}/undo').map(({ params }) => params['id'])).toEqual(['c-1', 'undo-of-c-1'])
  await waitFor(() => expect(server.requestsTo('GET /api/trash').length).toBeGreaterThan(1))
})

test('a change can be redone after its undo, even before the page has refetched its records', async () => {
  const server = mockServer({
    ...handlers,
    'POST /api/changes/{id}/undo': ({ params }) => changeResponse(`undo-of-${params['id']}`, change),
  })
  await openTrash()
  server.setHandlers({ 'GET /api/trash': () => new Promise<never>(() => {}) }) // never responds
  storeForUndo('c-2', 'Contact deleted')
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  await screen.findByText('Undone: Contact deleted')
  fireEvent.keyDown(document.body, { key: 'Z', ctrlKey: true, shiftKey: true })
  expect(await screen.findByText('Redone: Contact deleted')).toBeTruthy()
})

test('Ctrl+Z without a change to undo shows a toast and sends nothing', async () => {
  const server = mockServer(handlers)
  await openTrash()
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(await screen.findByText('Nothing to undo')).toBeTruthy()
  fireEvent.keyDown(document.body, { key: 'Z', ctrlKey: true, shiftKey: true })
  expect(await screen.findByText('Nothing to redo')).toBeTruthy()
  expect(server.requestsTo('POST /api/changes/{id}/undo')).toEqual([])
})

test('the button "Undo" of a toast undoes the change of the toast, and an error is shown in another toast', async () => {
  const server = mockServer({ ...handlers, 'POST /api/changes/{id}/undo': () => problemResponse('already_undone') })
  await openTrash()
  act(() => toast({ kind: 'success', title: 'Contact created', changeId: 'c-7' }))
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect((await screen.findByRole('alert')).textContent).toContain('This has been undone already.')
  expect(server.requestsTo('POST /api/changes/{id}/undo')[0]?.params).toEqual({ id: 'c-7' })
})

test('after the button "Undo" of a toast, the new toast names the change and not the title of the toast', async () => {
  mockServer({ ...handlers, 'POST /api/changes/{id}/undo': () => changeResponse('c-9', change) })
  await openTrash()
  storeForUndo('c-8', 'Imported 3 contacts')
  act(() => toast({ kind: 'success', title: 'Import Successful', changeId: 'c-8' }))
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone: Imported 3 contacts')).toBeTruthy()
})

test('when Ctrl+Z undoes a change, the toast of this change disappears', async () => {
  mockServer({ ...handlers, 'POST /api/changes/{id}/undo': () => changeResponse('c-9', change) })
  await openTrash()
  storeForUndo('c-8', 'Contact deleted')
  act(() => toast({ kind: 'success', title: 'Contact deleted', changeId: 'c-8' }))
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(await screen.findByText('Undone: Contact deleted')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

describe('undo while a write has no response', () => {
  afterEach(() => void vi.useRealTimers())
  const passTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  /** Starts a write, presses Ctrl+Z, and checks that a toast appears after 2 to 4 s and stays. */
  async function undoDuringWrite() {
    const { server, restoreResponse } = await startWrite()
    vi.useFakeTimers()
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
    await passTime(2000)
    expect(screen.queryByText('Undo is waiting')).toBeNull()
    await passTime(2000)
    expect(screen.getByText('Undo is waiting').parentElement?.textContent).toContain('A change is still being saved.')
    await passTime(30_000)
    expect(screen.getByText('Undo is waiting')).toBeTruthy()
    return { server, restoreResponse }
  }

  test('an undo that waits for a write shows a toast that says what it waits for, and undoes the write after its response', async () => {
    const { server, restoreResponse } = await undoDuringWrite()
    restoreResponse.resolve(changeResponse('c-4', change))
    await passTime(100)
    expect(server.requestsTo(undoRoute).map(({ params }) => params['id'])).toEqual(['c-4'])
    expect(screen.queryByText('Undo is waiting')).toBeNull()
  })

  test('an undo that waits for a write can be cancelled, and the next Ctrl+Z undoes the write', async () => {
    const { server, restoreResponse } = await undoDuringWrite()
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await passTime(100)
    expect(screen.queryByText('Undo is waiting')).toBeNull()
    restoreResponse.resolve(changeResponse('c-4', change))
    await passTime(100)
    expect(server.requestsTo(undoRoute)).toEqual([])
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
    await passTime(100)
    expect(server.requestsTo(undoRoute).map(({ params }) => params['id'])).toEqual(['c-4'])
  })

  test('an undo that waits for a write undoes nothing when the write fails, not even an older change', async () => {
    const { server, restoreResponse } = await undoDuringWrite()
    restoreResponse.resolve(problemResponse('not_ready'))
    await passTime(100)
    expect(screen.getByText('Nothing to undo').parentElement?.textContent).toContain('The change that was being saved cannot be undone.')
    expect(server.requestsTo(undoRoute)).toEqual([])
  })
})

test('when an undo gets no response for some seconds, a toast says so, and later the toast shows the progress of the job', async () => {
  const undoResponse = Promise.withResolvers<Response>()
  const running = { done: 30_000, total: 100_000, finished: false, failed: false }
  const server = mockServer({
    ...handlers,
    'POST /api/changes/{id}/undo': () => undoResponse.promise,
    'GET /api/changes/{id}': { ...change, progress: running },
  })
  await openTrash()
  storeForUndo('c-1', 'Company deleted')
  await loadUndo()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  await act(() => vi.advanceTimersByTimeAsync(4000))
  expect(screen.getByText('Undoing: Company deleted').parentElement?.textContent).toContain('The server has not answered yet.')
  undoResponse.resolve(changeResponse('undo-of-c-1', { ...change, progress: { ...running, done: 0 } }))
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  expect(screen.getByText('Undoing: Company deleted').parentElement?.textContent).toContain('30,000 of 100,000 parts')
  server.setHandlers({ 'GET /api/changes/{id}': { ...change, progress: { ...running, done: 100_000, finished: true } } })
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getByText('Undone: Company deleted')).toBeTruthy()
  expect(screen.queryByText('Undoing: Company deleted')).toBeNull()
})
