import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePage, setElementSize } from '#web/contacts/testing.ts'
import { mockServer, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { importId, importHandlers, mockUpload, withTable } from './testing.ts'

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})
afterEach(() => configure({ reactStrictMode: false }))

const csv = new File(['Vorname;Kontakt\nAnneke;anneke@tidewick.example'], 'workshop-contacts.csv')

async function openDialog(address = '/crm/contacts', button = 'Import contacts') {
  const app = await renderApp(address)
  fireEvent.click(await screen.findByRole('button', { name: button }))
  return { ...app, dialog: await screen.findByRole('dialog') }
}

const chooseFile = (dialog: HTMLElement, file: File): void => {
  const input = dialog.querySelector('input[type="file"]')
  if (!(input instanceof HTMLInputElement)) throw new Error('The dialog has no input for a file')
  Object.defineProperty(input, 'files', { value: [file], configurable: true })
  fireEvent.change(input)
}

const dropFile = (dialog: HTMLElement, ...files: File[]): void =>
  void fireEvent.drop(within(dialog).getByRole('button', { name: /Choose a file or drop it here/ }), {
    dataTransfer: { files, types: ['Files'] },
  })

test('the chosen file is uploaded with a progress bar, and its columns are shown', async () => {
  mockServer(importHandlers)
  const response = Promise.withResolvers<Response>()
  const uploads: { path: string; content: string }[] = []
  mockUpload((upload) => {
    uploads.push(upload)
    upload.progress(20)
    return response.promise
  })
  const { dialog, router } = await openDialog()
  expect(within(dialog).getByRole('heading', { name: 'Import Contacts' })).toBeTruthy()
  expect(dialog.querySelector('input[type="file"]')?.getAttribute('accept')).toBe('.csv,.txt,.text,.tsv,.vcf,.xlsx')
  chooseFile(dialog, csv)
  expect(await within(dialog).findByText(/^20 B of \d+ B$/)).toBeTruthy()
  expect(within(dialog).getByRole('progressbar', { name: 'Upload' }).getAttribute('value')).toBe('20')
  response.resolve(Response.json(withTable(), { status: 201 }))
  expect(await screen.findByRole('heading', { name: 'Import contacts' })).toBeTruthy()
  expect(router.state.location.pathname).toBe(`/crm/imports/${importId}`)
  await waitFor(() => expect(document.activeElement?.tagName).toBe('MAIN'))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(uploads).toMatchObject([{ path: '/api/imports?file_name=workshop-contacts.csv&kind=contact', content: await csv.text() }])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a file is also sent in the strict mode of development, which runs effects twice', async () => {
  configure({ reactStrictMode: true })
  mockServer(importHandlers)
  mockUpload(() => Response.json(withTable(), { status: 201 }))
  const { dialog, router } = await openDialog()
  chooseFile(dialog, csv)
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/imports/${importId}`))
})

test('a screen reader announces that the columns are read, and not the number of sent bytes', async () => {
  mockServer(importHandlers)
  const progress = Promise.withResolvers<(sentBytes: number) => void>()
  mockUpload((upload) => {
    upload.progress(20)
    progress.resolve(upload.progress)
    return new Promise<Response>(() => {})
  })
  const { dialog } = await openDialog()
  chooseFile(dialog, csv)
  const bytes = await within(dialog).findByText(/^20 B of \d+ B$/)
  const isAnnounced = (element: Element): boolean => element.closest('[aria-live], output') !== null
  expect(isAnnounced(bytes)).toBe(false)
  const region = within(dialog).getByRole('status')
  expect(region.textContent).toBe('')
  const sendProgress = await progress.promise
  act(() => sendProgress(csv.size))
  expect(region.textContent).toBe('Reading the columns')
})

test('a file that is dropped on the dialog is sent', async () => {
  mockServer(importHandlers)
  mockUpload(() => Response.json(withTable(), { status: 201 }))
  const { dialog } = await openDialog()
  dropFile(dialog, csv)
  expect(await screen.findByRole('combobox', { name: 'Field for Vorname' })).toBeTruthy()
})

test.each([
  ['of a picture', [new File(['x'], 'photo.png')], 'Choose a .csv, .txt, .text, .tsv, .vcf or .xlsx file.'],
  ['of two files', [csv, csv], 'Choose one file at a time.'],
])('a drop %s is refused without a request', async (_name, files, sentence) => {
  mockServer(importHandlers)
  mockUpload(() => {
    throw new Error('No request is expected')
  })
  const { dialog } = await openDialog()
  dropFile(dialog, ...files)
  expect(await within(dialog).findByText(sentence)).toBeTruthy()
  expect(await screen.findByText('Import Failed')).toBeTruthy()
})

test('the dialog stays open with the message of the server if the server refuses the file', async () => {
  mockServer(importHandlers)
  mockUpload(() => problemResponse('invalid', { fields: { file: 'This file is empty.' } }))
  const { dialog } = await openDialog()
  chooseFile(dialog, csv)
  expect(await within(dialog).findByText('This file is empty.')).toBeTruthy()
  expect(within(await screen.findByRole('region', { name: 'Notifications' })).getByText('Import Failed')).toBeTruthy()
  expect(within(dialog).getByRole('button', { name: /Choose a file/ })).toBeTruthy()
})

test('the toast about a refused file disappears when another file is sent', async () => {
  mockServer(importHandlers)
  mockUpload(() => problemResponse('invalid', { fields: { file: 'This file is empty.' } }))
  const { dialog } = await openDialog()
  chooseFile(dialog, csv)
  expect(await screen.findByText('Import Failed')).toBeTruthy()
  mockUpload(() => Response.json(withTable(), { status: 201 }))
  chooseFile(dialog, csv)
  expect(await screen.findByRole('heading', { name: 'Import contacts' })).toBeTruthy()
  expect(screen.queryByText('Import Failed')).toBeNull()
})

test('closing the dialog stops the upload', async () => {
  mockServer(importHandlers)
  mockUpload(() => new Promise<Response>(() => {}))
  const { dialog, router } = await openDialog()
  chooseFile(dialog, csv)
  fireEvent.click(await within(dialog).findByRole('button', { name: 'Stop' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(router.state.location.pathname).toBe('/crm/contacts')
})

test('an empty list has a button that opens the import', async () => {
  mockServer({ ...importHandlers, 'GET /api/contacts': makePage([]), 'GET /api/contacts/count': { count: 0, more: false } })
  const { dialog } = await openDialog()
  expect(within(dialog).getByRole('heading', { name: 'Import Contacts' })).toBeTruthy()
})

test('companies are imported from their list', async () => {
  const companies = { 'GET /api/companies': { rows: [], next: null }, 'GET /api/companies/count': { count: 0, more: false } }
  mockServer({ ...importHandlers, ...companies })
  const paths: string[] = []
  mockUpload(({ path }) => {
    paths.push(path)
    return problemResponse('not_ready')
  })
  const { dialog } = await openDialog('/crm/companies', 'Import companies')
  chooseFile(dialog, csv)
  await waitFor(() => expect(paths).toEqual(['/api/imports?file_name=workshop-contacts.csv&kind=company']))
})

test('the palette lists the import of every kind, and an entry opens the dialog for its kind', async () => {
  mockServer({ ...importHandlers, 'GET /api/search': { hits: [] } })
  await renderApp('/crm/imports')
  await screen.findByRole('button', { name: 'Search' })
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  const field = await screen.findByPlaceholderText('Search or type a command')
  fireEvent.change(field, { target: { value: 'import' } })
  const getOptions = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('dialog [role=option]')]
  const labels = ['Import contacts', 'Import companies', 'Import deals', 'Import tasks', 'Imports']
  await waitFor(() => expect(getOptions().map(({ textContent }) => textContent)).toEqual(expect.arrayContaining(labels)))
  const option = getOptions().find(({ textContent }) => textContent === 'Import tasks')
  if (option) fireEvent.click(option)
  expect(await screen.findByRole('heading', { name: 'Import Tasks' })).toBeTruthy()
})
