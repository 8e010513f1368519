// Tests that an entry that was just created or renamed does not take the focus from an open dialog.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { setElementSize } from '#web/contacts/testing.ts'
import { changeResponse, mockServer, renderApp } from '#web/testing.ts'
import { drawings, folderRoutes, projects, quillstoneAddress, samples, surveyFile, wallFile } from '../testing.ts'

beforeEach(setElementSize)

const press = (key: string): void => void fireEvent.keyDown(document.activeElement ?? document.body, { key })
const findField = async (): Promise<HTMLInputElement> => {
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })
  await waitFor(() => expect(document.activeElement).toBe(field))
  return field
}
const focusRow = async ({ file_name }: typeof surveyFile): Promise<void> => {
  const row = (await screen.findByRole('link', { name: file_name })).closest('tr')
  act(() => row?.focus())
}

/** Sends the name that is typed into the open dialog, and closes the dialog with Escape while the request `route` is running. */
async function closeWhileSaving(server: ReturnType<typeof mockServer>, route: string, name: string): Promise<void> {
  const field = await findField()
  fireEvent.change(field, { target: { value: name } })
  fireEvent.submit(field.closest('form') ?? document.body)
  await waitFor(() => expect(server.requestsTo(route)).toHaveLength(1))
  press('Escape')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}

/** Sends a new folder "Invoices", and closes its dialog while the request is running. Returns the function that lets the server respond. */
async function startCreatingInvoices(): Promise<() => void> {
  const response = Promise.withResolvers<Response>()
  const server = mockServer({ ...folderRoutes, 'POST /api/folders': () => response.promise })
  await renderApp(quillstoneAddress)
  await screen.findByRole('link', { name: drawings.name })
  press('n')
  await closeWhileSaving(server, 'POST /api/folders', 'Invoices')
  const invoices = { ...drawings, id: drawings.id.replace(/.$/, '8'), name: 'Invoices' }
  return () => {
    server.setHandlers({ 'GET /api/folders': { rows: [drawings, invoices, samples], next: null } })
    response.resolve(changeResponse('c-1', invoices, 201))
  }
}

test('a folder that is created while the user types the new name of a file gets the focus when the dialog is closed', async () => {
  const respond = await startCreatingInvoices()
  await focusRow(wallFile)
  press('F2')
  const field = await findField()
  respond()
  const link = await screen.findByRole('link', { name: 'Invoices', hidden: true })
  expect(await screen.findByText('Folder created')).toBeTruthy()
  expect(document.activeElement).toBe(field)
  press('Escape')
  await waitFor(() => expect(document.activeElement).toBe(link))
})

test('a folder that is created while the user types into the search field does not get the focus', async () => {
  const respond = await startCreatingInvoices()
  const search = screen.getByRole('searchbox')
  act(() => search.focus())
  respond()
  await screen.findByRole('link', { name: 'Invoices' })
  expect(await screen.findByText('Folder created')).toBeTruthy()
  expect(document.activeElement).toBe(search)
})

test('a file that is renamed while the user chooses a folder for another file gets the focus when the dialog is closed', async () => {
  const response = Promise.withResolvers<Response>()
  const server = mockServer({
    ...folderRoutes,
    'GET /api/folders': ({ query }) => ({ rows: query['parent_folder_id'] ? [drawings, samples] : [projects], next: null }),
    'PATCH /api/files/{id}': () => response.promise,
  })
  await renderApp(quillstoneAddress)
  await focusRow(surveyFile)
  press('F2')
  await closeWhileSaving(server, 'PATCH /api/files/{id}', 'Survey.pdf')
  await focusRow(wallFile)
  press('m')
  const dialog = await screen.findByRole('dialog', { name: 'Move file' })
  const folder = await within(dialog).findByRole('button', { name: 'Projects' })
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
  act(() => folder.focus())
  const renamed = { ...surveyFile, file_name: 'Survey.pdf', version: 2 }
  server.setHandlers({ 'GET /api/files': { rows: [renamed, wallFile], next: null } })
  response.resolve(changeResponse('c-1', renamed))
  const link = await screen.findByRole('link', { name: renamed.file_name, hidden: true })
  expect(document.activeElement).toBe(folder)
  press('Escape')
  await waitFor(() => expect(document.activeElement).toBe(link.closest('tr')))
})
