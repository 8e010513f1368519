import { createElement } from 'react'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { MantineProvider } from '@mantine/core'
import { quillstone } from '#web/files/testing.ts'
import { DropHint } from './DropHint.tsx'
import { stopAllUploads } from './queue.ts'
import { mockUploadServer } from './testing.ts'
import { UploadArea } from './UploadArea.tsx'

// parts of 4 bytes, so that short texts have several parts
vi.mock('#contract/uploads.ts', async (importOriginal) => ({ ...(await importOriginal<object>()), partBytes: 4 }))

afterEach(stopAllUploads)

const place = { folder_id: quillstone.id, contact_id: null }
const openArea = () => render(createElement(MantineProvider, null, createElement(UploadArea, { place, name: 'Quillstone Dental' })))

/** A drag with files, as a browser describes it. */
const dragWith = (files: File[]) => ({
  dataTransfer: {
    types: ['Files'],
    dropEffect: 'none',
    items: files.map((file) => ({ kind: 'file', type: file.type, webkitGetAsEntry: () => null, getAsFile: () => file })),
  },
})

test('dropped files are sent in parts and become files of the folder', async () => {
  const server = mockUploadServer()
  openArea()
  const files = [new File(['long enough for parts'], 'long.txt'), new File(['tiny'], 'tiny.txt'), new File([], 'empty.txt')]
  fireEvent.drop(
    screen.getByRole('button', { name: 'Drop files here or choose from this computer Choose files to upload' }),
    dragWith(files),
  )
  await waitFor(() => expect(server.files).toHaveLength(3))
  expect(server.files.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toEqual([
    { name: 'empty.txt', content: '', folder_id: quillstone.id },
    { name: 'long.txt', content: 'long enough for parts', folder_id: quillstone.id },
    { name: 'tiny.txt', content: 'tiny', folder_id: quillstone.id },
  ])
})

test('all files of a dropped folder are uploaded, also when the browser lists the folder in several batches', async () => {
  const server = mockUploadServer()
  const contact = { folder_id: null, contact_id: '01930000-0000-7000-8000-0000000000c1' } // a contact gets the files without the folder
  render(createElement(MantineProvider, null, createElement(UploadArea, { place: contact, name: 'Imara Vantongeren' })))
  const names = ['wall.txt', 'door.txt', 'plan.txt']
  const entries = names.map((name) => ({
    isFile: true,
    fullPath: `/Site visit/${name}`,
    file: (resolve: (file: File) => void) => resolve(new File(['tiny'], name)),
  }))
  const batches = [entries.slice(0, 2), entries.slice(2), []]
  const createReader = () => ({ readEntries: (resolve: (batch: object[]) => void) => resolve(batches.shift() ?? []) })
  const folder = { isFile: false, isDirectory: true, fullPath: '/Site visit', createReader }
  const items = [{ kind: 'file', webkitGetAsEntry: () => folder }]
  fireEvent.drop(screen.getByRole('button'), { dataTransfer: { types: ['Files'], items } })
  await waitFor(() => expect(server.files.map(({ name }) => name).toSorted()).toEqual(names.toSorted()))
})

test('files that are chosen after the area was removed are uploaded', async () => {
  const server = mockUploadServer()
  const { unmount } = openArea()
  fireEvent.click(screen.getByRole('button'))
  const input = screen.getByLabelText('Files to upload')
  unmount()
  fireEvent.change(input, { target: { files: [new File(['tiny'], 'tiny.txt')] } })
  await waitFor(() => expect(server.files).toEqual([{ name: 'tiny.txt', content: 'tiny', folder_id: quillstone.id }]))
  expect(screen.queryByLabelText('Files to upload')).toBeNull()
})

test('the area says during a drag that files can be dropped, and during an upload that files are uploaded', async () => {
  const server = mockUploadServer()
  const { promise, resolve } = Promise.withResolvers<undefined>()
  server.state.onPart = () => promise // the server does not respond to a part until the promise is resolved
  openArea()
  const area = screen.getByRole('button')
  fireEvent.dragEnter(area, dragWith([new File(['tiny'], 'tiny.txt')]))
  expect(area.textContent).toBe('Drop files here...')
  fireEvent.dragLeave(area, { relatedTarget: document.body })
  expect(area.textContent).toContain('choose from this computer')
  fireEvent.click(area)
  fireEvent.change(screen.getByLabelText('Files to upload'), { target: { files: [new File(['tiny'], 'tiny.txt')] } })
  await waitFor(() => expect(area.textContent).toBe('Uploading...'))
  resolve(undefined)
  await waitFor(() => expect(area.textContent).toContain('choose from this computer'))
  expect(server.files).toEqual([{ name: 'tiny.txt', content: 'tiny', folder_id: quillstone.id }])
})

test('the hint with the name of the folder disappears when the area under the pointer is removed during a drag', () => {
  const renderElements = (hasArea: boolean) =>
    createElement(
      MantineProvider,
      null,
      createElement(DropHint),
      hasArea && createElement(UploadArea, { place, name: 'Quillstone Dental' }),
    )
  const { rerender } = render(renderElements(true))
  const drag = dragWith([new File(['tiny'], 'tiny.txt')])
  fireEvent.dragEnter(screen.getByRole('button'), drag)
  fireEvent.dragOver(screen.getByRole('button'), drag)
  expect(screen.getByText('Quillstone Dental')).toBeTruthy()
  rerender(renderElements(false))
  expect(screen.queryByText('Quillstone Dental')).toBeNull()
})
