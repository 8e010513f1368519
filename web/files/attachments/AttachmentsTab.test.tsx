import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { emptyContact } from '#contract/contacts.ts'
import type { File } from '#contract/files.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { stopAllUploads } from '../upload/queue.ts'
import { mockUploadServer } from '../upload/testing.ts'
import { projects, quillstonePath, surveyFile as surveyInFolder, wallFile as wallInFolder } from '../testing.ts'

const imara = {
  ...emptyContact,
  id: '01930000-0000-7000-8000-000000000001',
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
  version: 1,
  first_name: 'Imara',
  last_name: 'Vantongeren',
  reports_to_name: '',
  external_id: '',
  crm_connection_id: null,
  raw_data: null,
}
const place = { folder_id: null, contact_id: imara.id } // the place of Imara's attachments
const survey: File = { ...surveyInFolder, ...place }
const wall: File = { ...wallInFolder, ...place }
const letter: File = { ...survey, id: '01930000-0000-7000-8000-000000000603', file_name: 'letter', file_type: 'unknown', file_size: 912 }
const listRoute = 'GET /api/files'
const countRoute = 'GET /api/files/count'
const zeroCount = { count: 0, more: false }
const routes = {
  'GET /api/session': nora,
  'GET /api/contacts/{id}': imara,
  'GET /api/deals/count': zeroCount,
  'GET /api/tasks/count': zeroCount,
  'GET /api/notes': { rows: [], next: null, count: 0 },
  'GET /api/changes': { rows: [], next: null },
  [listRoute]: { rows: [survey, wall, letter], next: null },
  [countRoute]: { count: 3, more: false },
}
const openContact = () => renderApp(`/crm/contacts/${imara.id}`)
const findRow = async (name: string): Promise<HTMLElement> => {
  const row = (await screen.findByRole('link', { name })).closest('tr')
  if (!row) throw new Error(`No row with the file ${name}`)
  return row
}
/** Returns the texts of the columns name, type and size. */
const textsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .slice(0, 3)
    .map(({ textContent }) => textContent)
const click = async (name: string): Promise<void> => void fireEvent.click(await screen.findByRole('button', { name }))

test('the page of a contact opens with its attachments: name, type, size and age, and their number on the tab', async () => {
  const server = mockServer(routes)
  await openContact()
  expect(textsOf(await findRow(survey.file_name))).toEqual([survey.file_name, 'PDF', '1.8 MB'])
  expect(textsOf(await findRow('letter'))).toEqual(['letter', 'File', '912 Bytes'])
  expect(screen.getByRole('link', { name: survey.file_name }).getAttribute('href')).toBe(`/files/file/${survey.id}`)
  expect((await screen.findByRole('link', { name: 'Attachments 3' })).getAttribute('aria-current')).toBe('page')
  const tabs = within(screen.getByRole('navigation', { name: 'About this contact' })).getAllByRole('link')
  expect(tabs.map(({ textContent }) => textContent?.split(' ')[0])).toEqual(['Attachments', 'Appointments', 'Notes', 'Deals', 'Tasks'])
  const [request] = server.requestsTo(listRoute)
  expect(request?.query).toMatchObject({ filter: JSON.stringify([{ field: 'contact_id', is: [imara.id] }]), sort: 'newest' })
})

test('a file that somebody else adds appears in the table', async () => {
  const server = mockServer({ ...routes, [listRoute]: { rows: [survey], next: null } })
  await openContact()
  await findRow(survey.file_name)
  server.setHandlers({ [listRoute]: { rows: [wall, survey], next: null } })
  await act(() => refreshTables(['files']))
  expect(await findRow(wall.file_name)).toBeTruthy()
})

test('a contact without files says what the tab is for', async () => {
  mockServer({ ...routes, [listRoute]: { rows: [], next: null }, [countRoute]: zeroCount })
  await openContact()
  expect(await screen.findByText('No files yet. Keep offers, drawings and photos of this contact here.')).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
})

function dropFiles(target: HTMLElement, ...names: string[]): void {
  const files = names.map((name) => new globalThis.File(['text'], name))
  const items = files.map((file) => ({ kind: 'file', type: file.type, webkitGetAsEntry: () => null, getAsFile: () => file }))
  fireEvent.drop(target, { dataTransfer: { types: ['Files'], items } })
}

test('files that are dropped on the page while another tab is open are uploaded, and the attachments are opened', async () => {
  const server = mockUploadServer({ ...routes, 'GET /api/deals': { rows: [], next: null } })
  onTestFinished(stopAllUploads)
  await renderApp(`/crm/contacts/${imara.id}?tab=deals`)
  const heading = await screen.findByRole('heading', { name: 'Imara Vantongeren', level: 1 })
  expect(screen.queryByRole('region', { name: 'Attachments' })).toBeNull()
  dropFiles(heading, 'oak.txt')
  expect(await screen.findByRole('region', { name: 'Attachments' })).toBeTruthy()
  await waitFor(() => expect([...server.uploads.values()].map(({ contact_id }) => contact_id)).toEqual([imara.id]))
})

