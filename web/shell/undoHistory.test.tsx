// Ctrl+Z undoes what the user has done in this browser, even before a reload or in a tab that has been closed. localStorage has the changes
// of all tabs, each with the id of its tab; a tab keeps its id in sessionStorage. Changes have ids such as `c-1`; a redo undoes the change
// that the undo has made.
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SignedIn } from '#contract/accounts.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { queries } from '#web/lib/queries.ts'
import { storeForUndo } from '#web/lib/undo.ts'
import { makeChangeSet } from '#web/contacts/testing.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'

const change = { ...makeChangeSet({ count: 1 }), label: 'Undone' }
const undoRoute = 'POST /api/changes/{id}/undo'

/**
 * Mocks a server on which the undo of `c-1` makes a change with the id `undo-of-c-1`. The undo of a change in `failingChanges` fails with
 * the error code.
 */
function mockUndoServer(failingChanges: Record<string, ErrorCode> = {}) {
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/trash': { rows: [], next: null },
    [undoRoute]: ({ params: { id = '' } }) => {
      const code = failingChanges[id]
      return code ? problemResponse(code) : changeResponse(`undo-of-${id}`, change)
    },
  })
  return { ...server, getUndoneIds: () => server.requestsTo(undoRoute).map(({ params }) => params['id']) }
}

/** Opens the page as after a reload: without what the page had in memory. */
async function openPage(): Promise<void> {
  cleanup()
  queries.clear()
  await renderApp('/trash')
  await screen.findByText('The trash is empty')
}
const openInNewTab = (): Promise<void> => {
  sessionStorage.clear()
  return openPage()
}
const pressCtrlZ = () => fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
const pressCtrlShiftZ = () => fireEvent.keyDown(document.body, { key: 'Z', ctrlKey: true, shiftKey: true })

test('after a reload Ctrl+Z undoes the last change from before the reload, and Ctrl+Shift+Z redoes it after another reload', async () => {
  const { getUndoneIds } = mockUndoServer()
  await openPage()
  storeForUndo('c-1', 'Contact deleted')
  await openPage()
  pressCtrlZ()
  expect(await screen.findByText('Undone: Contact deleted')).toBeTruthy()
  // the change of the undo must be stored before the page is opened again
  await waitFor(() =>
    expect(localStorage.getItem(Object.keys(localStorage).find((key) => key.includes('changes')) ?? '')).toContain('undo-of'),
  )
  await openPage()
  pressCtrlShiftZ()
  expect(await screen.findByText('Redone: Contact deleted')).toBeTruthy()
  expect(getUndoneIds()).toEqual(['c-1', 'undo-of-c-1'])
})

test('Ctrl+Z in a new tab undoes what was done in a tab that has been closed', async () => {
  const { getUndoneIds } = mockUndoServer()
  await openPage()
  storeForUndo('c-1', 'Contact deleted')
  await openInNewTab()
  pressCtrlZ()
  expect(await screen.findByText('Undone: Contact deleted')).toBeTruthy()
  expect(getUndoneIds()).toEqual(['c-1'])
})

test('with two tabs, Ctrl+Z undoes the changes of its own tab first', async () => {
  const { getUndoneIds } = mockUndoServer()
  await openPage()
  storeForUndo('c-1', 'Contact deleted')
  const memoryOfFirstTab = Object.keys(sessionStorage).map((key) => [key, sessionStorage.getItem(key) ?? ''] as const)
  await openInNewTab()
  storeForUndo('c-2', 'Deal updated')
  sessionStorage.clear()
  for (const [key, value] of memoryOfFirstTab) sessionStorage.setItem(key, value)
  await openPage()
  pressCtrlZ()
  expect(await screen.findByText('Undone: Contact deleted')).toBeTruthy()
  pressCtrlZ()
  expect(await screen.findByText('Undone: Deal updated')).toBeTruthy()
  expect(getUndoneIds()).toEqual(['c-1', 'c-2'])
})

test.each<[ErrorCode, string]>([
  ['already_undone', 'This has been undone already.'],
  ['too_old', 'This happened more than 30 days ago and can no longer be undone.'],
  ['nothing_left', 'There is nothing left to undo. Records that were erased for good cannot come back.'],
])('Ctrl+Z skips changes with the error %s, says why once, and undoes the change before them', async (code, reason) => {
  const { getUndoneIds } = mockUndoServer({ 'c-2': code, 'c-3': code })
  await openPage()
  storeForUndo('c-1', 'Contact deleted')
  storeForUndo('c-2', 'Deal updated')
  storeForUndo('c-3', 'Task created')
  await openPage()
  pressCtrlZ()
  expect(await screen.findByText('Undone: Contact deleted')).toBeTruthy()
  expect(screen.getAllByText(reason)).toHaveLength(1)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(getUndoneIds()).toEqual(['c-3', 'c-2', 'c-1'])
})

test('when the only change has already been undone elsewhere, Ctrl+Z says so, and says that there is nothing to undo', async () => {
  const { getUndoneIds } = mockUndoServer({ 'c-1': 'already_undone' })
  await openPage()
  storeForUndo('c-1', 'Contact deleted')
  pressCtrlZ()
  expect(await screen.findByText('This has been undone already.')).toBeTruthy()
  expect(await screen.findByText('Nothing to undo')).toBeTruthy()
  expect(getUndoneIds()).toEqual(['c-1'])
})

test('another user of the same browser cannot undo the changes of the previous user', async () => {
  const server = mockUndoServer()
  await openPage()
  storeForUndo('c-1', 'Contact deleted')
  const bastianId = '01930000-0000-7000-8000-00000000000b'
  const bastian: SignedIn = { ...nora, user: { ...nora.user, id: bastianId }, profile: { ...nora.profile, id: bastianId } }
  server.setHandlers({ 'GET /api/session': bastian })
  await openPage()
  pressCtrlZ()
  expect(await screen.findByText('Nothing to undo')).toBeTruthy()
  expect(server.getUndoneIds()).toEqual([])
})
