// Tests the company field of a contact in its form and on its page.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { CompanyRow, emptyCompany, type Company } from '#contract/companies.ts'
import type { Contact } from '#contract/contacts.ts'
import { queries } from '#web/lib/queries.ts'
import { changeResponse, nora, problemResponse, renderApp, mockServer } from '#web/testing.ts'
import { bastian, imara, makePage, setElementSize } from './testing.ts'

const systemFields = { created_at: imara.created_at, updated_at: imara.updated_at, version: 1 }
const makeCompany = (idEnd: string, name: string, industry: string): Company => ({
  ...emptyCompany,
  ...systemFields,
  id: `01930000-0000-7000-8000-0000000000${idEnd}`,
  name,
  industry,
})
const hotel = makeCompany('a1', 'Harrowmere Hotel', 'Hotels')
const mill = makeCompany('a2', 'Harrow Mill', 'Paper')
const otherHotel = makeCompany('a3', hotel.name, 'Catering')
/** The company that `createRoute` returns. */
const tidewick = makeCompany('a4', 'Tidewick Bakery', '')
const linkedContact: Contact = { ...imara, company: hotel.name, company_id: hotel.id }
const zeroCount = { count: 0, more: false }
const Filter = z.array(z.object({ field: z.string(), is: z.array(z.string()) }))

/** Finds companies like the server: by words of the search, or by the whole name in any case. */
const findCompanies =
  (...companies: Company[]) =>
  ({ query: { search = '', filter = '[]' } }: { query: Record<string, string> }) => {
    const [condition] = z.parse(Filter, JSON.parse(filter))
    const isFound = ({ name }: Company): boolean =>
      condition ? name.toLowerCase() === condition.is[0]?.toLowerCase() : name.toLowerCase().includes(search.toLowerCase())
    return { rows: companies.filter(isFound).map((company) => CompanyRow.parse(company)), next: null }
  }

const updateRoute = 'PATCH /api/contacts/{id}' // these requests contain the version of Imara's record, which is 3
const createRoute = 'POST /api/companies'
/** Sent after a save, to find out whether to offer the name of the company as a new company. */
const offerRoute = 'GET /api/contacts/{id}/company'
const editAddress = `/crm/contacts/edit/${imara.id}`
const address = `/crm/contacts/${imara.id}`

/** Mocks a server with one contact and these companies. */
function mockServerWith(contact: Contact, ...companies: Company[]) {
  return mockServer({
    'GET /api/session': nora,
    'GET /api/contacts': makePage([imara, bastian]),
    'GET /api/contacts/count': zeroCount,
    'GET /api/contacts/{id}': contact,
    'GET /api/companies': findCompanies(...companies),
    'GET /api/changes': { rows: [], next: null },
    'GET /api/notes': { rows: [], next: null, count: 0 },
    'GET /api/deals/count': zeroCount,
    'GET /api/tasks/count': zeroCount,
    'GET /api/files/count': zeroCount,
    'GET /api/views': { rows: [] },
    [updateRoute]: ({ body }) => changeResponse('c-1', { ...contact, ...z.parse(z.looseObject({}), body), version: 4 }),
    [createRoute]: changeResponse('c-2', tidewick, 201),
    [offerRoute]: { name: contact.company, is_linked: false, companies: 0, is_refused: false },
  })
}

const findInput = () => screen.findByLabelText<HTMLInputElement>('Company optional', { selector: 'input' })
async function type(value: string): Promise<HTMLInputElement> {
  const input = await findInput()
  fireEvent.click(input)
  fireEvent.change(input, { target: { value } })
  return input
}
const save = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Save contact' }))
const isLinked = (): boolean => screen.queryByTitle('Linked to the company’s record') !== null
const waitForLink = () => screen.findByTitle('Linked to the company’s record')

beforeEach(setElementSize)

test('selecting a company links the contact to it', async () => {
  const server = mockServerWith(imara, hotel, mill)
  await renderApp(editAddress)
  await type('harrow')
  const options = await screen.findAllByRole('option')
  await waitFor(() => expect(screen.getAllByRole('option').at(-1)?.textContent).toBe('Create “harrow”'))
  expect(options.slice(0, 2).map(({ textContent }) => textContent)).toEqual(['Harrowmere Hotel Hotels', 'Harrow Mill Paper'])
  expect(isLinked()).toBe(false)
  fireEvent.click(screen.getByRole('option', { name: /Harrowmere Hotel/ }))
  expect(isLinked()).toBe(true)
  save()
  await waitFor(() => expect(server.requestsTo(updateRoute)[0]?.body).toEqual({ company: hotel.name, company_id: hotel.id, version: 3 }))
  expect(server.requestsTo(offerRoute)).toEqual([])
})

