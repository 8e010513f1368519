import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { makeChangeSet, setElementSize } from '#web/contacts/testing.ts'
import { queries } from '#web/lib/queries.ts'
import { changeResponse, mockServer, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { failedRow, finished, importId, importHandlers, running, withTable } from './testing.ts'

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

const rows = { rows: [failedRow], next: null, reasons: [] }

async function openResult(summary: Import, handlers: Parameters<typeof mockServer>[0] = {}) {
  const server = mockServer({
    ...importHandlers,
    'GET /api/imports': { rows: [summary], next: null },
    'GET /api/imports/{id}': withTable(summary),
    'GET /api/imports/{id}/rows': rows,
    ...handlers,
  })
  const app = await renderApp(`/crm/imports/${importId}`)
  await screen.findByRole('list', { name: 'Steps' })
  return { ...app, ...server }
}

const readCounts = (): (string | null)[] =>
  [...document.querySelectorAll('dl > div')].map((each) => `${each.querySelector('dt')?.textContent} ${each.lastChild?.textContent}`)

test('the result shows the number of rows of each outcome', async () => {
  await openResult(finished)
  expect(await screen.findByRole('heading', { name: '1,916 of 2,000 rows are in' })).toBeTruthy()
  expect(readCounts()).toEqual(['Created 1,614', 'Updated 302', 'Skipped 47', 'Failed 37'])
  expect(screen.getByText(/took 48 s/)).toBeTruthy()
  // the list has no filter for an import
  const link = screen.getByRole('link', { name: 'Show contacts added since 20 Nov' })
  expect(decodeURIComponent(link.getAttribute('href') ?? '')).toBe('/crm/contacts?filter=[{"field":"created_at","from":"2026-11-20"}]')
})

test('after an import that has only updated contacts, the link says that it shows all of them', async () => {
  await openResult({ ...finished, created: 0, updated: 1916 })
  expect((await screen.findByRole('link', { name: 'Show all contacts' })).getAttribute('href')).toBe('/crm/contacts')
})

test('the rows that failed are listed with line, column and reason, page by page', async () => {
  const { requestsTo } = await openResult(finished, {
    'GET /api/imports/{id}/rows': ({ query }) =>
      query['after']
        ? { rows: [{ ...failedRow, id: failedRow.id.replace('c1', 'c2'), line: 988, column: '' }], next: null, reasons: [] }
        : { ...rows, next: 'p2' },
  })
  const region = within(await screen.findByRole('region', { name: 'Why 37 rows failed' }))
  expect(await region.findByText('“ulla@@hofmeyr.example” is not an email.')).toBeTruthy()
  expect(region.getByText('Line 412')).toBeTruthy()
  expect(region.getByText('E-Mail:')).toBeTruthy()
  fireEvent.click(region.getByRole('button', { name: 'Show more rows' }))
  expect(await region.findByText('Line 988')).toBeTruthy()
  fireEvent.click(region.getByRole('button', { name: 'Skipped (47)' }))
  await screen.findByRole('region', { name: 'Why 47 rows were skipped' })
  await waitFor(() => expect(requestsTo('GET /api/imports/{id}/rows').at(-1)?.query).toMatchObject({ status: 'skipped' }))
})

test('the remarks on imported rows are listed beside the failed rows', async () => {
  const reason = 'A contact has one email. “b@example.org” is kept as additional data.'
  const remarks = { rows: [{ ...failedRow, column: 'E-Mail 2', reason }], next: null, reasons: [] }
  const { requestsTo } = await openResult({ ...finished, with_remarks: 12 }, { 'GET /api/imports/{id}/rows': remarks })
  fireEvent.click(await screen.findByRole('button', { name: 'Remarks (12)' }))
  expect(await within(await screen.findByRole('region', { name: 'Remarks on 12 imported rows' })).findByText(reason)).toBeTruthy()
  await waitFor(() => expect(requestsTo('GET /api/imports/{id}/rows').at(-1)?.query).toMatchObject({ status: 'remark' }))
})

test('without failed and skipped rows the remarks are listed alone', async () => {
  const summary = { ...finished, failed: 0, skipped: 0, with_remarks: 1 }
  const { requestsTo } = await openResult(summary, { 'GET /api/imports/{id}/rows': rows })
  expect(await screen.findByRole('region', { name: 'Remarks on 1 imported row' })).toBeTruthy()
  expect(requestsTo('GET /api/imports/{id}/rows').map(({ query }) => query)).toMatchObject([{ status: 'remark' }])
})

test('a single row that was skipped is named as one row', async () => {
  await openResult({ ...finished, failed: 0, skipped: 1 }, { 'GET /api/imports/{id}/rows': rows })
  expect(await screen.findByRole('region', { name: 'Why 1 row was skipped' })).toBeTruthy()
})

test('the number of rows is shown for each reason', async () => {
  const reasons = [
    { column: 'E-Mail', reason: '“…” is not an email.', count: 36 },
    { column: '', reason: 'This row is too long.', count: 1 },
  ]
  await openResult(finished, { 'GET /api/imports/{id}/rows': { ...rows, reasons } })
  const list = await screen.findByRole('list', { name: 'Rows by reason' })
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['36 rowsE-Mail: “…” is not an email.', '1 rowThis row is too long.'])
})

