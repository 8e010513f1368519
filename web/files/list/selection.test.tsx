import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { setElementSize } from '#web/contacts/testing.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { changeResponse, mockServer, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { accessFile, drawings, folderRoutes, quillstone, quillstoneAddress, samples, surveyFile, wallFile } from '../testing.ts'

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

/** Opens a folder with the folders Drawings and Samples, followed by the files `surveyFile`, `wallFile` and `accessFile`. */
const openFolder = async (routes: Parameters<typeof mockServer>[0] = {}) => {
  const server = mockServer({ ...folderRoutes, ...routes })
  const { router } = await renderApp(quillstoneAddress)
  await screen.findByRole('link', { name: drawings.name })
  await screen.findByRole('link', { name: surveyFile.file_name })
  return { server, router }
}
const getLink = (name: string): HTMLElement => screen.getByRole('link', { name })
/** Returns the names of the selected folders and files, without the checkbox in the header of the table. */
const listSelected = (): (string | undefined)[] =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox', { checked: true })
    .map((checkbox) => checkbox.getAttribute('aria-label')?.replace('Select ', ''))
    .filter((name) => name !== 'all that are loaded')
const press = (key: string, init: KeyboardEventInit = {}): void =>
  void fireEvent.keyDown(document.activeElement ?? document.body, { key, ...init })

test('Ctrl+click and Shift+click select folders and files together', async () => {
  const { router } = await openFolder()
  fireEvent.click(getLink(samples.name), { ctrlKey: true })
  expect(listSelected()).toEqual([samples.name])
  fireEvent.click(getLink(wallFile.file_name), { shiftKey: true })
  expect(listSelected()).toEqual([samples.name, surveyFile.file_name, wallFile.file_name])
  fireEvent.click(getLink(surveyFile.file_name), { metaKey: true })
  expect(listSelected()).toEqual([samples.name, wallFile.file_name])
  expect(screen.getByText('2 selected')).toBeTruthy()
  expect(router.state.location.pathname).toBe(quillstoneAddress)
})

test('the arrow keys move through folders and files, Space selects, Shift+arrows extend, and Escape clears', async () => {
  await openFolder()
  press('ArrowDown')
  await waitFor(() => expect(document.activeElement).toBe(getLink(drawings.name)))
  press('ArrowRight')
  await waitFor(() => expect(document.activeElement).toBe(getLink(samples.name)))
  press(' ')
  expect(listSelected()).toEqual([samples.name])
  press('ArrowDown', { shiftKey: true })
  await waitFor(() => expect(document.activeElement?.textContent).toContain(surveyFile.file_name))
  press('ArrowDown', { shiftKey: true })
  await waitFor(() => expect(document.activeElement?.textContent).toContain(wallFile.file_name))
  expect(listSelected()).toEqual([samples.name, surveyFile.file_name, wallFile.file_name])
  press('Escape')
  expect(screen.queryByText('3 selected')).toBeNull()
  press('ArrowUp')
  press('ArrowUp')
  await waitFor(() => expect(document.activeElement).toBe(getLink(samples.name)))
  press('ArrowLeft')
  await waitFor(() => expect(document.activeElement).toBe(getLink(drawings.name)))
  press('a', { ctrlKey: true })
  expect(screen.getByText('5 selected')).toBeTruthy()
})

test('Enter opens the current file', async () => {
  const { router } = await openFolder()
  act(() => getLink(accessFile.file_name).closest('tr')?.focus())
  press('Enter')
  await waitFor(() => expect(router.state.location.pathname).toBe(`/files/file/${accessFile.id}`))
})

