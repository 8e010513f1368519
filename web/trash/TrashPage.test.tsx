import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeChangeSet } from '#web/contacts/testing.ts'
import { storeForUndo } from '#web/lib/undo.ts'
import { changeResponse, nora, problemResponse, renderApp, mockServer } from '#web/testing.ts'

/** Returns a time in the past, or for a negative number a time in the future. */
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()
const ada = {
  id: '01930000-0000-7000-8000-0000000000d1',
  table: 'crm_contacts',
  title: 'Ada Lovelace',
  parent: null,
  change: '01930000-0000-7000-8000-0000000000e1',
  deleted_at: hoursAgo(3),
  expires_at: hoursAgo(-29 * 24),
}
const grace = { ...ada, id: '01930000-0000-7000-8000-0000000000d2', title: 'Grace Hopper', expires_at: hoursAgo(-1) }
/** A contact that was deleted by another change than Ada and Grace. */
const alan = { ...ada, id: '01930000-0000-7000-8000-0000000000d3', title: 'Alan Turing', change: '01930000-0000-7000-8000-0000000000e3' }
const restoreResult = {
  id: '01930000-0000-7000-8000-0000000000e9',
  at: hoursAgo(0),
  actor: 'user:nora',
  actor_name: null,
  label: 'Restored',
  count: 1,
  undone: false,
  redo_id: null,
  progress: null,
  skipped_counts: {},
  skipped: [],
}
const routes = { 'GET /api/session': nora, 'GET /api/trash': { rows: [ada, grace], next: null } }

test('each row shows the kind of the record, when it was deleted and when it will be erased', async () => {
  mockServer(routes)
  await renderApp('/trash')
  const row = (await screen.findByText('Ada Lovelace')).closest('li')
  expect(row?.textContent).toContain('Contact, deleted 3 hours ago')
  expect(row?.textContent).toContain('Gone in 29 days')
  expect(screen.getByText('Grace Hopper').closest('li')?.textContent).toContain('Gone in 1 day') // one hour, rounded up
  expect(screen.getByText('3 hours ago', { selector: 'li:first-child time' }).title).toMatch(/20\d\d/)
})

test('a row names the folder of a file and the contact of a note', async () => {
  const offer = { ...ada, table: 'files', title: 'Offer.pdf', parent: { table: 'folders', title: 'Offers', exists: true } }
  const note = { ...alan, table: 'notes', title: 'Prefers letters', parent: { table: 'crm_contacts', title: 'Grace Hopper', exists: true } }
  const folder = { ...offer, id: grace.id, table: 'folders', title: 'Old', change: grace.id, parent: null }
  mockServer({ ...routes, 'GET /api/trash': { rows: [offer, note, folder], next: null } })
  await renderApp('/trash')
  const textOf = (title: string) => screen.getByText(title).closest('li')?.textContent
  await screen.findByText('Offer.pdf')
  expect(textOf('Offer.pdf')).toContain('File in Offers, deleted')
  expect(textOf('Prefers letters')).toContain('Note of Grace Hopper, deleted')
  expect(textOf('Old')).toContain('Folder, deleted')
})

test.each([
  ['files', ['folder_id'], 'Restored', 'Now in Files, because its folder is gone: Ada Lovelace'],
  ['notes', undefined, 'Not restored', 'Restore Offers first, then this note.'],
])('restoring a record of %s whose parent is gone shows where it is, or why it was not restored', async (table, columns, title, text) => {
  // outside of this test the parent of a note is a contact; the message about a note contains only the title of the parent
  const entry = { ...ada, table, parent: { table: 'folders', title: 'Offers', exists: false } }
  const skipped = [{ table, id: ada.id, why: 'parent_gone', ...(columns && { columns }) }]
  mockServer({
    ...routes,
    'GET /api/trash': { rows: [entry], next: null },
    'POST /api/trash/{id}/restore': () => changeResponse('c-9', { ...restoreResult, skipped_counts: { parent_gone: 1 }, skipped }),
  })
  await renderApp('/trash')
  fireEvent.click(await screen.findByRole('button', { name: 'Restore Ada Lovelace' }))
  expect(await screen.findByText(title)).toBeTruthy()
  expect(screen.getByText(text)).toBeTruthy()
})