test('typing the name of exactly one company links to it, in upper or lower case, and typing more letters removes the link', async () => {
  const server = mockServerWith(imara, hotel, mill)
  await renderApp(editAddress)
  await type('harrowmere hotel')
  await waitForLink()
  expect(screen.queryByRole('option', { name: /^Create/ })).toBeNull()
  await type('harrowmere hotels')
  expect(isLinked()).toBe(false)
  await type('HARROWMERE hotel')
  await waitForLink()
  save()
  await waitFor(() =>
    expect(server.requestsTo(updateRoute)[0]?.body).toEqual({ company: 'HARROWMERE hotel', company_id: hotel.id, version: 3 }),
  )
})

test('a company with the saved name is not linked when the user only opens the list', async () => {
  mockServerWith({ ...imara, company: hotel.name }, hotel)
  await renderApp(editAddress)
  fireEvent.click(await findInput())
  await screen.findByRole('option', { name: /Harrowmere Hotel/ })
  await waitFor(() => expect(queries.isFetching()).toBe(0))
  expect(isLinked()).toBe(false)
})

test('when several companies have the typed name, none is linked until the user chooses one', async () => {
  const server = mockServerWith(imara, hotel, mill, otherHotel)
  await renderApp(editAddress)
  const input = await type('harrowmere hotel')
  const hint = await screen.findByText('Several companies have this name. Choose one from the list.')
  expect(input.getAttribute('aria-describedby')).toContain(hint.id)
  expect(isLinked()).toBe(false)
  const options = screen.getAllByRole('option', { name: /Harrowmere Hotel/ })
  expect(options.map((option) => option.textContent)).toEqual(['Harrowmere Hotel Hotels', 'Harrowmere Hotel Catering'])
  fireEvent.click(screen.getByRole('option', { name: /Catering/ }))
  save()
  await waitFor(() =>
    expect(server.requestsTo(updateRoute)[0]?.body).toEqual({ company: hotel.name, company_id: otherHotel.id, version: 3 }),
  )
})

test('the last option creates a company with the typed name and links to it', async () => {
  const server = mockServerWith(imara, hotel)
  await renderApp(editAddress)
  await type(' Tidewick Bakery ')
  fireEvent.click(await screen.findByRole('option', { name: 'Create “Tidewick Bakery”' }))
  expect(await screen.findByText('Company created')).toBeTruthy()
  await waitForLink()
  expect((await findInput()).value).toBe('Tidewick Bakery')
  expect(server.requestsTo(createRoute)[0]?.body).toEqual({ name: 'Tidewick Bakery' })
  save()
  await waitFor(() =>
    expect(server.requestsTo(updateRoute)[0]?.body).toEqual({ company: 'Tidewick Bakery', company_id: tidewick.id, version: 3 }),
  )
})

test('a company that is being created is not offered again, and does not replace a name that is typed meanwhile', async () => {
  const server = mockServerWith(imara)
  const { promise, resolve } = Promise.withResolvers<Response>()
  server.setHandlers({ [createRoute]: () => promise })
  await renderApp(editAddress)
  const input = await type('Tidewick Bakery')
  fireEvent.click(await screen.findByRole('option', { name: 'Create “Tidewick Bakery”' }))
  await waitFor(() => expect(server.requestsTo(createRoute)).toHaveLength(1))
  fireEvent.click(input)
  expect(screen.queryByRole('option', { name: /^Create/ })).toBeNull()
  await type('Tidewick Mill')
  resolve(changeResponse('c-2', tidewick, 201))
  expect(await screen.findByText('Company created')).toBeTruthy()
  expect(input.value).toBe('Tidewick Mill')
  expect(isLinked()).toBe(false)
})

test('on the page of a contact, the arrow keys and Enter create a company, which also saves the contact', async () => {
  const server = mockServerWith(imara, hotel)
  await renderApp(address)
  fireEvent.click(await screen.findByRole('button', { name: 'Edit company' }))
  const input = await type('Tidewick Bakery')
  await screen.findByRole('option', { name: 'Create “Tidewick Bakery”' })
  fireEvent.keyDown(input, { key: 'ArrowDown', code: 'ArrowDown' })
  fireEvent.keyDown(input, { key: 'Enter', code: 'Enter' })
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(server.requestsTo(updateRoute)[0]?.body).toEqual({ company: 'Tidewick Bakery', company_id: tidewick.id, version: 3 })
})

test('when a company cannot be created, a toast shows the error and the typed name stays', async () => {
  const server = mockServerWith(imara, hotel)
  server.setHandlers({ [createRoute]: () => problemResponse('too_many_requests') })
  await renderApp(editAddress)
  await type('Tidewick Bakery')
  fireEvent.click(await screen.findByRole('option', { name: /^Create/ }))
  expect(await screen.findByText('The company could not be added')).toBeTruthy()
  expect((await findInput()).value).toBe('Tidewick Bakery')
})

