import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { importFields } from '#contract/importFields.ts'
import { ImportKind, type ImportDetails } from '#contract/imports.ts'
import { setElementSize } from '#web/contacts/testing.ts'
import { mockServer, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { fieldSections } from './columns/fields.ts'
import { importId, importHandlers, running, withTable } from './testing.ts'

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

const address = `/crm/imports/${importId}`
const findField = (header: string) => screen.findByRole<HTMLSelectElement>('combobox', { name: `Field for ${header}` })
const click = (name: string | RegExp): boolean => fireEvent.click(screen.getByRole('button', { name }))

const Correction = z.looseObject({ fields: z.optional(z.array(z.nullable(z.string()))) })

/** Opens the page of an uploaded file. The mocked server stores the corrections of the user. */
async function openColumns(handlers: Parameters<typeof mockServer>[0] = {}) {
  let details: ImportDetails = withTable()
  const server = mockServer({
    ...importHandlers,
    'GET /api/imports/{id}': () => details,
    'PATCH /api/imports/{id}': ({ body }) => {
      const { fields, ...reading } = z.parse(Correction, body)
      const columns = details.table.columns.map((column, index) => (fields ? { ...column, field: fields[index] ?? null } : column))
      details = { ...details, table: { ...details.table, ...reading, columns } }
      return details
    },
    ...handlers,
  })
  const app = await renderApp(address)
  await findField('Vorname')
  return { ...app, ...server }
}

async function leaveAndReturn(router: Awaited<ReturnType<typeof renderApp>>['router']): Promise<void> {
  await act(() => router.navigate({ to: '/crm/imports' }))
  await act(() => router.navigate({ to: '/crm/imports/$id', params: { id: importId } }))
}

test('the columns are shown with their values, their fields and how sure the mapping is', async () => {
  await openColumns()
  const rows = within(screen.getByRole('list', { name: 'Columns in the file' })).getAllByRole('listitem')
  expect(rows.map((row) => within(row).getByRole<HTMLSelectElement>('combobox').value)).toEqual(['first_name', 'email', ''])
  expect(rows.map((row) => row.querySelector('p:last-of-type')?.textContent)).toEqual([
    'By its name',
    'Please check: by its values',
    'No field like it',
  ])
  expect(within(rows[0] ?? document.body).getByText('Tobias')).toBeTruthy()
  expect(screen.getByText('2 of 3 columns matched · 1 kept as additional data · 1 to check')).toBeTruthy()
  expect(screen.getByText('The cells are separated by a semicolon.')).toBeTruthy()
  const groups = [...(await findField('Kontakt')).querySelectorAll('optgroup')].map(({ label }) => label)
  expect(groups).toEqual(['Name', 'Contact details', 'Work', 'Address', 'More'])
  expect(screen.getAllByRole('option', { name: 'Kept as additional data' })).toHaveLength(3)
  fireEvent.change(await findField('Favourite wood'), { target: { value: 'left_out' } })
  expect(await screen.findByText('2 of 3 columns matched · 1 not imported · 1 to check')).toBeTruthy()
})

test('every field of every kind can be chosen', () => {
  for (const kind of ImportKind.options) {
    const names = fieldSections[kind].flatMap(({ fields }) => fields.map(([name]) => name))
    expect(names.toSorted()).toEqual([...importFields[kind]].toSorted())
  }
})

test('the first rows are shown as contacts, with their problems', async () => {
  await openColumns()
  click('First rows (1 with a problem)')
  const [first, second] = within(await screen.findByRole('list', { name: 'First contacts' })).getAllByRole('listitem')
  expect(first?.textContent).toBe('AnnekeLine 2Emailanneke@tidewick.exampleAdditional dataFavourite woodOak')
  expect(second?.textContent).toContain('This row would fail. This row has no name, email or phone.')
})

test('the first rows show remarks on cells that go elsewhere', async () => {
  const { table, ...summary } = withTable()
  const remarks = [{ column: 'Kontakt', reason: '“soon” is not an email. It is kept as additional data.' }]
  const preview = table.preview.slice(0, 1).map((row) => ({ ...row, record: { ...row.record, remarks } }))
  await openColumns({ 'GET /api/imports/{id}': { ...summary, table: { ...table, preview } } })
  click('First rows (1 with remarks)')
  const list = within(await screen.findByRole('list', { name: 'Remarks on line 2' }))
  expect(list.getByRole('listitem').textContent).toBe('Kontakt: “soon” is not an email. It is kept as additional data.')
})

test('in the first rows of deals, amounts and choices have the format of the list of deals', async () => {
  const { table, ...summary } = withTable()
  const record = { links: {}, notes: '', raw_data: {}, problem: '', remarks: [] }
  const deal = { title: 'Harbour Works', value: 12_500, stage: 'closed-won', probability: 40 }
  const preview = [
    { line: 2, cells: [], record: { ...record, fields: deal } },
    { line: 3, cells: [], record: { ...record, fields: { value: 5 }, problem: 'This row has no title.' } },
  ]
  await openColumns({ 'GET /api/imports/{id}': { ...summary, kind: 'deal', table: { ...table, preview } } })
  click('First rows (1 with a problem)')
  const [first, second] = within(await screen.findByRole('list', { name: 'First deals' })).getAllByRole('listitem')
  expect(first?.textContent).toBe('Harbour WorksLine 2Value£12,500StageClosed wonProbability40 %')
  expect(second?.textContent).toContain('Without a title')
})

test('the user corrects a field, the separator and the header', async () => {
  const { requestsTo } = await openColumns()
  const bodies = () => requestsTo('PATCH /api/imports/{id}').map(({ body }) => body)
  fireEvent.change(await findField('Favourite wood'), { target: { value: 'description' } })
  expect((await findField('Favourite wood')).value).toBe('description') // at once, before the response
  fireEvent.change(await findField('Kontakt'), { target: { value: '' } })
  await waitFor(() =>
    expect(bodies()).toEqual([{ fields: ['first_name', 'email', 'description'] }, { fields: ['first_name', null, 'description'] }]),
  )
  expect((await findField('Kontakt')).value).toBe('')
  const separator = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Cells are separated by' })
  await waitFor(() => expect(separator.disabled).toBe(false))
  fireEvent.change(separator, { target: { value: ',' } })
  await waitFor(() => expect(bodies().at(-1)).toEqual({ separator: ',' }))
  await waitFor(() => expect(separator.disabled).toBe(false))
  fireEvent.change(screen.getByRole('combobox', { name: 'Encoding of the letters' }), { target: { value: 'windows-1250' } })
  await waitFor(() => expect(bodies().at(-1)).toEqual({ encoding: 'windows-1250' }))
  await waitFor(() => expect(separator.disabled).toBe(false))
  fireEvent.click(screen.getByRole('checkbox', { name: 'The first row has the names of the columns' }))
  await waitFor(() => expect(bodies().at(-1)).toEqual({ has_header: false }))
})

test('the response to a correction does not take back a later correction that is not saved yet', async () => {
  const { promise, resolve } = Promise.withResolvers<ImportDetails>()
  const { requestsTo, setHandlers } = await openColumns({ 'PATCH /api/imports/{id}': () => promise })
  const corrections = () => requestsTo('PATCH /api/imports/{id}')
  fireEvent.change(await findField('Favourite wood'), { target: { value: 'description' } })
  await waitFor(() => expect(corrections()).toHaveLength(1))
  const { promise: later, resolve: resolveLater } = Promise.withResolvers<ImportDetails>()
  setHandlers({ 'PATCH /api/imports/{id}': () => later })
  fireEvent.change(await findField('Kontakt'), { target: { value: 'phone' } })
  resolve(withTable())
  await waitFor(() => expect(corrections()).toHaveLength(2)) // is sent after the response to the first one
  await act(() => new Promise<void>((done) => setTimeout(done))) // until the screen would show that response
  expect([(await findField('Kontakt')).value, (await findField('Favourite wood')).value]).toEqual(['phone', 'description'])
  const { table, ...summary } = withTable()
  const columns = table.columns.map((column) => (column.header === 'Kontakt' ? { ...column, field: 'mobile_phone' } : column))
  resolveLater({ ...summary, table: { ...table, columns } })
  await waitFor(async () => expect((await findField('Kontakt')).value).toBe('mobile_phone'))
})

test('a correction that the server refuses is taken back', async () => {
  await openColumns({ 'PATCH /api/imports/{id}': problemResponse('not_ready') })
  fireEvent.change(await findField('Kontakt'), { target: { value: 'phone' } })
  expect(await screen.findByText('The server is busy or starting. Please try again.')).toBeTruthy()
  await waitFor(async () => expect((await findField('Kontakt')).value).toBe('email'))
})

test('the import starts with the chosen mode and the shown fields, and the page then shows its progress', async () => {
  const { requestsTo, setHandlers } = await openColumns({ 'POST /api/imports/{id}/start': running })
  setHandlers({ 'PATCH /api/imports/{id}': () => new Promise<undefined>((resolve) => setTimeout(resolve, 50, withTable())) })
  fireEvent.click(screen.getByRole('radio', { name: /Update only/ }))
  fireEvent.change(await findField('Favourite wood'), { target: { value: 'tags' } })
  setHandlers({ 'GET /api/imports/{id}': withTable(running) })
  click('Start import')
  const heading = await screen.findByRole('heading', { name: 'Importing 738 of 1,210 rows' })
  expect(document.activeElement).toBe(heading) // the button is gone
  const body = { mode: 'update', fields: ['first_name', 'email', 'tags'] }
  expect(requestsTo('POST /api/imports/{id}/start').map((request) => request.body)).toEqual([body])
})

test('the chosen mode is kept when the user leaves the page', async () => {
  const { router } = await openColumns()
  fireEvent.click(screen.getByRole('radio', { name: /Update only/ }))
  await leaveAndReturn(router)
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: /Update only/ })).checked).toBe(true)
})

