import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Folder } from '#contract/folders.ts'
import { setElementSize } from '#web/contacts/testing.ts'
import { changeResponse, mockServer, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { drawings, folderRoutes, projects, quillstone, quillstoneAddress, samples, surveyFile, wallFile } from '../testing.ts'

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

const contracts: Folder = { ...projects, id: projects.id.replace(/.$/, '9'), name: 'Contracts' }
const foldersByParent: Record<string, Folder[]> = {
  '': [contracts, projects],
  [projects.id]: [quillstone],
  [quillstone.id]: [drawings, samples],
}
const moveRoute = 'POST /api/files/selection/move'

/** Selects the folder Drawings and two files in the folder Quillstone Dental, and opens the dialog with the key M. */
async function openDialog() {
  const server = mockServer({
    ...folderRoutes,
    'GET /api/folders': ({ query }) => ({ rows: foldersByParent[query['parent_folder_id'] ?? ''] ?? [], next: null }),
    [moveRoute]: changeResponse('c-1'),
  })
  await renderApp(quillstoneAddress)
  await screen.findByRole('link', { name: drawings.name })
  for (const name of [drawings.name, surveyFile.file_name, wallFile.file_name])
    fireEvent.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))
  fireEvent.keyDown(document.body, { key: 'm' })
  const dialog = within(await screen.findByRole('dialog', { name: 'Move 1 folder and 2 files' }))
  await dialog.findByRole('treeitem', { name: samples.name })
  return { server, dialog }
}