test('typing another name removes the link, and typing the saved name again restores it', async () => {
  const server = mockServerWith(linkedContact)
  await renderApp(editAddress)
  await waitForLink()
  fireEvent.change(await findInput(), { target: { value: 'Somewhere else' } })
  expect(isLinked()).toBe(false)
  fireEvent.change(await findInput(), { target: { value: hotel.name } })
  expect(isLinked()).toBe(true)
  fireEvent.change(await findInput(), { target: { value: 'Somewhere else' } })
  save()
  await waitFor(() => expect(server.requestsTo(updateRoute)[0]?.body).toEqual({ company: 'Somewhere else', company_id: null, version: 3 }))
})

test('a toast offers to add a saved name that no company has, and one click adds the company, with Undo', async () => {
  const server = mockServerWith(imara)
  server.setHandlers({
    [offerRoute]: { name: 'Tidewick Bakery', is_linked: false, companies: 0, is_refused: false },
    'POST /api/contacts/{id}/company': changeResponse('c-3'),
    'POST /api/changes/{id}/undo': () => problemResponse('already_undone'),
  })
  await renderApp(editAddress)
  await type('Tidewick Bakery')
  save()
  expect(await screen.findByText('Add as a company?')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Add company' }))
  expect(await screen.findByText('Company created')).toBeTruthy()
  expect(server.requestsTo('POST /api/contacts/{id}/company')[0]?.params).toEqual({ id: imara.id })
  const toast = screen.getByText('Company created').closest<HTMLElement>('[data-toast]')
  if (toast) fireEvent.click(within(toast).getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.requestsTo('POST /api/changes/{id}/undo')[0]?.params).toEqual({ id: 'c-3' }))
})

test('closing the offer refuses the name, and a refused name is not offered again', async () => {
  const server = mockServerWith(imara)
  const offered = { name: 'Freelance', is_linked: false, companies: 0, is_refused: false }
  server.setHandlers({ [offerRoute]: offered, 'POST /api/contacts/{id}/company/refuse': undefined })
  const { router } = await renderApp(editAddress)
  await type('Freelance')
  save()
  const toast = (await screen.findByText('Add as a company?')).closest<HTMLElement>('[data-toast]')
  if (toast) fireEvent.click(within(toast).getByRole('button', { name: 'Dismiss notification' }))
  await waitFor(() => expect(server.requestsTo('POST /api/contacts/{id}/company/refuse')).toHaveLength(1))
  server.setHandlers({ [offerRoute]: { ...offered, is_refused: true } })
  await act(() => router.navigate({ to: '/crm/contacts/edit/$id', params: { id: imara.id } }))
  await type('FREELANCE')
  save()
  await waitFor(() => expect(server.requestsTo(offerRoute)).toHaveLength(2))
  expect(screen.queryByText('Add as a company?')).toBeNull()
})

test('after an edit that does not change the company, no company is offered', async () => {
  const server = mockServerWith(imara)
  await renderApp(editAddress)
  fireEvent.change(await screen.findByLabelText('Title optional', { selector: 'input' }), { target: { value: 'Owner' } })
  save()
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(server.requestsTo(offerRoute)).toEqual([])
})

test.each([
  {
    title: 'the name and the link',
    fields: [
      { field: 'company_id', yours: null, theirs: hotel.id },
      { field: 'company', yours: 'Typed', theirs: hotel.name },
    ],
  },
  { title: 'only the link', fields: [{ field: 'company_id', yours: null, theirs: hotel.id }] },
])('in a conflict of $title, the user chooses once between two companies', async ({ fields }) => {
  const server = mockServerWith(imara, hotel)
  const conflict = { version: 7, actor: `user:${nora.user.id}`, actor_name: null, at: '2026-11-20T09:00:00.000Z', fields }
  server.setHandlers({ [updateRoute]: () => problemResponse('conflict', { conflict }), 'GET /api/companies/{id}': hotel })
  await renderApp(editAddress)
  fireEvent.change(await findInput(), { target: { value: 'Typed' } })
  save()
  expect(await screen.findByText('Company was changed somewhere else while you were editing')).toBeTruthy()
  const [choice, ...others] = screen.getAllByRole('group', { name: 'Company' })
  expect(others).toEqual([])
  if (!choice) return
  expect(within(choice).getByRole('radio', { name: /^Typed/ })).toBeTruthy()
  server.setHandlers({ [updateRoute]: changeResponse('c-1', { ...linkedContact, version: 8 }) })
  fireEvent.click(await within(choice).findByRole('radio', { name: /^Harrowmere Hotel/ }))
  fireEvent.change(screen.getByLabelText('Title optional', { selector: 'input' }), { target: { value: 'Owner' } })
  save()
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  const body = z.parse(z.looseObject({}), server.requestsTo(updateRoute).at(-1)?.body)
  // a name that did not conflict is still sent; the server replaces it by the name of the linked company
  expect([body['title'], body['version'], body['company_id']]).toEqual(['Owner', 7, undefined])
})
