// Tests the texts of the actions on selected companies and deals, which differ only in the name of the kind and in the fields.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { CompanyRow, emptyCompany } from '#contract/companies.ts'
import { DealRow } from '#contract/deals.ts'
import { stages } from '#contract/stages.ts'
import { makeChangeSet, setElementSize } from '#web/contacts/testing.ts'
import { barRefit, bikeWall } from '#web/deals/testing.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'

const { created_at, updated_at } = bikeWall
const quillstone = { ...emptyCompany, id: '01930000-0000-7000-8000-0000000000a1', name: 'Quillstone', created_at, updated_at, version: 1 }
const oakmoor = { ...quillstone, id: '01930000-0000-7000-8000-0000000000a2', name: 'Oakmoor' }
const company = {
  plural: 'companies',
  list: '/crm/companies',
  rows: [quillstone, oakmoor].map((row) => CompanyRow.parse(row)),
  field: 'Industry',
  value: 'Health',
}
const deal = {
  plural: 'deals',
  list: '/crm/deals?as=list',
  rows: [barRefit, bikeWall].map((row) => DealRow.parse(row)),
  field: 'Stage',
  value: 'proposal',
}

const clickButton = (name: string, where = within(document.body)): void => void fireEvent.click(where.getByRole('button', { name }))
const findDialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const waitForNoDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

test.each([company, deal])('actions on selected $plural show the number of the records', async ({ plural, list, rows, field, value }) => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:foyer')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  const file = new Response('name\r\n', {
    headers: { 'content-type': 'text/csv', 'content-disposition': `attachment; filename=${plural}.csv` },
  })
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/views': { rows: [] },
    'GET /api/deals/totals': { stages: stages.map((stage) => ({ stage, count: 0, value: 0, forecast: 0 })) },
    [`GET /api/${plural}`]: { rows, next: null },
    [`GET /api/${plural}/count`]: { count: 2, more: false },
    [`GET /api/${plural}/tags`]: { tags: [] },
    [`POST /api/${plural}/bulk/edit`]: changeResponse('c-1'),
    [`POST /api/${plural}/bulk/tag`]: changeResponse('c-2'),
    [`POST /api/${plural}/bulk/delete`]: changeResponse('c-3'),
    [`POST /api/${plural}/export`]: file,
    'GET /api/changes/{id}': makeChangeSet({ count: 2 }),
    'POST /api/changes/{id}/undo': changeResponse('c-4', makeChangeSet({ count: 2 })),
  })
  await renderApp(list)
  await screen.findAllByRole('checkbox', { name: /^Select (Oakmoor|Bike)/ })
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all that are loaded' }))
  const bar = within(await screen.findByRole('region', { name: 'Selection' }))
  expect(bar.getByText('2 selected')).toBeTruthy()

  const update = async (): Promise<void> => {
    clickButton('Edit', bar)
    const dialog = await findDialog(`Edit 2 ${plural}`)
    fireEvent.change(dialog.getByLabelText(field), { target: { value } })
    clickButton(`Update 2 ${plural}`, dialog)
  }
  await update()
  expect(await screen.findByText(`2 ${plural} updated`)).toBeTruthy()
  await waitForNoDialog()
  server.setHandlers({ [`POST /api/${plural}/bulk/edit`]: undefined }) // a response without the id of a change
  await update()
  expect(await screen.findByText('Nothing to change')).toBeTruthy()
  expect(screen.getByText('None of them needs this change.')).toBeTruthy()
  await waitForNoDialog()

  clickButton('Tag', bar)
  const dialog = await findDialog(`Tag 2 ${plural}`)
  expect(dialog.getByPlaceholderText('Choose a tag')).toBeTruthy()
  const tag = dialog.getByPlaceholderText('Type a tag and press Enter')
  fireEvent.change(tag, { target: { value: 'VIP' } })
  fireEvent.keyDown(tag, { key: 'Enter' })
  clickButton(`Tag 2 ${plural}`, dialog)
  expect(await screen.findByText(`2 ${plural} tagged`)).toBeTruthy()
  await waitForNoDialog()

  clickButton('Export', bar)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Export as CSV' }))
  expect(await screen.findByText(`${plural.charAt(0).toUpperCase()}${plural.slice(1)} exported`)).toBeTruthy()
  clickButton(`Delete 2 ${plural}`, bar)
  expect(await screen.findByText(`2 ${plural} deleted`)).toBeTruthy()
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(await screen.findByText(`Undone: 2 ${plural} deleted`)).toBeTruthy()
})

test('when a change of selected records fails after its dialog was closed, a toast says why', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/views': { rows: [] },
    'GET /api/companies': { rows: company.rows, next: null },
    'GET /api/companies/count': { count: 2, more: false },
    'POST /api/companies/bulk/edit': () => promise,
  })
  await renderApp(company.list)
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Oakmoor' }))
  clickButton('Edit', within(await screen.findByRole('region', { name: 'Selection' })))
  const dialog = await findDialog('Edit 1 company')
  fireEvent.change(dialog.getByLabelText(company.field), { target: { value: company.value } })
  clickButton('Update 1 company', dialog)
  await waitFor(() => expect(server.requestsTo('POST /api/companies/bulk/edit')).toHaveLength(1))
  clickButton('Cancel', dialog)
  await waitForNoDialog()
  resolve(problemResponse('invalid', { fields: { 'fields.industry': 'At most 200 characters' } }))
  expect(await screen.findByText('Error updating companies')).toBeTruthy()
  expect(screen.getByText('At most 200 characters')).toBeTruthy()
})
