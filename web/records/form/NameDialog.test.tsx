import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { setElementSize } from '#web/contacts/testing.ts'
import { drawings, folderRoutes, quillstoneAddress, samples } from '#web/files/testing.ts'
import { changeResponse, mockServer, problemResponse, renderApp } from '#web/testing.ts'

/** Opens the dialog of a new folder with its shortcut. Returns its field. */
async function openDialog(): Promise<HTMLInputElement> {
  fireEvent.keyDown(document.body, { key: 'n' })
  const dialog = await screen.findByRole('dialog', { name: 'New folder' })
  return within(dialog).findByRole<HTMLInputElement>('textbox', { name: 'Name' })
}

/** Sends the name of a new folder, and closes the dialog with Escape while the request is running. `respond` ends the request. */
async function closeWhileSaving() {
  setElementSize()
  const response = Promise.withResolvers<Response>()
  const server = mockServer({ ...folderRoutes, 'POST /api/folders': () => response.promise })
  await renderApp(quillstoneAddress)
  await screen.findByRole('link', { name: 'Drawings' })
  const field = await openDialog()
  fireEvent.change(field, { target: { value: 'Invoices' } })
  fireEvent.submit(field.closest('form') ?? document.body)
  await waitFor(() => expect(server.requestsTo('POST /api/folders')).toHaveLength(1))
  fireEvent.keyDown(field, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  return { server, respond: response.resolve }
}

const invoices = { ...drawings, id: drawings.id.replace(/.$/, '8'), name: 'Invoices' }

test('a dialog that was closed while it was saving does not close the next one', async () => {
  const { server, respond } = await closeWhileSaving()
  const next = await openDialog()
  await waitFor(() => expect(document.activeElement).toBe(next))
  fireEvent.change(next, { target: { value: 'Receipts' } })
  server.setHandlers({ 'GET /api/folders': { rows: [drawings, invoices, samples], next: null } })
  respond(changeResponse('c-1', invoices, 201))
  expect(await screen.findByText('Folder created')).toBeTruthy()
  const created = await screen.findByRole('link', { name: 'Invoices', hidden: true })
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Receipts')
  expect(document.activeElement).toBe(next)
  fireEvent.keyDown(next, { key: 'Escape' })
  await waitFor(() => expect(document.activeElement).toBe(created))
})

test('when a name is refused after the dialog was closed, a toast shows the reason', async () => {
  const { respond } = await closeWhileSaving()
  respond(problemResponse('duplicate', { fields: { name: 'There is a folder with this name already' } }))
  const toast = within(await screen.findByRole('alert'))
  expect(toast.getByText('Error creating folder')).toBeTruthy()
  expect(toast.getByText('There is a folder with this name already')).toBeTruthy()
})

test('a switch to another window and back keeps the caret, so that typing continues the name', async () => {
  setElementSize()
  mockServer(folderRoutes)
  await renderApp(quillstoneAddress)
  await screen.findByRole('link', { name: 'Drawings' })
  const field = await openDialog()
  await waitFor(() => expect(document.activeElement).toBe(field))
  fireEvent.change(field, { target: { value: 'Invoices ' } })
  field.setSelectionRange(9, 9)
  fireEvent.blur(field)
  fireEvent.focus(field)
  expect([field.selectionStart, field.selectionEnd]).toEqual([9, 9])
})
