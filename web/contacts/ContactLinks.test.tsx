import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { CompanyRow, emptyCompany } from '#contract/companies.ts'
import { changeResponse, nora, renderApp, mockServer } from '#web/testing.ts'
import { bastian, setElementSize, imara, makePage, sunniva } from './testing.ts'

const systemFields = { created_at: imara.created_at, version: 1 }
const makeCompany = (idEnd: string, name: string, industry: string): CompanyRow =>
  CompanyRow.parse({ ...emptyCompany, ...systemFields, id: `01930000-0000-7000-8000-0000000000${idEnd}`, name, industry })
const hotel = makeCompany('a1', 'Harrowmere Hotel', 'Hotels')
const mill = makeCompany('a2', 'Harrow Mill', 'Paper')
const linkedContact = { ...imara, company: hotel.name, company_id: hotel.id }
const zeroCount = { count: 0, more: false }
const routes = {
  'GET /api/session': nora,
  'GET /api/contacts': makePage([imara, bastian, sunniva]),
  'GET /api/contacts/count': { count: 3, more: false },
  'GET /api/contacts/{id}': imara,
  'GET /api/companies': { rows: [hotel, mill], next: null },
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
const update = 'PATCH /api/contacts/{id}'
const address = `/crm/contacts/${imara.id}`
const editAddress = `/crm/contacts/edit/${imara.id}`
const findField = (name: string): Promise<HTMLElement> => screen.findByLabelText(name, { selector: 'input' })
const save = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Save contact' }))
const isLinked = (): boolean => screen.queryByTitle('Linked to the company’s record') !== null

beforeEach(setElementSize)

test('selecting a company links the contact to it', async () => {
  const server = mockServer({ ...routes, [update]: changeResponse('c-1', { ...linkedContact, version: 4 }) })
  await renderApp(editAddress)
  const companyField = await findField('Company optional')
  fireEvent.click(companyField)
  fireEvent.change(companyField, { target: { value: 'harrow' } })
  await waitFor(() => expect(server.requestsTo('GET /api/companies').at(-1)?.query).toMatchObject({ search: 'harrow' }))
  expect(isLinked()).toBe(false)
  fireEvent.click(await screen.findByRole('option', { name: /Harrowmere Hotel/ }))
  expect(isLinked()).toBe(true)
  save()
  await waitFor(() => expect(server.requestsTo(update)[0]?.body).toEqual({ company: hotel.name, company_id: hotel.id, version: 3 }))
})

test('when two companies have the same name, the user can select the second company', async () => {
  const otherHotel = makeCompany('a3', hotel.name, 'Catering')
  const server = mockServer({
    ...routes,
    'GET /api/companies': { rows: [hotel, otherHotel], next: null },
    [update]: changeResponse('c-1', { ...linkedContact, company_id: otherHotel.id, version: 4 }),
  })
  await renderApp(editAddress)
  fireEvent.click(await findField('Company optional'))
  const options = await screen.findAllByRole('option', { name: /Harrowmere Hotel/ })
  expect(options.map((option) => option.textContent)).toEqual(['Harrowmere Hotel Hotels', 'Harrowmere Hotel Catering'])
  fireEvent.click(screen.getByRole('option', { name: /Catering/ }))
  save()
  await waitFor(() => expect(server.requestsTo(update)[0]?.body).toEqual({ company: hotel.name, company_id: otherHotel.id, version: 3 }))
})

test('typing the name of a company does not link to it, whether the dropdown is open or closed', async () => {
  mockServer(routes)
  await renderApp(editAddress)
  const companyField = await findField('Company optional')
  fireEvent.change(companyField, { target: { value: hotel.name } })
  expect(isLinked()).toBe(false)
  fireEvent.click(companyField)
  await screen.findByRole('option', { name: /Harrowmere Hotel/ })
  fireEvent.change(companyField, { target: { value: 'Harrow' } })
  fireEvent.change(companyField, { target: { value: hotel.name } })
  expect(isLinked()).toBe(false)
})

test('typing another name removes the link', async () => {
  const server = mockServer({
    ...routes,
    'GET /api/contacts/{id}': linkedContact,
    [update]: changeResponse('c-1', { ...imara, version: 4 }),
  })
  await renderApp(editAddress)
  expect(await screen.findByTitle('Linked to the company’s record')).toBeTruthy()
  fireEvent.change(await findField('Company optional'), { target: { value: 'Somewhere else' } })
  expect(isLinked()).toBe(false)
  save()
  await waitFor(() => expect(server.requestsTo(update)[0]?.body).toEqual({ company: 'Somewhere else', company_id: null, version: 3 }))
})

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

test('shortcuts open the previous and next contact of the list, and Back opens the list', async () => {
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