test('while the file is read again, no field can be chosen and the import cannot start, also after the user has left the page', async () => {
  const { promise, resolve } = Promise.withResolvers<ImportDetails>()
  const { router } = await openColumns({ 'PATCH /api/imports/{id}': () => promise })
  const start = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Start import' })
  const fields = () => screen.findByRole('group', { name: 'Fields of the columns' })
  const isLocked = async (): Promise<boolean[]> => [(await fields()).matches(':disabled'), (await start()).disabled]
  fireEvent.change(screen.getByRole('combobox', { name: 'Encoding of the letters' }), { target: { value: 'windows-1250' } })
  await waitFor(async () => expect(await isLocked()).toEqual([true, true]))
  await leaveAndReturn(router)
  expect(await isLocked()).toEqual([true, true])
  resolve(withTable())
  await waitFor(async () => expect(await isLocked()).toEqual([false, false]))
})

test('an import that cannot start shows the reason', async () => {
  const sentence = 'No column has a field. Choose at least one.'
  await openColumns({ 'POST /api/imports/{id}/start': problemResponse('invalid', { fields: { fields: sentence } }) })
  click('Start import')
  expect(await screen.findByText('Import Failed')).toBeTruthy()
  expect(screen.getByText(sentence)).toBeTruthy()
})

test('a file that is not imported is discarded', async () => {
  const { requestsTo, router } = await openColumns({ 'DELETE /api/imports/{id}': undefined })
  click('Discard')
  expect(await screen.findByText('Import discarded')).toBeTruthy()
  expect(requestsTo('DELETE /api/imports/{id}')).toHaveLength(1)
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/contacts'))
})

test('the page of an import that does not exist shows that it is missing', async () => {
  mockServer({ ...importHandlers, 'GET /api/imports/{id}': problemResponse('not_found') })
  await renderApp(address)
  expect(await screen.findByRole('heading', { name: 'This import is not here' })).toBeTruthy()
})