test('files that are dropped on the tab or chosen in the dialog are uploaded to the contact and appear in the table', async () => {
  const server = mockUploadServer({ ...routes, [listRoute]: { rows: [], next: null }, [countRoute]: zeroCount })
  onTestFinished(stopAllUploads)
  await openContact()
  const tab = await screen.findByRole('region', { name: 'Attachments' })
  expect(within(tab).getByRole('button', { name: /^Drop files/ }).textContent).toContain('Drop files here or choose files')
  dropFiles(tab, 'oak.txt', 'ash.txt')
  await waitFor(() => expect(server.files).toHaveLength(2))
  server.setHandlers({ [listRoute]: { rows: [wall, survey], next: null } })
  fireEvent.click(within(tab).getByRole('button', { name: /^Drop files/ }))
  fireEvent.change(screen.getByLabelText('Files to upload'), { target: { files: [new globalThis.File(['elm'], 'elm.txt')] } })
  await waitFor(() => expect(server.files).toHaveLength(3))
  expect(new Set([...server.uploads.values()].map(({ contact_id }) => contact_id))).toEqual(new Set([imara.id]))
  expect(await findRow(wall.file_name)).toBeTruthy()
})

test('when the files cannot be loaded, Try again loads them', async () => {
  const server = mockServer({ ...routes, [listRoute]: () => problemResponse('not_ready') })
  await openContact()
  const failed = await screen.findByRole('alert')
  expect(failed.textContent).toContain('Error fetching files')
  server.setHandlers(routes)
  fireEvent.click(within(failed).getByRole('button', { name: 'Try again' }))
  expect(await findRow(survey.file_name)).toBeTruthy()
})

test('Load more loads older files, and after a failure Try again loads them', async () => {
  const server = mockServer({
    ...routes,
    [listRoute]: ({ query }) => (query['after'] ? problemResponse('not_ready') : { rows: [survey], next: 'cursor-1' }),
  })
  await openContact()
  await click('Load more')
  expect((await screen.findByRole('alert')).textContent).toContain('Older files could not be loaded.')
  server.setHandlers({ [listRoute]: ({ query }) => (query['after'] ? { rows: [wall], next: null } : { rows: [survey], next: 'cursor-1' }) })
  await click('Try again')
  expect(await findRow(wall.file_name)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
})

test('a download opens a link of the server and shows a toast', async () => {
  const server = mockServer({
    ...routes,
    'POST /functions/v1/download-from-s3': { url: 'https://foyer.example/api/file-links/a-token' },
  })
  const downloads: [string, string][] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push([this.getAttribute('href') ?? '', this.download])
  })
  await openContact()
  await click(`Download ${survey.file_name}`)
  expect(await screen.findByText('Download started')).toBeTruthy()
  expect(downloads).toEqual([['/api/file-links/a-token', survey.file_name]])
  expect(server.requestsTo('POST /functions/v1/download-from-s3')[0]?.body).toEqual({ storagePath: survey.storage_path })
})

test('a download that fails shows a toast', async () => {
  mockServer(routes)
  await openContact()
  await click(`Download ${survey.file_name}`)
  expect((await screen.findByRole('alert')).textContent).toContain('Error downloading file')
})

test('a deleted file is removed at once, the toast offers Undo, and the next file gets the focus', async () => {
  const server = mockServer({
    ...routes,
    'DELETE /api/files/{id}': () => {
      server.setHandlers({ [listRoute]: { rows: [wall, letter], next: null }, [countRoute]: { count: 2, more: false } })
      return changeResponse('c-1')
    },
  })
  await openContact()
  await click(`Delete ${survey.file_name}`)
  expect(await screen.findByText('File deleted')).toBeTruthy()
  expect(screen.queryByRole('link', { name: survey.file_name })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('link', { name: wall.file_name }))
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(await screen.findByRole('link', { name: 'Attachments 2' })).toBeTruthy()
})

test('a file that cannot be deleted is shown again', async () => {
  mockServer({ ...routes, 'DELETE /api/files/{id}': () => problemResponse('not_ready') })
  await openContact()
  await click(`Delete ${survey.file_name}`)
  expect((await screen.findByRole('alert')).textContent).toContain('Error deleting file')
  expect(await findRow(survey.file_name)).toBeTruthy()
})

