import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { CompanyRow, type Company } from '#contract/companies.ts'
import { setElementSize } from '#web/contacts/testing.ts'
import { changeResponse, nora, problemResponse, renderApp, mockServer } from '#web/testing.ts'

beforeEach(setElementSize)

const changeId = '01930000-0000-7000-8000-0000000000e1'
const quillstone: Company = {
  id: '01930000-0000-7000-8000-0000000000a1',
  name: 'Quillstone Dental',
  industry: 'Health',
  website: 'https://www.quillstone.example/',
  phone: '+44 20 7946 0118',
  email: 'desk@quillstone.example',
  employees_count: 1240,
  tags: ['Oak'],
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
  version: 3,
}
const harrowmere: Company = { ...quillstone, id: '01930000-0000-7000-8000-0000000000a9', name: 'Harrowmere Hotel' }
const emptyPage = { rows: [], next: null }
const create = 'POST /api/companies'
const update = 'PATCH /api/companies/{id}'

/** Mocks a server with these companies. */
const mockServerWith = (...companies: Company[]) =>
  mockServer({
    'GET /api/session': nora,
    'GET /api/companies': { rows: companies.map((company) => CompanyRow.parse(company)), next: null },
    'GET /api/companies/count': { count: companies.length, more: false },
    'GET /api/companies/tags': { tags: [] },
    'GET /api/companies/{id}': ({ params }) => companies.find(({ id }) => id === params['id']) ?? problemResponse('not_found'),
    'GET /api/changes': emptyPage,
    'GET /api/deals': emptyPage,
    'GET /api/contacts': emptyPage,
    'GET /api/views': { rows: [] },
  })
const findPanel = async () => within(await screen.findByRole('complementary', { name: 'Company' }))
const getField = (name: string): HTMLInputElement => screen.getByRole('textbox', { name })
const type = (name: string, value: string) => fireEvent.change(getField(name), { target: { value } })
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save company' }))

test('adding a company sends its fields, with the employees as a number', async () => {
  const server = mockServerWith(harrowmere)
  server.setHandlers({ [create]: () => changeResponse(changeId, quillstone, 201) })
  const { router } = await renderApp('/crm/companies')
  fireEvent.click(await screen.findByRole('link', { name: 'Add company' }))
  await screen.findByRole('textbox', { name: 'Name' })
  type('Name', ' Quillstone Dental ')
  type('Employees optional', '1,240')
  save()
  expect(await screen.findByText('Company created')).toBeTruthy()
  expect(server.requestsTo(create)[0]?.body).toEqual({ id: expect.any(String), name: 'Quillstone Dental', employees_count: 1240 })
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/companies'))
})

test('invalid fields show error messages', async () => {
  const server = mockServerWith(quillstone)
  await renderApp('/crm/companies/new?name=Quill')
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })).value).toBe('Quill')
  type('Employees optional', 'a few')
  type('Website optional', 'quillstone')
  save()
  expect(await screen.findByText('Enter a whole number like 12')).toBeTruthy()
  expect(screen.getByText('Enter an address like https://example.com')).toBeTruthy()
  expect(server.requestsTo(create)).toEqual([])
})