test('the button "Restore" restores one record, and a toast offers Undo', async () => {
  const server = mockServer({ ...routes, 'POST /api/trash/{id}/restore': () => changeResponse('c-9', restoreResult) })
  await renderApp('/trash')
  const restore = await screen.findByRole('button', { name: 'Restore Ada Lovelace' })
  server.setHandlers({ 'GET /api/trash': { rows: [grace], next: null } })
  fireEvent.click(restore)
  expect(await screen.findByText('Restored')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Restore Ada Lovelace' })).toBeNull())
  expect(server.requestsTo('POST /api/trash/{id}/restore')[0]?.params).toEqual({ id: ada.id })
})

test('when a record is restored or erased, the next one gets the focus, and the main element if there is none', async () => {
  const makePage = (titles: string[]) => ({ rows: [ada, alan].filter(({ title }) => titles.includes(title)), next: null })
  const server = mockServer({
    ...routes,
    'GET /api/trash': makePage(['Ada Lovelace', 'Alan Turing']),
    'POST /api/trash/{id}/restore': () => changeResponse('c-9', restoreResult),
    'DELETE /api/trash/{id}': undefined,
  })
  await renderApp('/trash')
  const restore = await screen.findByRole('button', { name: 'Restore Ada Lovelace' })
  restore.focus()
  server.setHandlers({ 'GET /api/trash': makePage(['Alan Turing']) })
  fireEvent.click(restore)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Restore Alan Turing' })))
  const erase = screen.getByRole('button', { name: 'Erase Alan Turing for good' })
  erase.focus()
  fireEvent.click(erase)
  server.setHandlers({ 'GET /api/trash': makePage([]) })
  fireEvent.click(await screen.findByRole('button', { name: 'Erase for good' }))
  await screen.findByText('The trash is empty')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})

test('while a restore continues as a job, a toast shows its progress; at the end another toast offers Undo', async () => {
  const progress = { done: 40, total: 101, finished: false, failed: false }
  const server = mockServer({
    ...routes,
    'POST /api/trash/{id}/restore': () => changeResponse('c-9', { ...restoreResult, progress }),
    'GET /api/changes/{id}': { ...restoreResult, progress },
  })
  await renderApp('/trash')
  fireEvent.click(await screen.findByRole('button', { name: 'Restore Ada Lovelace' }))
  const progressToast = await screen.findByText('Restoring Ada Lovelace')
  expect(progressToast.parentElement?.textContent).toContain('40 of 101 parts')
  server.setHandlers({ 'GET /api/changes/{id}': { ...restoreResult, progress: { ...progress, done: 101, finished: true } } })
  expect(await screen.findByText('Restored')).toBeTruthy()
  expect(screen.queryByText('Restoring Ada Lovelace')).toBeNull()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
})

test('records that were deleted together can be restored together', async () => {
  const server = mockServer({
    ...routes,
    'GET /api/trash': { rows: [ada, grace, alan], next: null },
    'POST /api/changes/{id}/undo': () => changeResponse('c-9', restoreResult),
  })
  await renderApp('/trash')
  expect((await screen.findByText(/deleted together/)).textContent).toBe('2 contacts deleted together 3 hours ago')
  expect(screen.getAllByRole('button', { name: /^Restore (Ada|Grace|Alan)/ })).toHaveLength(3)
  server.setHandlers({ 'GET /api/trash': { rows: [alan], next: null } })
  fireEvent.click(screen.getByRole('button', { name: 'Restore all 2' }))
  await waitFor(() => expect(screen.queryByText('Ada Lovelace')).toBeNull())
  expect(server.requestsTo('POST /api/changes/{id}/undo')[0]?.params).toEqual({ id: ada.change })
  expect(screen.queryByText(/deleted together/)).toBeNull()
})

test('the row above records that were deleted together shows their number by kind', async () => {
  const folder = { ...ada, table: 'folders', title: 'Offers' }
  const file = { ...grace, table: 'files', title: 'Offer.pdf' }
  mockServer({ ...routes, 'GET /api/trash': { rows: [folder, file, { ...file, id: alan.id }], next: null } })
  await renderApp('/trash')
  expect((await screen.findByText(/deleted together/)).textContent).toBe('1 folder and 2 files deleted together 3 hours ago')
})

test('when more of the records that were deleted together may be on the next page, the button to restore them shows no number', async () => {
  mockServer({ ...routes, 'GET /api/trash': { rows: [ada, grace], next: 'cursor-1' } })
  await renderApp('/trash')
  expect(await screen.findByRole('button', { name: 'Restore all of them' })).toBeTruthy()
})

test('a record that cannot be restored stays, and a toast shows the error', async () => {
  mockServer({ ...routes, 'POST /api/trash/{id}/restore': () => problemResponse('undo_blocked') })
  await renderApp('/trash')
  fireEvent.click(await screen.findByRole('button', { name: 'Restore Ada Lovelace' }))
  expect((await screen.findByRole('alert')).textContent).toContain('This cannot come back')
  expect(screen.getByText('Ada Lovelace')).toBeTruthy()
})

test('restoring records that were already restored elsewhere shows why they cannot be restored', async () => {
  mockServer({
    ...routes,
    'POST /api/changes/{id}/undo': () => problemResponse('already_undone'),
    'POST /api/trash/{id}/restore': () => problemResponse('not_found'),
  })
  await renderApp('/trash')
  fireEvent.click(await screen.findByRole('button', { name: 'Restore all 2' }))
  expect((await screen.findByText('This has been undone already.')).closest('[role=alert]')?.textContent).toContain('Error')
  fireEvent.click(screen.getByRole('button', { name: 'Restore Ada Lovelace' }))
  expect(await screen.findByText('There is nothing here, or it is not yours.')).toBeTruthy()
})

test('the row above records that were deleted together a moment ago says "just now"', async () => {
  const deleted_at = hoursAgo(0)
  mockServer({ ...routes, 'GET /api/trash': { rows: [ada, grace].map((entry) => ({ ...entry, deleted_at })), next: null } })
  await renderApp('/trash')
  expect((await screen.findByText(/deleted together/)).textContent).toBe('2 contacts deleted together just now')
})

test('erasing a record needs a confirmation, and the next Ctrl+Z says that it cannot be undone, and undoes no older change', async () => {
  const server = mockServer({ ...routes, 'DELETE /api/trash/{id}': undefined })
  await renderApp('/trash')
  storeForUndo('c-1', 'Contact updated')
  const button = await screen.findByRole('button', { name: 'Erase Ada Lovelace for good' })
  button.focus()
  fireEvent.click(button)
  const dialog = within(await screen.findByRole('dialog', { name: 'Erase Ada Lovelace for good?' }))
  expect(dialog.getByText('It is erased with its history. Nothing can bring it back.')).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(document.activeElement).toBe(button))
  expect(server.requestsTo('DELETE /api/trash/{id}')).toEqual([])

  fireEvent.click(screen.getByRole('button', { name: 'Erase Ada Lovelace for good' }))
  server.setHandlers({ 'GET /api/trash': { rows: [grace], next: null } })
  fireEvent.click(await screen.findByRole('button', { name: 'Erase for good' }))
  expect(await screen.findByText('Erased for good')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Ada Lovelace')).toBeNull())
  expect(server.requestsTo('DELETE /api/trash/{id}')[0]?.params).toEqual({ id: ada.id })

  const undoRoute = 'POST /api/changes/{id}/undo'
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(await screen.findByText('This cannot be undone.')).toBeTruthy()
  expect(server.requestsTo(undoRoute)).toEqual([])
  server.setHandlers({ [undoRoute]: () => changeResponse('c-2', makeChangeSet({ count: 1 })) })
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(await screen.findByText('Undone: Contact updated')).toBeTruthy()
})

test('emptying the trash needs a confirmation', async () => {
  const server = mockServer({ ...routes, 'DELETE /api/trash': undefined })
  await renderApp('/trash')
  fireEvent.click(await screen.findByRole('button', { name: 'Empty trash' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Empty the trash?' }))
  expect(dialog.getByText('Everything in the trash is erased with its history. Nothing can bring it back.')).toBeTruthy()
  server.setHandlers({ 'GET /api/trash': { rows: [], next: null } })
  fireEvent.click(dialog.getByRole('button', { name: 'Empty trash' }))
  expect(await screen.findByText('The trash is empty')).toBeTruthy()
  expect(screen.getByText('What you delete waits here for 30 days, in case you want it back.')).toBeTruthy()
  expect(screen.getByText('Trash emptied')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Empty trash' })).toBeNull()
})

test('the button "Show more" loads the next page', async () => {
  const server = mockServer({
    ...routes,
    'GET /api/trash': ({ query }) => (query['after'] ? { rows: [grace], next: null } : { rows: [ada], next: 'cursor-1' }),
  })
  await renderApp('/trash')
  fireEvent.click(await screen.findByRole('button', { name: 'Show more' }))
  expect(await screen.findByText('Grace Hopper')).toBeTruthy()
  expect(server.requestsTo('GET /api/trash').at(-1)?.query['after']).toBe('cursor-1')
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('when the trash cannot be loaded, the page shows the error and the user can try again', async () => {
  const server = mockServer({ ...routes, 'GET /api/trash': () => problemResponse('not_ready') })
  await renderApp('/trash')
  expect(await screen.findByText('The server is busy or starting. Please try again.')).toBeTruthy()
  server.setHandlers(routes)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Ada Lovelace')).toBeTruthy()
})

test('the response to an erase whose dialog was closed does not close the next dialog', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const server = mockServer({ ...routes, 'DELETE /api/trash/{id}': () => promise })
  await renderApp('/trash')
  fireEvent.click(await screen.findByRole('button', { name: 'Erase Ada Lovelace for good' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Erase for good' }))
  await waitFor(() => expect(server.requestsTo('DELETE /api/trash/{id}')).toHaveLength(1))
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Erase Grace Hopper for good' }))
  await screen.findByRole('dialog', { name: 'Erase Grace Hopper for good?' })
  resolve(undefined)
  expect(await screen.findByText('Erased for good')).toBeTruthy()
  expect(screen.getByRole('dialog', { name: 'Erase Grace Hopper for good?' })).toBeTruthy()
})
