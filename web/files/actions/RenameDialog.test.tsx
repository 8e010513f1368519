import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { setElementSize } from '#web/contacts/testing.ts'
import { changeResponse, mockServer, problemResponse, renderApp } from '#web/testing.ts'
import { folderRoutes, quillstoneAddress, surveyFile, wallFile } from '../testing.ts'

const renameRoute = 'PATCH /api/files/{id}'

/** Opens the dialog of a file in the list with its shortcut. Returns its field. */
async function openDialog({ file_name }: typeof surveyFile): Promise<HTMLInputElement> {
  const row = (await screen.findByRole('link', { name: file_name })).closest('tr') ?? document.body
  act(() => row.focus())
  fireEvent.keyDown(row, { key: 'F2' })
  const dialog = await screen.findByRole('dialog', { name: 'Rename file' })
  const field = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Name' })
  await waitFor(() => expect(document.activeElement).toBe(field))
  return field
}

/** Sends the new name of a file, and closes the dialog with Escape while the request is running. `respond` ends the request. */
async function closeWhileSaving() {
  setElementSize()
  const response = Promise.withResolvers<Response>()
  const server = mockServer({ ...folderRoutes, [renameRoute]: () => response.promise })
  await renderApp(quillstoneAddress)
  const field = await openDialog(surveyFile)
  fireEvent.change(field, { target: { value: 'Survey.pdf' } })
  fireEvent.submit(field.closest('form') ?? document.body)
  await waitFor(() => expect(server.requestsTo(renameRoute)).toHaveLength(1))
  fireEvent.keyDown(field, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  return { server, respond: response.resolve }
}

test('a dialog that was closed while it was saving does not close the next one', async () => {
  const { server, respond } = await closeWhileSaving()
  const next = await openDialog(wallFile)
  fireEvent.change(next, { target: { value: 'East wall.jpg' } })
  const renamed = { ...surveyFile, file_name: 'Survey.pdf', version: 2 }
  server.setHandlers({ 'GET /api/files': { rows: [renamed, wallFile], next: null } })
  respond(changeResponse('c-1', renamed))
  expect(await screen.findByRole('link', { name: renamed.file_name, hidden: true })).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('East wall.jpg')
})

const conflict = {
  version: 4,
  actor: `user:${surveyFile.id}`,
  actor_name: null,
  at: '2026-11-20T09:00:00.000Z',
  fields: [{ field: 'file_name', yours: 'Survey.pdf', theirs: 'Measurements.pdf' }],
}

test.each([
  ['a name that is not allowed', problemResponse('invalid', { fields: { file_name: 'At most 255 characters' } }), 'At most 255 characters'],
  ['a conflict', problemResponse('conflict', { conflict }), 'This was changed somewhere else while you were editing.'],
])('after the dialog was closed, a toast reports %s', async (_name, response, message) => {
  const { respond } = await closeWhileSaving()
  respond(response)
  const toast = within(await screen.findByRole('alert'))
  expect(toast.getByText('Error renaming file')).toBeTruthy()
  expect(toast.getByText(message)).toBeTruthy()
})

test('a switch to another window and back keeps the caret, so that typing continues the name', async () => {
  setElementSize()
  mockServer(folderRoutes)
  await renderApp(quillstoneAddress)
  const field = await openDialog(surveyFile)
  expect(field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)).toBe('quillstone-survey-v3')
  fireEvent.change(field, { target: { value: 'Survey of ' } })
  field.setSelectionRange(10, 10)
  fireEvent.blur(field)
  fireEvent.focus(field)
  expect([field.selectionStart, field.selectionEnd]).toEqual([10, 10])
})
