import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { setElementSize } from '#web/contacts/testing.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { changeResponse, mockServer, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import {
  drawings,
  folderRoutes,
  projects,
  quillstone,
  quillstoneAddress,
  quillstonePath,
  samples,
  surveyFile,
  wallFile,
} from './testing.ts'

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

test('a folder shows its path, its folders with their number of files, and its files with size and age', async () => {
  const server = mockServer(folderRoutes)
  await renderApp(quillstoneAddress)
  expect(await screen.findByRole('heading', { name: 'Quillstone Dental' })).toBeTruthy()
  expect(document.title).toBe('Quillstone Dental - Foyer')
  const path = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  expect(path.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/files', `/files/folder/${projects.id}`])
  const folder = screen.getByRole('link', { name: 'Drawings' })
  expect(folder.getAttribute('href')).toBe(`/files/folder/${drawings.id}`)
  expect(folder.closest('li')?.textContent).toBe('Drawings14 files')
  expect(screen.getByRole('link', { name: 'Samples' }).closest('li')?.textContent).toBe('SamplesEmpty')
  const row = (await screen.findByRole('link', { name: 'quillstone-survey-v3.pdf' })).closest('tr')
  expect(row?.querySelectorAll('td')[2]?.textContent).toBe('1.8 MB')
  expect(row?.querySelector('.tabler-icon-file-type-pdf')).toBeTruthy()
  expect(screen.getByText('5')).toBeTruthy() // two folders and three files
  expect(server.requestsTo('GET /api/files')[0]?.query).toMatchObject({
    filter: JSON.stringify([{ field: 'folder_id', is: [quillstone.id] }]),
    sort: 'newest',
  })
})

test('the root folder lists files that are in no folder and belong to no contact', async () => {
  const server = mockServer(folderRoutes)
  await renderApp('/files')
  expect(await screen.findByRole('heading', { name: 'Files' })).toBeTruthy()
  await waitFor(() => expect(server.requestsTo('GET /api/files')).toHaveLength(1))
  expect(JSON.parse(server.requestsTo('GET /api/files')[0]?.query['filter'] ?? '')).toEqual([
    { field: 'folder_id', empty: true },
    { field: 'contact_id', empty: true },
  ])
  expect(server.requestsTo('GET /api/folders')[0]?.query).toEqual({})
})

test('a long path is shortened in its middle, and a menu lists the folders that are left out', async () => {
  // each id is that of the folder Projects with another last digit
  const rows = ['One', 'Two', 'Three', 'Four', 'Five'].map((name, index) => ({ id: projects.id.replace(/.$/, String(index)), name }))
  mockServer({ ...folderRoutes, 'GET /api/folders/{id}/path': { rows } })
  await renderApp(quillstoneAddress)
  await screen.findByRole('heading', { name: 'Five' })
  const path = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  expect(path.getAllByRole('link').map((link) => link.textContent || link.getAttribute('aria-label'))).toEqual(['Files', 'Three', 'Four'])
  fireEvent.click(path.getByRole('button', { name: 'Folders above' }))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map((item) => item.textContent)).toEqual(['One', 'Two'])
})

test('a folder that was deleted or belongs to somebody else is not found', async () => {
  mockServer({ ...folderRoutes, 'GET /api/folders/{id}/path': () => problemResponse('not_found') })
  await renderApp(quillstoneAddress)
  expect(await screen.findByRole('heading', { name: 'This folder is not here' })).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'Back to Files' })).toHaveLength(2) // in the bar of the page and in its content
})

test('when the files cannot be loaded, Try again loads them', async () => {
  const server = mockServer({ ...folderRoutes, 'GET /api/files': () => problemResponse('internal') })
  await renderApp(quillstoneAddress)
  expect(await screen.findByRole('heading', { name: 'Error fetching files' })).toBeTruthy()
  server.setHandlers({ 'GET /api/files': folderRoutes['GET /api/files'] })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'quillstone-survey-v3.pdf' })).toBeTruthy()
})