test('the failed rows are downloaded, and the corrected file can be imported', async () => {
  const addresses: (string | null)[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    addresses.push(this.getAttribute('href'))
  })
  await openResult(finished)
  fireEvent.click(await screen.findByRole('button', { name: 'Download failed rows' }))
  expect(addresses).toEqual([`/api/imports/${importId}/failed-rows`])
  fireEvent.click(screen.getByRole('button', { name: 'Import the corrected file' }))
  expect(await screen.findByRole('heading', { name: 'Import Contacts' })).toBeTruthy()
})

const advice = 'Correct the failed rows in the downloaded file and import that file.'
test.each([
  ['finished', finished, 'The other rows were imported or skipped.'],
  ['stopped', { ...running, status: 'stopped' }, 'The downloaded file does not have the rows that were not read.'],
  [
    'failed before its rows were counted',
    { ...running, status: 'failed', rows_total: null },
    'The downloaded file does not have the rows that were not read.',
  ],
  ['undone', { ...finished, undone: true, undo_id: null }, 'The downloaded file does not have the rows that were taken back.'],
  [
    'undone while it ran',
    { ...running, status: 'stopped', undone: true },
    'The downloaded file does not have the rows that were taken back or not read.',
  ],
] as const)(
  'the page of an import that is %s says which rows the file of the failed rows does not have',
  async (_state, summary, others) => {
    await openResult(summary)
    expect(await screen.findByText(`${advice} ${others}`)).toBeTruthy()
  },
)

test('an import is undone from its page', async () => {
  const { requestsTo, setHandlers } = await openResult(finished, {
    'POST /api/changes/{id}/undo': () => changeResponse('01930000-0000-7000-8000-0000000000e6', makeChangeSet({ count: 1916 })),
  })
  const undo = await screen.findByRole('button', { name: 'Undo import' })
  expect(screen.getByText('until 19 Dec')).toBeTruthy()
  setHandlers({ 'GET /api/imports/{id}': withTable({ ...finished, undone: true, kept: 2, undo_id: null }) })
  fireEvent.click(undo)
  expect(await screen.findByRole('heading', { name: 'This import is undone, 2 contacts kept' })).toBeTruthy()
  expect(readCounts()).toEqual(['Created 1,614', 'Updated 302', 'Skipped 47', 'Failed 37', 'Kept 2'])
  expect(screen.getByText('taken back, except those kept')).toBeTruthy()
  expect(requestsTo('POST /api/changes/{id}/undo').map(({ params }) => params['id'])).toEqual([finished.undo_id])
  expect(screen.queryByRole('button', { name: 'Undo import' })).toBeNull()
  expect(screen.queryByRole('link', { name: /^Show/ })).toBeNull()
})