test('clicking a row opens a panel with the fields, deals and contacts of the company', async () => {
  const server = mockServerWith(quillstone, harrowmere)
  const deal = {
    id: '01930000-0000-7000-8000-0000000000a2',
    title: 'Waiting room',
    value: 26_400,
    stage: 'proposal',
    probability: null,
    expected_close_date: null,
    contact_id: null,
    contact_name: '',
    company_id: quillstone.id,
    company_name: quillstone.name,
    tags: [],
    created_at: quillstone.created_at,
    updated_at: quillstone.created_at,
    version: 1,
  }
  server.setHandlers({ 'GET /api/deals': { rows: [deal], next: 'more' } }) // a cursor means that there are more deals
  const { router } = await renderApp('/crm/companies?sort=name')
  fireEvent.click(await screen.findByRole('link', { name: 'Quillstone Dental' }))
  const panel = await findPanel()
  expect(await panel.findByRole('heading', { name: 'Quillstone Dental' })).toBeTruthy()
  expect(router.state.location.href).toBe(`/crm/companies/${quillstone.id}?sort=name`)
  expect(panel.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    'Health',
    'quillstone.example',
    '+44 20 7946 0118',
    'desk@quillstone.example',
    '1,240',
    'Oak',
  ])
  const deals = within(panel.getByRole('region', { name: 'Deals' }))
  expect((await deals.findByRole('link', { name: 'Waiting room' })).getAttribute('href')).toBe(`/crm/deals/${deal.id}`)
  expect(deals.getByText('£26,400')).toBeTruthy()
  const allDealsAddress = deals.getByRole('link', { name: 'All deals of this company' }).getAttribute('href') ?? ''
  expect(decodeURIComponent(allDealsAddress)).toBe(`/crm/deals?filter=[{"field":"company_id","is":["${quillstone.id}"]}]&as=list`)
  expect(deals.getByRole('link', { name: 'Add deal' }).getAttribute('href')).toBe(`/crm/deals/new?company=${quillstone.id}`)
  expect(within(panel.getByRole('region', { name: 'Contacts' })).getByText('No contacts yet.')).toBeTruthy()
  expect(server.requestsTo('GET /api/contacts')[0]?.query['filter']).toBe(`[{"field":"company_id","is":["${quillstone.id}"]}]`)
})

test('the shortcut j opens the next company of the list', async () => {
  mockServerWith(quillstone, harrowmere)
  await renderApp(`/crm/companies/${quillstone.id}`)
  const panel = await findPanel()
  await panel.findByRole('heading', { name: 'Quillstone Dental' })
  await screen.findByRole('link', { name: 'Harrowmere Hotel' })
  await waitFor(() => expect(panel.getByRole('button', { name: 'Next company' }).hasAttribute('disabled')).toBe(false))
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'j' })
  expect(await panel.findByRole('heading', { name: 'Harrowmere Hotel' })).toBeTruthy()
})

test('an edit sends the changed fields with the version, and then opens the panel', async () => {
  const server = mockServerWith(quillstone)
  server.setHandlers({ [update]: () => changeResponse(changeId, { ...quillstone, employees_count: null, version: 4 }) })
  const { router } = await renderApp(`/crm/companies/${quillstone.id}`)
  fireEvent.click(await (await findPanel()).findByRole('button', { name: 'Edit company' }))
  await screen.findByRole('textbox', { name: 'Name' })
  type('Employees optional', '')
  save()
  expect(await screen.findByText('Company updated')).toBeTruthy()
  expect(server.requestsTo(update)[0]?.body).toEqual({ employees_count: null, version: 3 })
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/companies/${quillstone.id}`))
})

test('deleting a company closes the panel and can be undone', async () => {
  const server = mockServerWith(quillstone, harrowmere)
  server.setHandlers({ 'DELETE /api/companies/{id}': () => changeResponse(changeId) })
  const { router } = await renderApp(`/crm/companies/${quillstone.id}`)
  await (await findPanel()).findByRole('heading', { name: 'Quillstone Dental' })
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Delete' })
  expect(await screen.findByText('Company deleted')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(router.state.location.pathname).toBe('/crm/companies')
})

test('neither a repeated Delete nor Delete in a dialog of the panel deletes the company', async () => {
  const server = mockServerWith(quillstone)
  server.setHandlers({ 'DELETE /api/companies/{id}': () => changeResponse(changeId) })
  const { router } = await renderApp(`/crm/companies/${quillstone.id}`)
  const expectNoDelete = async (): Promise<void> => {
    await act(() => new Promise((resolve) => setTimeout(resolve))) // a deletion sends its request in a later task
    expect(server.requestsTo('DELETE /api/companies/{id}')).toEqual([])
  }
  fireEvent.click(await (await findPanel()).findByRole('button', { name: 'Edit phone' }))
  fireEvent.change(await screen.findByRole('textbox', { name: 'Phone optional' }), { target: { value: '222' } })
  fireEvent.keyDown(screen.getByRole('button', { name: 'Close' }), { key: 'Delete', code: 'Delete', repeat: true })
  await expectNoDelete()
  act(() => void router.navigate({ to: '/crm/companies' }))
  await screen.findByRole('dialog', { name: 'Leave without saving?' })
  fireEvent.keyDown(screen.getByRole('button', { name: 'Keep editing' }), { key: 'Delete' })
  await expectNoDelete()
})