test('when the folders cannot be loaded, the files are shown and Try again loads the folders', async () => {
  const server = mockServer({ ...folderRoutes, 'GET /api/folders': () => problemResponse('internal') })
  await renderApp(quillstoneAddress)
  expect(await screen.findByText(/The folders could not be loaded/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'quillstone-survey-v3.pdf' })).toBeTruthy()
  server.setHandlers({ 'GET /api/folders': folderRoutes['GET /api/folders'] })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'Drawings' })).toBeTruthy()
})

test('when there are no files at all, the page explains what files are for and offers an upload', async () => {
  const none = { rows: [], next: null }
  mockServer({ ...folderRoutes, 'GET /api/folders': none, 'GET /api/files': none, 'GET /api/files/count': { count: 0, more: false } })
  await renderApp('/files')
  expect(await screen.findByRole('heading', { name: 'Your files, in one place' })).toBeTruthy()
  expect(screen.getAllByRole('button', { name: 'Upload' })).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Grid' })).toBeNull()
})

test('New folder creates a folder in the open folder, and a taken name is an error at the field', async () => {
  const server = mockServer({
    ...folderRoutes,
    'POST /api/folders': () => problemResponse('duplicate', { fields: { name: 'There is a folder with this name already' } }),
  })
  await renderApp(quillstoneAddress)
  await screen.findByRole('link', { name: 'Drawings' })
  fireEvent.keyDown(document.body, { key: 'n' })
  const dialog = within(await screen.findByRole('dialog', { name: 'New folder' }))
  const create = dialog.getByRole<HTMLButtonElement>('button', { name: 'Create' })
  expect(create.disabled).toBe(true)
  fireEvent.change(dialog.getByRole('textbox', { name: 'Name' }), { target: { value: ' Invoices ' } })
  fireEvent.click(create)
  expect(await dialog.findByText('There is a folder with this name already')).toBeTruthy()
  server.setHandlers({ 'POST /api/folders': () => changeResponse('c-1', { ...drawings, name: 'Invoices' }, 201) })
  fireEvent.click(create)
  expect(await screen.findByText('Folder created')).toBeTruthy()
  expect(server.requestsTo('POST /api/folders').at(-1)?.body).toMatchObject({ name: 'Invoices', parent_folder_id: quillstone.id })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a folder that was just created has the focus, also when it is on a later page of the folders', async () => {
  const created = { ...drawings, id: drawings.id.replace(/.$/, '8'), name: 'Zoning plans' }
  const server = mockServer(folderRoutes)
  await renderApp(quillstoneAddress)
  await screen.findByRole('link', { name: 'Drawings' })
  server.setHandlers({
    'POST /api/folders': () => changeResponse('c-1', created, 201),
    'GET /api/folders': ({ query }) => (query['after'] ? { rows: [created], next: null } : { rows: [drawings, samples], next: 'page 2' }),
  })
  fireEvent.keyDown(document.body, { key: 'n' })
  const dialog = within(await screen.findByRole('dialog', { name: 'New folder' }))
  fireEvent.change(dialog.getByRole('textbox', { name: 'Name' }), { target: { value: 'Zoning plans' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Create' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Zoning plans' })))
})

test('a search reads all files, or only the open folder with everything below it', async () => {
  const server = mockServer(folderRoutes)
  const { router } = await renderApp(`${quillstoneAddress}?search=plaster`)
  await screen.findByRole('link', { name: 'quillstone-survey-v3.pdf' })
  expect(server.requestsTo('GET /api/files')[0]?.query).toMatchObject({ search: 'plaster' })
  expect(server.requestsTo('GET /api/files')[0]?.query['filter']).toBeUndefined()
  fireEvent.click(screen.getByRole('button', { name: 'This folder' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ search: 'plaster', in: 'folder' }))
  await waitFor(() =>
    expect(server.requestsTo('GET /api/files').at(-1)?.query['filter']).toBe(
      JSON.stringify([{ field: 'below_folder_id', is: [quillstone.id] }]),
    ),
  )
  await waitFor(() =>
    expect(server.requestsTo('GET /api/folders').at(-1)?.query).toEqual({ search: 'plaster', below_folder_id: quillstone.id }),
  )
})

