import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { CompanyRow, emptyCompany, type Company } from '#contract/companies.ts'
import { makeChangeSet, setElementSize } from '#web/contacts/testing.ts'
import { changeResponse, nora, renderApp, mockServer, setWindowWidth } from '#web/testing.ts'

const tidewick: Company = {
  ...emptyCompany,
  id: '01930000-0000-7000-8000-0000000000a1',
  name: 'Tidewick Bakery',
  industry: 'Food',
  website: 'https://www.tidewick.example/',
  phone: '+44 20 7946 0377',
  employees_count: 1284,
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
  version: 1,
}
const ostrand: Company = {
  ...tidewick,
  id: '01930000-0000-7000-8000-0000000000a2',
  name: 'Ostrand Optics',
  website: '',
  employees_count: null,
}
const makePage = (...companies: Company[]) => ({ rows: companies.map((company) => CompanyRow.parse(company)), next: null })
const routes = {
  'GET /api/session': nora,
  'GET /api/companies': makePage(tidewick, ostrand),
  'GET /api/companies/count': { count: 2, more: false },
  'GET /api/companies/{id}': tidewick,
  'GET /api/views': { rows: [] },
  'GET /api/changes': { rows: [], next: null },
  'GET /api/deals': { rows: [], next: null },
  'GET /api/contacts': { rows: [], next: null },
}

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

test('the list shows companies with their columns', async () => {
  mockServer(routes)
  await renderApp('/crm/companies')
  const link = await screen.findByRole('link', { name: 'Tidewick Bakery' })
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    '',
    'Name',
    'Industry',
    'Website',
    'Phone',
    'Email',
    'Employees',
    'Actions',
  ])
  const cells = [...(link.closest('tr')?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent)
  // without the checkbox and the actions
  expect(cells.slice(1, 7)).toEqual(['Tidewick Bakery', 'Food', 'tidewick.example', '+44 20 7946 0377', '', '1,284'])
  expect(screen.getByRole('link', { name: 'tidewick.example' }).getAttribute('href')).toBe('https://www.tidewick.example/')
})

test('a company opens over the list, which keeps its search and filter', async () => {
  const server = mockServer(routes)
  const filter = [{ field: 'employees_count', from: 10 }]
  const { router } = await renderApp(`/crm/companies?search=ti&filter=${encodeURIComponent(JSON.stringify(filter))}`)
  fireEvent.click(await screen.findByRole('link', { name: 'Tidewick Bakery' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/companies/${tidewick.id}`))
  expect(router.state.location.search).toMatchObject({ search: 'ti', filter })
  expect(screen.getByRole('link', { name: 'Ostrand Optics' })).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Employees from 10' })).toBeTruthy() // the code of the filters is loaded on demand
  expect(server.requestsTo('GET /api/companies')[0]?.query).toMatchObject({ search: 'ti', filter: JSON.stringify(filter) })
})

test('while a company is open, Backspace does not delete a row of the list', async () => {
  const server = mockServer({ ...routes, 'DELETE /api/companies/{id}': changeResponse('c-1') })
  const { router } = await renderApp('/crm/companies')
  const link = await screen.findByRole('link', { name: 'Tidewick Bakery' })
  fireEvent.keyDown(document.body, { key: 'j' }) // focuses the first row
  await waitFor(() => expect(document.activeElement?.contains(link)).toBe(true))
  fireEvent.click(link)
  const panel = await screen.findByRole('complementary', { name: 'Company' })
  fireEvent.keyDown(panel, { key: 'Backspace' })
  fireEvent.keyDown(panel, { key: 'j' }) // opens the next company
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/companies/${ostrand.id}`))
  expect(server.requestsTo('DELETE /api/companies/{id}')).toEqual([])
})

test('selected companies are deleted in one change, and the toast shows their number', async () => {
  const change = makeChangeSet({ count: 2 })
  const server = mockServer({ ...routes, 'POST /api/companies/bulk/delete': changeResponse('c-1'), 'GET /api/changes/{id}': change })
  await renderApp('/crm/companies')
  await screen.findByRole('link', { name: 'Tidewick Bakery' })
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all that are loaded' }))
  const deleteButton = await screen.findByRole('button', { name: 'Delete 2 companies' })
  server.setHandlers({ 'GET /api/companies': makePage() })
  fireEvent.click(deleteButton)
  expect(await screen.findByText('2 companies deleted')).toBeTruthy()
})

test('an empty list explains what companies are for', async () => {
  mockServer({ ...routes, 'GET /api/companies': makePage(), 'GET /api/companies/count': { count: 0, more: false } })
  await renderApp('/crm/companies')
  expect(await screen.findByRole('heading', { name: 'The businesses you work with' })).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'Add company' })).toHaveLength(1)
})
