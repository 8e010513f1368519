import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { makeChangeSet, setElementSize } from '#web/contacts/testing.ts'
import { changeResponse, mockServer, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { finished, importId, importHandlers, running, withTable } from './testing.ts'

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

const makeId = (number: number): string => importId.replace('b1', `b${number}`)
const notStarted = { ...withTable(), id: makeId(2), file_name: 'home-show.xlsx' }
const history = [
  { ...running, id: makeId(3), file_name: 'visitors.csv' },
  notStarted,
  finished,
  { ...finished, id: makeId(4), file_name: 'suppliers.csv', kind: 'company' as const, failed: 0, skipped: 0, created: 61, updated: 0 },
  { ...finished, id: makeId(5), file_name: 'old-book.vcf', undone: true, kept: 2, undo_id: null, redo_id: makeId(9) },
  { ...finished, id: makeId(6), file_name: 'too-old.csv', undo_id: null },
]

async function openHistory(handlers: Parameters<typeof mockServer>[0] = {}) {
  const server = mockServer({ ...importHandlers, 'GET /api/imports': { rows: history, next: null }, ...handlers })
  await renderApp('/crm/imports')
  await screen.findByRole('heading', { name: 'Imports' })
  return server
}

test('the history lists imports with their state and result', async () => {
  await openHistory()
  await screen.findByRole('link', { name: 'visitors.csv' })
  const items = [...document.querySelectorAll('main li')].map((item) =>
    item.textContent.replace(/(\d+ \w+ ago|\d+ Nov|just now|yesterday|in \d+ \w+)/, 'then'),
  )
  expect(items).toEqual([
    'Runningvisitors.csvContacts · then · 738 of 1,210 rowsStop',
    'Not startedhome-show.xlsxContacts · then · Not startedDiscard',
    'Imported, with failed rowsworkshop-contacts.csvContacts · then · 1,916 in, 47 skipped, 37 failedUndo',
    'Importedsuppliers.csvCompanies · then · 61 inUndo',
    'Undoneold-book.vcfContacts · then · Undone, 1,914 rows taken back, 2 kept, 47 skipped, 37 failedRedo',
    'Imported, with failed rowstoo-old.csvContacts · then · 1,916 in, 47 skipped, 37 failed',
  ])
})

test('an import is undone, another one is stopped, and a file is discarded', async () => {
  const { requestsTo } = await openHistory({
    'POST /api/changes/{id}/undo': () => changeResponse('01930000-0000-7000-8000-0000000000e6', makeChangeSet({ count: 1916 })),
    'POST /api/imports/{id}/stop': { ...running, status: 'stopped' },
    'DELETE /api/imports/{id}': undefined,
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Undo import of workshop-contacts.csv' }))
  expect(await screen.findByText('Undone: import of workshop-contacts.csv')).toBeTruthy()
  expect(requestsTo('POST /api/changes/{id}/undo').map(({ params }) => params['id'])).toEqual([finished.undo_id])
  fireEvent.click(screen.getByRole('button', { name: 'Stop visitors.csv' }))
  await waitFor(() => expect(requestsTo('POST /api/imports/{id}/stop').map(({ params }) => params['id'])).toEqual([makeId(3)]))
  fireEvent.click(screen.getByRole('button', { name: 'Discard home-show.xlsx' }))
  await waitFor(() => expect(requestsTo('DELETE /api/imports/{id}').map(({ params }) => params['id'])).toEqual([notStarted.id]))
})

test('an undone import is redone, and one without Undo is removed from the history', async () => {
  const { requestsTo } = await openHistory({
    'POST /api/changes/{id}/undo': () => changeResponse('01930000-0000-7000-8000-0000000000e6', makeChangeSet({ count: 1916 })),
    'DELETE /api/imports/{id}': undefined,
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Redo import of old-book.vcf' }))
  expect(await screen.findByText('Redone: import of old-book.vcf')).toBeTruthy()
  expect(requestsTo('POST /api/changes/{id}/undo').map(({ params }) => params['id'])).toEqual([makeId(9)])
  const removable = screen.getAllByRole('button', { name: /from the history$/ }).map((button) => button.getAttribute('aria-label'))
  expect(removable).toEqual(['Remove old-book.vcf from the history', 'Remove too-old.csv from the history'])
  fireEvent.click(screen.getByRole('button', { name: 'Remove too-old.csv from the history' }))
  expect(await screen.findByText('Removed from the history')).toBeTruthy()
  expect(requestsTo('DELETE /api/imports/{id}').map(({ params }) => params['id'])).toEqual([makeId(6)])
})

test('a long history is loaded page by page', async () => {
  await openHistory({
    'GET /api/imports': ({ query }) =>
      query['after'] ? { rows: history.slice(1, 2), next: null } : { rows: history.slice(2), next: 'p2' },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Show more imports' }))
  expect(await screen.findByRole('link', { name: 'home-show.xlsx' })).toBeTruthy()
})

test('an empty history says what it is for and offers the import', async () => {
  await openHistory({ 'GET /api/imports': { rows: [], next: null } })
  await screen.findByRole('heading', { name: 'Bring what you have' })
  fireEvent.click(screen.getByRole('button', { name: 'Import contacts' }))
  expect(await screen.findByRole('heading', { name: 'Import Contacts' })).toBeTruthy()
})

test('after the history could not be loaded, a button loads it again', async () => {
  const { setHandlers } = await openHistory({ 'GET /api/imports': problemResponse('internal') })
  const failure = within(await screen.findByRole('alert'))
  setHandlers({ 'GET /api/imports': { rows: history, next: null } })
  fireEvent.click(failure.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'visitors.csv' })).toBeTruthy()
})