test('a search that is limited to a folder shows the paths of what it finds, beginning below that folder', async () => {
  const archive = { id: projects.id.replace(/.$/, '6'), name: 'Archive' }
  const drawingsPath = [...quillstonePath, { id: drawings.id, name: drawings.name }, archive]
  mockServer({
    ...folderRoutes,
    'GET /api/files': {
      rows: [
        { ...surveyFile, folder_id: archive.id, path: drawingsPath },
        { ...wallFile, path: quillstonePath, is_path_cut: true },
      ],
      next: null,
    },
    'GET /api/folders': { rows: [{ ...samples, parent_folder_id: archive.id, path: drawingsPath }], next: null },
  })
  await renderApp(`${quillstoneAddress}?search=a&in=folder`)
  const row = (await screen.findByRole('link', { name: surveyFile.file_name })).closest('tr')
  const place = within(row ?? document.body).getByTitle('Files / Projects / Quillstone Dental / Drawings / Archive')
  expect([place.textContent, place.closest('a')?.getAttribute('href')]).toEqual(['Drawings / Archive', `/files/folder/${archive.id}`])
  const cutPlace = screen.getByTitle('Files / … / Projects / Quillstone Dental')
  expect([cutPlace.textContent, cutPlace.closest('tr')?.textContent]).toEqual(['this folder', expect.stringContaining(wallFile.file_name)])
  const found = within(screen.getByRole('list', { name: 'Folders found' }))
  expect(found.getByText('Archive')).toBeTruthy()
})

test('a folder that a search found has the same menu as every other folder', async () => {
  const server = mockServer({ ...folderRoutes, 'GET /api/folders': { rows: [{ ...drawings, path: quillstonePath }], next: null } })
  await renderApp('/files?search=draw')
  const found = within(await screen.findByRole('list', { name: 'Folders found' }))
  fireEvent.click(found.getByRole('button', { name: 'More for Drawings' }))
  // removes the shortcut at the end of each label
  const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent.replace(/(Enter|F2|M|X|Del)$/, ''))
  expect(items).toEqual(['Open', 'Download as zip', 'Rename', 'Move', 'Select', 'Delete'])
  server.setHandlers({ 'DELETE /api/folders/{id}': changeResponse('c-1'), 'GET /api/folders': { rows: [], next: null } })
  fireEvent.click(screen.getByRole('menuitem', { name: /^Delete/ }))
  expect(await screen.findByText('Folder deleted')).toBeTruthy()
  expect(screen.queryByRole('list', { name: 'Folders found' })).toBeNull()
})

test('the results of a search show their folder, and the passage: the part of the text with the words that were found', async () => {
  const passage = { text: 'the plaster came off', marks: [{ start: 4, end: 11 }], page: 3 }
  mockServer({ ...folderRoutes, 'GET /api/files': { rows: [{ ...surveyFile, passage, path: quillstonePath }], next: null } })
  await renderApp('/files?search=plaster')
  const row = (await screen.findByRole('link', { name: 'quillstone-survey-v3.pdf' })).closest('tr')
  expect(row?.textContent).toContain('Page 3: the plaster came off')
  expect(row?.querySelector('mark')?.textContent).toBe('plaster')
  const place = await within(row ?? document.body).findByRole('link', { name: /Quillstone Dental$/ })
  expect(place.getAttribute('href')).toBe(quillstoneAddress)
  expect(screen.queryByRole('button', { name: 'This folder' })).toBeNull()
})

test('on phones the passage begins shortly before the word that was found, so that the word is visible', async () => {
  setWindowWidth(390)
  const text = 'Towards the entrance there is a lowered section, 900 mm wide, made of walnut.'
  const passage = { text, marks: [{ start: 70, end: 76 }], page: 3 }
  mockServer({ ...folderRoutes, 'GET /api/files': { rows: [{ ...surveyFile, passage }], next: null } })
  await renderApp('/files?search=walnut')
  const row = (await screen.findByRole('link', { name: 'quillstone-survey-v3.pdf' })).closest('tr')
  expect(row?.querySelector('mark')?.closest('div')?.textContent).toBe('… wide, made of walnut.')
})