test('an import that is undone is redone from its page', async () => {
  const redo_id = '01930000-0000-7000-8000-0000000000e6'
  const { requestsTo, setHandlers } = await openResult(
    { ...finished, undone: true, undo_id: null, redo_id },
    { 'POST /api/changes/{id}/undo': () => changeResponse('01930000-0000-7000-8000-0000000000e7', makeChangeSet({ count: 1916 })) },
  )
  const redo = await screen.findByRole('button', { name: 'Redo import' })
  setHandlers({ 'GET /api/imports/{id}': withTable(finished) })
  fireEvent.click(redo)
  expect(await screen.findByText('Redone: import of workshop-contacts.csv')).toBeTruthy()
  expect(await screen.findByRole('heading', { name: '1,916 of 2,000 rows are in' })).toBeTruthy()
  expect(requestsTo('POST /api/changes/{id}/undo').map(({ params }) => params['id'])).toEqual([redo_id])
})

const none = { created: 0, updated: 0, skipped: 0, failed: 0 }
test.each([
  [{ ...finished, ...none, skipped: 240, rows_done: 240, rows_total: 240 }, 'Nothing to import: 240 rows skipped'],
  [{ ...finished, ...none, rows_done: 0, rows_total: 0 }, 'This file has no rows'],
])('the heading says that an import had nothing to import or no rows (%#)', async (summary, heading) => {
  await openResult(summary)
  expect(await screen.findByRole('heading', { name: heading })).toBeTruthy()
})

test('a running import shows its progress as the server announces it, and can be stopped', async () => {
  const { requestsTo, setHandlers } = await openResult(running, { 'POST /api/imports/{id}/stop': { ...running, status: 'stopped' } })
  expect(await screen.findByRole('heading', { name: 'Importing 738 of 1,210 rows' })).toBeTruthy()
  const bar = screen.getByRole('progressbar', { name: 'Imported rows' })
  expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['738', '1210'])
  setHandlers({ 'GET /api/imports/{id}': withTable({ ...running, rows_done: 900, created: 892 }) })
  await act(() => queries.invalidateQueries())
  expect(await screen.findByRole('heading', { name: 'Importing 900 of 1,210 rows' })).toBeTruthy()
  setHandlers({ 'GET /api/imports/{id}': withTable({ ...running, status: 'stopped' }) })
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
  expect(await screen.findByRole('heading', { name: 'Stopped: 735 of 1,210 rows are in' })).toBeTruthy()
  expect(readCounts()).toEqual(['Created 730', 'Updated 5', 'Skipped 2', 'Failed 1', 'Left out 472'])
  expect(requestsTo('POST /api/imports/{id}/stop')).toHaveLength(1)
})

test('a failed import shows the reason and the number of imported rows', async () => {
  // the rows were not counted, so the heading has the number of rows that were read
  await openResult({ ...finished, status: 'failed', problem: 'This file is damaged or not complete. Export it again.', rows_total: null })
  expect(await screen.findByRole('heading', { name: 'The import stopped: 1,916 of 2,000 rows are in' })).toBeTruthy()
  expect(screen.getByText('This file is damaged or not complete. Export it again.')).toBeTruthy()
})

test.each([
  ['failed', 'The import stopped: nothing was imported'],
  ['stopped', 'Stopped: nothing was imported'],
] as const)('an import that is %s before its rows were counted says that nothing was imported', async (status, heading) => {
  await openResult({ ...finished, ...none, status, rows_done: 0, rows_total: null })
  expect(await screen.findByRole('heading', { name: heading })).toBeTruthy()
})

test('after the rows could not be loaded, a button loads them again', async () => {
  const { setHandlers } = await openResult(finished, { 'GET /api/imports/{id}/rows': problemResponse('internal') })
  const failure = within(await screen.findByRole('alert'))
  setHandlers({ 'GET /api/imports/{id}/rows': rows })
  fireEvent.click(failure.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Line 412')).toBeTruthy()
})
