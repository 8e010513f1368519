import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { toRow, bastian, setElementSize, imara, makePage } from '#web/contacts/testing.ts'
import { DealRow } from '#contract/deals.ts'
import { stages } from '#contract/stages.ts'
import { setElementSize as setBoardElementSize, waitingRoom } from '#web/deals/testing.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { drawings, makePage as taskPage } from '#web/tasks/testing.ts'
import { nora, renderApp, mockServer, setWindowWidth } from '#web/testing.ts'

const zeroCount = { count: 0, more: false }
const routes = {
  'GET /api/session': nora,
  'GET /api/changes': { rows: [], next: null },
  'GET /api/views': { rows: [] },
  'GET /api/contacts': makePage([imara, bastian]),
  'GET /api/contacts/{id}': imara,
  'GET /api/contacts/count': { count: 2, more: false },
  'GET /api/contacts/tags': { tags: [] },
  'GET /api/companies': { rows: [], next: null },
  'GET /api/companies/count': zeroCount,
  'GET /api/deals': { rows: [], next: null },
  'GET /api/deals/count': zeroCount,
  'GET /api/deals/tags': { tags: [] },
  'GET /api/deals/totals': { stages: stages.map((stage) => ({ stage, count: 1, value: 0, forecast: 0 })) },
  'GET /api/tasks': { rows: [], next: null },
  'GET /api/tasks/count': zeroCount,
  'GET /api/notes': { rows: [], next: null, count: 0 },
}

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

// the fields share the cached result of one query, so one form must not store a result that another form cannot read
test('a link field offers contacts in the form of a contact, then in the form of a deal, then in the form of a contact again', async () => {
  mockServer(routes)
  const { router } = await renderApp(`/crm/contacts/edit/${imara.id}`)
  fireEvent.click(await screen.findByRole('combobox', { name: 'Reports to optional' }))
  await screen.findByRole('option', { name: /Bastian Ollerquist/ })
  await act(() => router.navigate({ to: '/crm/deals/new' }))
  fireEvent.click(await screen.findByRole('combobox', { name: 'Contact optional' }))
  await screen.findByRole('option', { name: /Bastian Ollerquist/ })
  await act(() => router.navigate({ to: '/crm/contacts/edit/$id', params: { id: imara.id } }))
  fireEvent.click(await screen.findByRole('combobox', { name: 'Reports to optional' }))
  expect(await screen.findByRole('option', { name: /Bastian Ollerquist/ })).toBeTruthy()
})

const pageWithDeal = (changes: Partial<DealRow>) => ({ rows: [DealRow.parse({ ...waitingRoom, ...changes })], next: null })

/** Each list shows a text of a linked record. `before` and `after` are the pages before and after a change of that record. */
test.each([
  {
    list: 'the list of contacts',
    address: '/crm/contacts',
    table: 'notes',
    route: 'GET /api/contacts',
    before: { rows: [toRow(imara)], next: null },
    after: { rows: [{ ...toRow(imara), notes: 'Written just now' }], next: null },
    newText: 'Written just now',
  },
  {
    list: 'the list of deals',
    address: '/crm/deals?as=list',
    table: 'crm_contacts',
    route: 'GET /api/deals',
    before: pageWithDeal({}),
    after: pageWithDeal({ contact_name: 'Imara Renamed' }),
    newText: 'Imara Renamed',
  },
  {
    list: 'the list of deals',
    address: '/crm/deals?as=list',
    table: 'companies',
    route: 'GET /api/deals',
    before: pageWithDeal({}),
    after: pageWithDeal({ company_name: 'Renamed Dental' }),
    newText: 'Renamed Dental',
  },
  {
    list: 'the board',
    address: '/crm/deals',
    table: 'companies',
    route: 'GET /api/deals',
    before: pageWithDeal({}),
    after: pageWithDeal({ company_name: 'Renamed Dental' }),
    newText: /Renamed Dental/,
  },
  {
    list: 'the list of tasks',
    address: '/crm/tasks',
    table: 'crm_contacts',
    route: 'GET /api/tasks',
    before: taskPage([drawings]),
    after: taskPage([{ ...drawings, contact_name: 'Imara Renamed' }]),
    newText: /Imara Renamed/,
  },
  {
    list: 'the list of tasks',
    address: '/crm/tasks',
    table: 'deals',
    route: 'GET /api/tasks',
    before: taskPage([{ ...drawings, contact_id: null, contact_name: '' }]),
    after: taskPage([{ ...drawings, contact_id: null, contact_name: '', deal_title: 'Room renamed' }]),
    newText: /Room renamed/,
  },
])('$list is refetched when the table $table changes', async ({ address, table, route, before, after, newText }) => {
  const server = mockServer({ ...routes, [route]: before })
  if (address === '/crm/deals') setBoardElementSize()
  await renderApp(address)
  await screen.findAllByText(/Imara Vantongeren|Waiting room|Send the drawings/)
  expect(screen.queryByText(newText)).toBeNull()
  server.setHandlers({ [route]: after })
  await act(() => refreshTables([table]))
  expect((await screen.findAllByText(newText)).length).toBeGreaterThan(0)
})
