import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setElementSize, setWindowWidth } from '#web/contacts/testing.ts'
import { mockServer, problemResponse, renderApp } from '#web/testing.ts'
import { drawings, folderRoutes, projects, quillstone, quillstoneAddress } from './testing.ts'

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})
afterEach(() => setWindowWidth(1024))

test('a folder shows its path, its folders, and its files with size and age', async () => {
  const server = mockServer(folderRoutes)
  await renderApp(quillstoneAddress)
  expect(await screen.findByRole('heading', { name: 'Quillstone Dental' })).toBeTruthy()
  expect(document.title).toBe('Quillstone Dental - Foyer')
  const path = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  expect(path.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/files', `/files/folder/${projects.id}`])
  expect(screen.getByRole('link', { name: 'Drawings' }).getAttribute('href')).toBe(`/files/folder/${drawings.id}`)
  const row = (await screen.findByRole('link', { name: 'quillstone-survey-v3.pdf' })).closest('tr')
  expect([...(row?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent).slice(2, 3)).toEqual(['1.8 MB'])
  expect(row?.querySelector('.tabler-icon-file-type-pdf')).toBeTruthy()
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

test('a folder that was deleted or belongs to somebody else is not found', async () => {
  mockServer({ ...folderRoutes, 'GET /api/folders/{id}/path': () => problemResponse('not_found') })
  await renderApp(quillstoneAddress)
  expect(await screen.findByRole('heading', { name: 'This folder is not here' })).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'Back to Files' })).toHaveLength(2)
})

test('when the files cannot be loaded, Try again loads them', async () => {
  const server = mockServer({ ...folderRoutes, 'GET /api/files': () => problemResponse('internal') })
  await renderApp(quillstoneAddress)
  expect(await screen.findByRole('heading', { name: 'Error fetching files' })).toBeTruthy()
  server.setHandlers({ 'GET /api/files': folderRoutes['GET /api/files'] })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'quillstone-survey-v3.pdf' })).toBeTruthy()
})