test('a file is renamed in a dialog, where the name is selected without the extension', async () => {
  const renamed = { ...survey, file_name: 'survey, final.pdf', version: 2 }
  const server = mockServer({
    ...routes,
    'PATCH /api/files/{id}': () => {
      server.setHandlers({ [listRoute]: { rows: [renamed, wall], next: null } })
      return changeResponse('c-2', renamed)
    },
  })
  await openContact()
  await click(`More for ${survey.file_name}`)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  const field = await screen.findByLabelText<HTMLInputElement>('Name')
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)).toBe('quillstone-survey-v3')
  fireEvent.change(field, { target: { value: ' ' } })
  await click('Rename')
  expect(await screen.findByText('Enter a name')).toBeTruthy()
  fireEvent.change(field, { target: { value: 'survey, final.pdf ' } })
  await click('Rename')
  expect(await findRow('survey, final.pdf')).toBeTruthy()
  expect(await screen.findByText('File renamed')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/files/{id}').map(({ body }) => body)).toEqual([{ file_name: 'survey, final.pdf', version: 1 }])
})

const moveRoute = 'POST /api/files/selection/move'

test('an attachment is moved to a folder of Files, with Undo', async () => {
  const server = mockServer({
    ...routes,
    'GET /api/folders': ({ query }) => ({ rows: query['parent_folder_id'] ? [] : [projects], next: null }),
    [moveRoute]: () => {
      server.setHandlers({ [listRoute]: { rows: [wall, letter], next: null } })
      return changeResponse('c-3')
    },
  })
  await openContact()
  await click(`More for ${survey.file_name}`)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to Files' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Move file' }))
  fireEvent.click(await dialog.findByRole('button', { name: 'Projects' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Move to Projects' }))
  expect(await screen.findByText('File moved to Projects')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(server.requestsTo(moveRoute)[0]?.body).toEqual({ file_ids: [survey.id], folder_ids: [], folder_id: projects.id })
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: wall.file_name })))
})

test('when the code of the dialog “Attach from Files” cannot be loaded, a toast says so and the attachments stay', async () => {
  vi.doMock('./AttachDialog.tsx', () => Promise.reject(new Error('No network')))
  onTestFinished(() => vi.doUnmock('./AttachDialog.tsx'))
  mockServer(routes)
  await openContact()
  await click('Attach from Files')
  expect(await screen.findByText('This could not be opened')).toBeTruthy()
  expect(await findRow(survey.file_name)).toBeTruthy()
})

test('the dialog “Attach from Files” finds files by a search and attaches them to the contact, with Undo', async () => {
  const server = mockServer({
    ...routes,
    [listRoute]: ({ query }) => {
      if (query['filter']?.includes(imara.id)) return { rows: [], next: null } // the list of attachments
      const found = { ...wallInFolder, path: quillstonePath }
      const other = { ...surveyInFolder, path: [] }
      return { rows: query['search'] ? [found] : [other, found], next: null }
    },
    [moveRoute]: () => changeResponse('c-4'),
  })
  await openContact()
  await click('Attach from Files')
  const dialog = within(await screen.findByRole('dialog', { name: 'Attach files to Imara Vantongeren' }))
  fireEvent.click(await dialog.findByRole('checkbox', { name: survey.file_name, description: 'in Files' }))
  expect(dialog.getByRole('checkbox', { name: wall.file_name, description: 'in Projects / Quillstone Dental' })).toBeTruthy()
  fireEvent.change(dialog.getByRole('searchbox', { name: 'Search files' }), { target: { value: 'wall' } })
  await waitFor(() => expect(dialog.queryByRole('checkbox', { name: survey.file_name })).toBeNull())
  fireEvent.click(dialog.getByRole('checkbox', { name: wall.file_name }))
  fireEvent.click(dialog.getByRole('button', { name: 'Attach 2 files' }))
  expect(await screen.findByText('2 files attached to Imara Vantongeren')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  const body = { file_ids: [survey.id, wall.id], folder_ids: [], folder_id: null, contact_id: imara.id }
  expect(server.requestsTo(moveRoute)[0]?.body).toEqual(body)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a name that the server refuses stays in the dialog with the reason', async () => {
  mockServer({
    ...routes,
    'PATCH /api/files/{id}': () => problemResponse('invalid', { fields: { file_name: 'At most 2,000 characters' } }),
  })
  await openContact()
  await click(`More for ${survey.file_name}`)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  const field = await screen.findByLabelText<HTMLInputElement>('Name')
  fireEvent.change(field, { target: { value: 'other.pdf' } })
  await click('Rename')
  expect(await screen.findByText('At most 2,000 characters')).toBeTruthy()
  expect(field.value).toBe('other.pdf')
})

test('on a phone a row shows size and age below the name, and has its actions in a menu', async () => {
  onTestFinished(() => setWindowWidth(1280))
  setWindowWidth(390)
  mockServer(routes)
  await openContact()
  expect((await findRow(survey.file_name)).textContent).toContain('1.8 MB, ')
  expect(screen.queryByRole('button', { name: `Download ${survey.file_name}` })).toBeNull()
  await click(`More for ${survey.file_name}`)
  const items = await screen.findAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(['Preview', 'Download', 'Rename', 'Move to Files', 'Delete'])
})