test('the tree is expanded down to the folder that contains the entries, and a folder to be moved cannot be chosen', async () => {
  const { dialog } = await openDialog()
  // the depth and the name of each folder in the tree
  const levelsAndNames = dialog
    .getAllByRole('treeitem')
    .map((item) => `${item.ariaLevel ?? item.getAttribute('aria-level')} ${item.getAttribute('aria-label')}`)
  expect(levelsAndNames).toEqual(['1 Files', '2 Contracts', '2 Projects', '3 Quillstone Dental', '4 Drawings', '4 Samples'])
  expect(dialog.getByRole('treeitem', { name: 'Drawings' }).getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(dialog.getByRole('button', { name: 'Quillstone Dental' }))
  // the folder already contains the entries
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Move to Quillstone Dental' }).disabled).toBe(true)
})

test('folders and files are moved into the chosen folder as one change, which can be undone', async () => {
  const { server, dialog } = await openDialog()
  fireEvent.click(dialog.getByRole('button', { name: 'Contracts' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Move to Contracts' }))
  expect(await screen.findByText('1 folder and 2 files moved to Contracts')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(server.requestsTo(moveRoute)[0]?.body).toEqual({
    folder_ids: [drawings.id],
    file_ids: [surveyFile.id, wallFile.id],
    folder_id: contracts.id,
  })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.queryByText('3 selected')).toBeNull()
})

test('when a move fails after its dialog was closed, a toast says why', async () => {
  const { server, dialog } = await openDialog()
  const { promise, resolve } = Promise.withResolvers<Response>()
  server.setHandlers({ [moveRoute]: () => promise })
  fireEvent.click(dialog.getByRole('button', { name: 'Contracts' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Move to Contracts' }))
  await waitFor(() => expect(server.requestsTo(moveRoute)).toHaveLength(1))
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  resolve(problemResponse('not_ready'))
  expect(await screen.findByText('Error moving files')).toBeTruthy()
})

test('the arrow keys choose a folder, and Enter moves the entries into it', async () => {
  const { server, dialog } = await openDialog()
  const root = dialog.getByRole('treeitem', { name: 'Files' })
  act(() => root.focus())
  fireEvent.keyDown(root, { key: 'ArrowDown' })
  const chosen = dialog.getByRole('treeitem', { name: 'Contracts' })
  expect(document.activeElement).toBe(chosen)
  expect(chosen.getAttribute('aria-selected')).toBe('true')
  fireEvent.keyDown(chosen, { key: 'Enter' })
  await waitFor(() => expect(server.requestsTo(moveRoute)[0]?.body).toMatchObject({ folder_id: contracts.id }))
})

test('a folder is found by its name', async () => {
  const { server, dialog } = await openDialog()
  const hit = { kind: 'folder', id: contracts.id, title: 'Contracts', detail: '', parent: null }
  server.setHandlers({ 'GET /api/search': { hits: [hit] } })
  fireEvent.change(dialog.getByRole('searchbox', { name: 'Search folders' }), { target: { value: 'contr' } })
  const found = await dialog.findByRole('list', { name: 'Folders found' })
  expect(server.requestsTo('GET /api/search')[0]?.query).toMatchObject({ search: 'contr', kind: 'folder' })
  expect(
    within(found)
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual(['Contracts'])
  fireEvent.click(within(found).getByRole('button', { name: 'Contracts' }))
  expect(dialog.getByRole('button', { name: 'Move to Contracts' })).toBeTruthy()
})

test('a new folder is created in the chosen folder and becomes the target', async () => {
  const { server, dialog } = await openDialog()
  const created: Folder = { ...samples, id: samples.id.replace(/.$/, '7'), name: 'Signed', parent_folder_id: contracts.id }
  server.setHandlers({ 'POST /api/folders': () => changeResponse('c-2', created, 201) })
  fireEvent.click(dialog.getByRole('button', { name: 'Contracts' }))
  fireEvent.click(dialog.getByRole('button', { name: 'New folder' }))
  const newFolder = within(await screen.findByRole('dialog', { name: 'New folder' }))
  fireEvent.change(newFolder.getByRole('textbox', { name: 'Name' }), { target: { value: 'Signed' } })
  fireEvent.click(newFolder.getByRole('button', { name: 'Create' }))
  expect(await dialog.findByRole('button', { name: 'Move to Signed' })).toBeTruthy()
  expect(server.requestsTo('POST /api/folders')[0]?.body).toMatchObject({ name: 'Signed', parent_folder_id: contracts.id })
})

test('a folder that is created in a new folder is shown below it', async () => {
  const { server, dialog } = await openDialog()
  const folders = { ...foldersByParent }
  const create = async (name: string, id: string, parent: Folder): Promise<Folder> => {
    const created: Folder = { ...samples, id: samples.id.replace(/.$/, id), name, parent_folder_id: parent.id }
    folders[parent.id] = [created]
    server.setHandlers({
      'GET /api/folders': ({ query }) => ({ rows: folders[query['parent_folder_id'] ?? ''] ?? [], next: null }),
      'POST /api/folders': () => changeResponse('c-2', created, 201),
      'GET /api/folders/{id}/path': ({ params }) => ({
        rows: (params['id'] === contracts.id ? [contracts] : [contracts, parent]).map(({ id: folderId, name: folderName }) => ({
          id: folderId,
          name: folderName,
        })),
      }),
    })
    fireEvent.click(dialog.getByRole('button', { name: 'New folder' }))
    const newFolder = within(await screen.findByRole('dialog', { name: 'New folder' }))
    fireEvent.change(newFolder.getByRole('textbox', { name: 'Name' }), { target: { value: name } })
    fireEvent.click(newFolder.getByRole('button', { name: 'Create' }))
    await dialog.findByRole('treeitem', { name })
    return created
  }
  fireEvent.click(dialog.getByRole('button', { name: 'Contracts' }))
  const signed = await create('Signed', '7', contracts)
  await create('This year', '6', signed)
  expect(dialog.getByRole('treeitem', { name: 'Signed' })).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Move to This year' })).toBeTruthy()
})

test('when the target has a folder with the same name, the dialog says so and stays open', async () => {
  const { server, dialog } = await openDialog()
  server.setHandlers({ [moveRoute]: () => problemResponse('duplicate', { detail: 'There is a folder with this name already' }) })
  fireEvent.click(dialog.getByRole('button', { name: 'Contracts' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Move to Contracts' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('There is a folder with this name already')
})