test('Delete deletes the selected folders and files as one change', async () => {
  const { server } = await openFolder({ 'POST /api/files/selection/delete': changeResponse('c-1') })
  fireEvent.click(screen.getByRole('checkbox', { name: `Select ${drawings.name}` }))
  fireEvent.click(screen.getByRole('checkbox', { name: `Select ${wallFile.file_name}` }))
  server.setHandlers({
    'GET /api/folders': { rows: [samples], next: null },
    'GET /api/files': { rows: [surveyFile, accessFile], next: null },
  })
  press('Delete')
  expect(await screen.findByText('1 folder and 1 file deleted')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(server.requestsTo('POST /api/files/selection/delete')[0]?.body).toEqual({ folder_ids: [drawings.id], file_ids: [wallFile.id] })
  expect(screen.queryByRole('link', { name: drawings.name })).toBeNull()
})

const inQuillstone = {
  files: { search: '', filter: [{ field: 'folder_id', is: [quillstone.id] }] },
  folders: { search: '', filter: [{ field: 'parent_folder_id', is: [quillstone.id] }] },
}
/**
 * A folder with so many files that only the first page is loaded: the request for the second page fails. The server counts `count` entries.
 */
const largeFolder = (count: { file_count: number; folder_count: number }) => ({
  'GET /api/files': ({ query }: { query: Record<string, string> }) =>
    query['after'] ? problemResponse('internal') : { rows: [surveyFile, wallFile, accessFile], next: 'page 2' },
  'GET /api/files/count': { count: 1000, more: true },
  'POST /api/files/selection/count': count,
})

test('after all loaded entries were selected, everything in the folder can be selected and is deleted as one change', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const { server } = await openFolder({
    ...largeFolder({ file_count: 9345, folder_count: 2 }),
    'POST /api/files/selection/delete': () => promise,
  })
  press('a', { ctrlKey: true })
  expect(screen.getByText('5 selected')).toBeTruthy()
  fireEvent.click(await screen.findByRole('button', { name: 'Select all 2 folders and 9,345 files' }))
  expect(screen.getByText('9,347 selected')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Download' }).disabled).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: 'Delete 2 folders and 9,345 files' }))
  expect(await screen.findByText('Deleting 2 folders and 9,345 files ...')).toBeTruthy()
  expect(server.requestsTo('POST /api/files/selection/delete')[0]?.body).toEqual({ matching: inQuillstone })
  resolve(changeResponse('c-1'))
  expect(await screen.findByText('2 folders and 9,345 files deleted')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull())
})

test('Ctrl+A twice selects everything, and the selection bar says that a zip can have at most 10,000 files', async () => {
  const { server } = await openFolder(largeFolder({ file_count: 12_345, folder_count: 0 }))
  press('a', { ctrlKey: true })
  await screen.findByRole('button', { name: 'Select all 12,345 files' })
  press('a', { ctrlKey: true })
  expect(await screen.findByText('12,345 selected')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Download at most 10,000 at once' }).disabled).toBe(true)
  press('m')
  expect(await screen.findByRole('dialog', { name: 'Move 12,345 files' })).toBeTruthy()
  expect(server.requestsTo('POST /api/files/selection/count')[0]?.body).toEqual({ matching: inQuillstone })
})

test('exactly 20,000 files can be moved and deleted, one more cannot', async () => {
  const { server } = await openFolder(largeFolder({ file_count: 20_000, folder_count: 0 }))
  const isDisabled = (name: string): boolean => screen.getByRole<HTMLButtonElement>('button', { name }).disabled
  press('a', { ctrlKey: true })
  fireEvent.click(await screen.findByRole('button', { name: 'Select all 20,000 files' }))
  expect(await screen.findByText('20,000 selected')).toBeTruthy()
  expect([isDisabled('Move'), isDisabled('Delete 20,000 files')]).toEqual([false, false])
  server.setHandlers({ 'POST /api/files/selection/count': { file_count: 20_001, folder_count: 0 } })
  await act(() => refreshTables(['files']))
  expect(await screen.findByText('more than 20,000 selected')).toBeTruthy()
  expect([isDisabled('Move'), isDisabled('Delete at most 20,000 at once')]).toEqual([true, true])
})

test('a folder is deleted from its menu', async () => {
  const { server } = await openFolder({ 'DELETE /api/folders/{id}': changeResponse('c-1') })
  fireEvent.click(screen.getByRole('button', { name: `More for ${drawings.name}` }))
  server.setHandlers({ 'GET /api/folders': { rows: [samples], next: null } })
  fireEvent.click(await screen.findByRole('menuitem', { name: /Delete/ }))
  expect(await screen.findByText('Folder deleted')).toBeTruthy()
  expect(server.requestsTo('DELETE /api/folders/{id}')[0]?.params['id']).toBe(drawings.id)
})

test('a second file can be deleted while the deletion of the first is still running', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const { server } = await openFolder({ 'DELETE /api/files/{id}': () => promise })
  const deleteFile = (name: string): void => void fireEvent.click(screen.getByRole('button', { name: `Delete ${name}` }))
  deleteFile(wallFile.file_name)
  await waitFor(() => expect(server.requestsTo('DELETE /api/files/{id}')).toHaveLength(1))
  deleteFile(surveyFile.file_name)
  await waitFor(() => expect(server.requestsTo('DELETE /api/files/{id}')).toHaveLength(2))
  expect(server.requestsTo('DELETE /api/files/{id}').map(({ params }) => params['id'])).toEqual([wallFile.id, surveyFile.id])
  server.setHandlers({ 'GET /api/files': { rows: [accessFile], next: null } })
  resolve(changeResponse('c-1'))
  expect(await screen.findAllByText('File deleted')).toBeTruthy()
  expect(screen.queryByRole('link', { name: surveyFile.file_name })).toBeNull()
})

test('a click with the right mouse button opens the menu of a folder, of a file, or of the selection', async () => {
  await openFolder()
  const listItems = async (): Promise<string[]> =>
    (await screen.findAllByRole('menuitem')).map((item) => item.textContent.replace(/(Enter|F2|M|X|Del)$/, ''))
  fireEvent.contextMenu(getLink(drawings.name), { clientX: 300, clientY: 200 })
  expect(await listItems()).toEqual(['Open', 'Download as zip', 'Rename', 'Move', 'Select', 'Delete'])
  fireEvent.click(screen.getByRole('menuitem', { name: /^Select/ }))
  fireEvent.click(getLink(surveyFile.file_name), { ctrlKey: true })
  expect(listSelected()).toEqual([drawings.name, surveyFile.file_name])
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull())
  fireEvent.contextMenu(getLink(surveyFile.file_name), { clientX: 300, clientY: 400 })
  expect(await listItems()).toEqual(['Download as zip', 'Move', 'Delete'])
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull())
  fireEvent.contextMenu(getLink(wallFile.file_name), { clientX: 300, clientY: 440 })
  expect((await listItems())[0]).toBe('Preview')
})

