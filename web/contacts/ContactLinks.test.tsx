import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { CompanyRow, emptyCompany } from '#contract/companies.ts'
import { changeResponse, nora, renderApp, mockServer } from '#web/testing.ts'
import { bastian, setElementSize, imara, makePage, sunniva } from './testing.ts'

const systemFields = { created_at: imara.created_at, version: 1 }
const makeCompany = (idEnd: string, name: string, industry: string): CompanyRow =>
  CompanyRow.parse({ ...emptyCompany, ...systemFields, id: `01930000-0000-7000-8000-0000000000${idEnd}`, name, industry })
const hotel = makeCompany('a1', 'Harrowmere Hotel', 'Hotels')
const linkedContact = { ...imara, company: hotel.name, company_id: hotel.id }
const zeroCount = { count: 0, more: false }
const routes = {
  'GET /api/session': nora,
  'GET /api/contacts': makePage([imara, bastian, sunniva]),
  'GET /api/contacts/count': { count: 3, more: false },
  'GET /api/contacts/{id}': imara,
  'GET /api/companies': { rows: [hotel], next: null },
  'GET /api/companies/{id}': { ...hotel, updated_at: imara.updated_at },
  'GET /api/changes': { rows: [], next: null },
  'GET /api/files': { rows: [], next: null },
  'GET /api/files/count': zeroCount,
  'GET /api/notes': { rows: [], next: null, count: 0 },
  'GET /api/deals/count': { count: 2, more: false },
  'GET /api/deals': { rows: [], next: null },
  'GET /api/tasks/count': zeroCount,
  'GET /api/tasks': { rows: [], next: null },
}
const address = `/crm/contacts/${imara.id}`
const findField = (name: string): Promise<HTMLElement> => screen.findByLabelText(name, { selector: 'input' })
const save = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Save contact' }))

beforeEach(setElementSize)

test('the form of a contact that is added from a company is prefilled with that company', async () => {
  const server = mockServer({ ...routes, 'POST /api/contacts': changeResponse('c-1', linkedContact, 201) })
  await renderApp(`/crm/contacts/new?company=${hotel.id}`)
  expect(await screen.findByDisplayValue('Harrowmere Hotel')).toBeTruthy()
  fireEvent.change(await findField('First name'), { target: { value: 'Ada' } })
  fireEvent.change(await findField('Last name'), { target: { value: 'Wren' } })
  save()
  await waitFor(() => expect(server.requestsTo('POST /api/contacts')[0]?.body).toMatchObject({ company: hotel.name, company_id: hotel.id }))
})

test('the page of a contact links to its company', async () => {
  mockServer({ ...routes, 'GET /api/contacts/{id}': linkedContact })
  await renderApp(address)
  const [headerLink, cardLink] = await screen.findAllByRole('link', { name: 'Harrowmere Hotel' })
  expect(headerLink?.getAttribute('href')).toBe(`/crm/companies/${hotel.id}`)
  expect(cardLink?.getAttribute('href')).toBe(`/crm/companies/${hotel.id}`)
})

test('a tab shows its count, and the URL contains the open tab', async () => {
  mockServer(routes)
  const { router } = await renderApp(address)
  const tabs = within(await screen.findByRole('navigation', { name: 'About this contact' }))
  expect(await tabs.findByRole('link', { name: 'Deals 2' })).toBeTruthy()
  fireEvent.click(tabs.getByRole('link', { name: 'Deals 2' }))
  await waitFor(() => expect(router.state.location.href).toBe(`${address}?tab=deals`))
  expect(tabs.getByRole('link', { name: 'Deals 2' }).getAttribute('aria-current')).toBe('page')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Attachments' })).toBeNull())
  fireEvent.click(tabs.getByRole('link', { name: /^Attachments/ }))
  await waitFor(() => expect(router.state.location.href).toBe(address))
  expect(await screen.findByRole('region', { name: 'Attachments' })).toBeTruthy()
})

test('the shortcut j opens the next contact of the list, a button opens the previous one, and Back opens the list', async () => {
  const contactsById = new Map([imara, bastian, sunniva].map((contact) => [contact.id, contact]))
  mockServer({ ...routes, 'GET /api/contacts/{id}': ({ params }) => contactsById.get(params['id'] ?? '') })
  const { router } = await renderApp('/crm/contacts')
  await screen.findByText('Bastian Ollerquist')
  await act(() => router.navigate({ to: '/crm/contacts/$id', params: { id: bastian.id } }))
  expect(await screen.findByText('2 of 3')).toBeTruthy()
  fireEvent.keyDown(document.body, { key: 'j' })
  expect(await screen.findByText('3 of 3')).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'Sunniva Thackerly' })).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next contact' }).disabled).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Previous contact' }))
  expect(await screen.findByText('2 of 3')).toBeTruthy()
  act(() => router.history.back())
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/contacts'))
})

test('a contact that was not opened from a list has no previous and next contact', async () => {
  mockServer(routes)
  await renderApp(address)
  await screen.findByRole('heading', { name: 'Imara Vantongeren' })
  expect(screen.queryByRole('button', { name: 'Next contact' })).toBeNull()
})