test('a search of the root folder finds folders at any depth, also when it finds no file', async () => {
  const none = { 'GET /api/files': { rows: [], next: null }, 'GET /api/files/count': { count: 0, more: false } }
  const server = mockServer({ ...folderRoutes, ...none, 'GET /api/folders': { rows: [{ ...drawings, path: quillstonePath }], next: null } })
  await renderApp('/files?search=draw')
  const found = within(await screen.findByRole('list', { name: 'Folders found' }))
  expect(found.getByRole('link', { name: 'Drawings' }).getAttribute('href')).toBe(`/files/folder/${drawings.id}`)
  expect(found.getByTitle('Files / Projects / Quillstone Dental').textContent).toBe('in Projects / Quillstone Dental')
  expect(server.requestsTo('GET /api/folders').at(-1)?.query).toEqual({ search: 'draw' })
  expect(screen.queryByRole('heading', { name: 'Nothing found' })).toBeNull()
})

test('a search shows a file as soon as the server has read its text', async () => {
  const server = mockServer({ ...folderRoutes, 'GET /api/files': { rows: [], next: null } })
  await renderApp('/files?search=plaster')
  await waitFor(() => expect(server.requestsTo('GET /api/files')).toHaveLength(1))
  server.setHandlers({ 'GET /api/files': { rows: [{ ...surveyFile, path: quillstonePath }], next: null } })
  await refreshTables(['object_texts']) // a row of this table is written when the text of a file has been read
  expect(await screen.findByRole('link', { name: surveyFile.file_name })).toBeTruthy()
})

test('the root folder shows how much space is used', async () => {
  const use = {
    used_bytes: 2_147_483_648,
    quota_bytes: 10_737_418_240,
    file_count: 3,
    trash_bytes: 0,
    upload_bytes: 0,
    groups: [],
    record_bytes: 0,
    record_quota_bytes: 1,
  }
  mockServer({ ...folderRoutes, 'GET /api/storage': use })
  await renderApp('/files')
  expect(await screen.findByText('2.0 GB of 10.0 GB used')).toBeTruthy()
})

test('the key / focuses the search field', async () => {
  mockServer(folderRoutes)
  await renderApp(quillstoneAddress)
  const field = await screen.findByRole('searchbox')
  fireEvent.keyDown(document.body, { key: '/' })
  expect(document.activeElement).toBe(field)
})

test('a search without results says so and offers to search all files', async () => {
  const none = { rows: [], next: null }
  mockServer({ ...folderRoutes, 'GET /api/files': none, 'GET /api/folders': none, 'GET /api/files/count': { count: 0, more: false } })
  const { router } = await renderApp(`${quillstoneAddress}?search=plaster&in=folder`)
  expect(await screen.findByRole('heading', { name: 'Nothing found' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Search all files' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ search: 'plaster' }))
})

test('Recent shows the newest files of all folders', async () => {
  const server = mockServer(folderRoutes)
  await renderApp('/files')
  fireEvent.click(await screen.findByRole('link', { name: 'Recent' }))
  expect(await screen.findByRole('link', { name: 'quillstone-survey-v3.pdf' })).toBeTruthy()
  const query = server.requestsTo('GET /api/files').at(-1)?.query
  expect(query).toMatchObject({ sort: 'newest' })
  expect(query?.['filter']).toBeUndefined()
})

test('the link from a file to its contact has a name also when the contact cannot be loaded', async () => {
  const file = { ...surveyFile, folder_id: null, contact_id: '01930000-0000-7000-8000-000000000701' }
  mockServer({ ...folderRoutes, 'GET /api/files': { rows: [file], next: null } })
  await renderApp('/files/recent')
  const link = await screen.findByRole('link', { name: 'Contact' })
  expect(link.getAttribute('href')).toBe(`/crm/contacts/${file.contact_id}`)
})

test('the grid shows the same files, and the browser remembers the choice', async () => {
  mockServer(folderRoutes)
  await renderApp(quillstoneAddress)
  await screen.findByRole('table', { name: 'Files' })
  fireEvent.click(screen.getByRole('button', { name: 'Grid' }))
  expect(within(await screen.findByRole('list', { name: 'Files' })).getAllByRole('link')).toHaveLength(3)
  expect(screen.queryByRole('table', { name: 'Files' })).toBeNull()
  expect(localStorage.getItem('foyer files layout')).toBe('grid')
})