test('when a file cannot be deleted, it stays in the list and a toast says why', async () => {
  await openFolder({ 'DELETE /api/files/{id}': () => problemResponse('internal') })
  fireEvent.click(screen.getByRole('button', { name: `Delete ${wallFile.file_name}` }))
  expect(await screen.findByText('Error deleting file')).toBeTruthy()
  expect(await screen.findByRole('link', { name: wallFile.file_name })).toBeTruthy()
})

test('F2 renames the current file', async () => {
  const { server } = await openFolder({ 'PATCH /api/files/{id}': () => changeResponse('c-1', { ...surveyFile, file_name: 'Survey.pdf' }) })
  act(() => getLink(surveyFile.file_name).closest('tr')?.focus())
  press('F2')
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })
  expect(field.value).toBe(surveyFile.file_name)
  fireEvent.change(field, { target: { value: 'Survey.pdf' } })
  fireEvent.click(screen.getByRole('button', { name: 'Rename' }))
  expect(await screen.findByText('File renamed')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/files/{id}')[0]?.body).toEqual({ file_name: 'Survey.pdf', version: 1 })
})

test('if somebody else has renamed the file, the dialog stays open and shows the other name, which the next Rename replaces', async () => {
  const conflict = {
    version: 4,
    actor: `user:${surveyFile.id}`,
    actor_name: null,
    at: '2026-11-20T09:00:00.000Z',
    fields: [{ field: 'file_name', yours: 'Survey.pdf', theirs: 'Measurements.pdf' }],
  }
  const { server } = await openFolder({ 'PATCH /api/files/{id}': () => problemResponse('conflict', { conflict }) })
  act(() => getLink(surveyFile.file_name).closest('tr')?.focus())
  press('F2')
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })
  fireEvent.change(field, { target: { value: 'Survey.pdf' } })
  fireEvent.click(screen.getByRole('button', { name: 'Rename' }))
  expect(await screen.findByText('The name is now “Measurements.pdf”')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Keep that name' })).toBeTruthy()
  expect(field.value).toBe('Survey.pdf')
  server.setHandlers({ 'PATCH /api/files/{id}': changeResponse('c-1', { ...surveyFile, file_name: 'Survey.pdf', version: 5 }) })
  fireEvent.click(screen.getByRole('button', { name: 'Rename' }))
  expect(await screen.findByText('File renamed')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/files/{id}').at(-1)?.body).toEqual({ file_name: 'Survey.pdf', version: 4 })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('one file is downloaded by a link, and several entries in one zip', async () => {
  const zip = { id: surveyFile.id, url: '/api/zips/z', name: 'Files.zip', entry_count: 3, size: 900, expires_at: surveyFile.created_at }
  const links: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    links.push(`${new URL(this.href).pathname} as ${this.download}`)
  })
  const { server } = await openFolder({
    'POST /functions/v1/download-from-s3': { url: 'https://foyer.example/api/file-links/token' },
    'POST /api/files/zip': () => Response.json(zip, { status: 201 }),
  })
  fireEvent.click(screen.getByRole('button', { name: `Download ${surveyFile.file_name}` }))
  await waitFor(() => expect(links).toEqual([`/api/file-links/token as ${surveyFile.file_name}`]))
  fireEvent.click(screen.getByRole('checkbox', { name: `Select ${drawings.name}` }))
  fireEvent.click(screen.getByRole('checkbox', { name: `Select ${wallFile.file_name}` }))
  fireEvent.click(screen.getByRole('button', { name: 'Download' }))
  await waitFor(() => expect(links.at(-1)).toBe('/api/zips/z as Files.zip'))
  expect(server.requestsTo('POST /api/files/zip')[0]?.body).toEqual({ folder_ids: [drawings.id], file_ids: [wallFile.id] })
  expect(screen.getAllByText('Download started')).toHaveLength(2)
})

test('a failed download shows the error and no file is requested', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click')
  await openFolder({ 'POST /functions/v1/download-from-s3': () => problemResponse('not_found') })
  fireEvent.click(screen.getByRole('button', { name: `Download ${surveyFile.file_name}` }))
  expect(await screen.findByText('Error downloading file')).toBeTruthy()
  expect(click).not.toHaveBeenCalled()
})
