// Tests the company field of a contact in its form and on its page.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { CompanyRow, emptyCompany, type Company } from '#contract/companies.ts'
import type { Contact } from '#contract/contacts.ts'
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
const added = makeCompany('a4', 'Tidewick Bakery', '')
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

const update = 'PATCH /api/contacts/{id}'
const create = 'POST /api/companies'
const offer = 'GET /api/contacts/{id}/company'
const editAddress = `/crm/contacts/edit/${imara.id}`
const address = `/crm/contacts/${imara.id}`

function openServer(contact: Contact, ...companies: Company[]) {
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
    [update]: ({ body }) => changeResponse('c-1', { ...contact, ...z.parse(z.looseObject({}), body), version: 4 }),
    [create]: changeResponse('c-2', added, 201),
    [offer]: { name: contact.company, is_linked: false, companies: 0, is_refused: false },
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
  const server = openServer(imara, hotel, mill)
  await renderApp(editAddress)
  await type('harrow')
  const options = await screen.findAllByRole('option')
  await waitFor(() => expect(screen.getAllByRole('option').at(-1)?.textContent).toBe('Create “harrow”'))
  expect(options.slice(0, 2).map(({ textContent }) => textContent)).toEqual(['Harrowmere Hotel Hotels', 'Harrow Mill Paper'])
  expect(isLinked()).toBe(false)
  fireEvent.click(screen.getByRole('option', { name: /Harrowmere Hotel/ }))
  expect(isLinked()).toBe(true)
  save()
  await waitFor(() => expect(server.requestsTo(update)[0]?.body).toEqual({ company: hotel.name, company_id: hotel.id, version: 3 }))
  expect(server.requestsTo(offer)).toEqual([])
})

test('typing the name of the only company with this name links to it, in any case, and typing on removes the link', async () => {
  const server = openServer(imara, hotel, mill)
  await renderApp(editAddress)
  await type('harrowmere hotel')
  await waitForLink()
  expect(screen.queryByRole('option', { name: /^Create/ })).toBeNull()
  await type('harrowmere hotels')
  expect(isLinked()).toBe(false)
  await type('HARROWMERE hotel')
  await waitForLink()
  save()
  await waitFor(() => expect(server.requestsTo(update)[0]?.body).toEqual({ company: 'HARROWMERE hotel', company_id: hotel.id, version: 3 }))
})

test('when several companies have the typed name, the user is asked to choose, and nothing is linked before', async () => {
  const server = openServer(imara, hotel, mill, otherHotel)
  await renderApp(editAddress)
  const input = await type('harrowmere hotel')
  const hint = await screen.findByText('Several companies have this name. Choose one from the list.')
  expect(input.getAttribute('aria-describedby')).toContain(hint.id)
  expect(isLinked()).toBe(false)
  const options = screen.getAllByRole('option', { name: /Harrowmere Hotel/ })
  expect(options.map((option) => option.textContent)).toEqual(['Harrowmere Hotel Hotels', 'Harrowmere Hotel Catering'])
  fireEvent.click(screen.getByRole('option', { name: /Catering/ }))
  save()
  await waitFor(() => expect(server.requestsTo(update)[0]?.body).toEqual({ company: hotel.name, company_id: otherHotel.id, version: 3 }))
})

test('the last option creates a company with the typed name and links to it', async () => {
  const server = openServer(imara, hotel)
  await renderApp(editAddress)
  await type(' Tidewick Bakery ')
  fireEvent.click(await screen.findByRole('option', { name: 'Create “Tidewick Bakery”' }))
  expect(await screen.findByText('Company created')).toBeTruthy()
  await waitForLink()
  expect((await findInput()).value).toBe('Tidewick Bakery')
  expect(server.requestsTo(create)[0]?.body).toEqual({ name: 'Tidewick Bakery' })
  save()
  await waitFor(() => expect(server.requestsTo(update)[0]?.body).toEqual({ company: 'Tidewick Bakery', company_id: added.id, version: 3 }))
})

test('the arrow keys and Enter create a company, also in place, where this saves the contact', async () => {
  const server = openServer(imara, hotel)
  await renderApp(address)
  fireEvent.click(await screen.findByRole('button', { name: 'Edit company' }))
  const input = await type('Tidewick Bakery')
  await screen.findByRole('option', { name: 'Create “Tidewick Bakery”' })
  fireEvent.keyDown(input, { key: 'ArrowDown', code: 'ArrowDown' })
  fireEvent.keyDown(input, { key: 'Enter', code: 'Enter' })
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(server.requestsTo(update)[0]?.body).toEqual({ company: 'Tidewick Bakery', company_id: added.id, version: 3 })
})

test('a company that cannot be created leaves the typed name and says why', async () => {
  const server = openServer(imara, hotel)
  server.setHandlers({ [create]: () => problemResponse('too_many_requests') })
  await renderApp(editAddress)
  await type('Tidewick Bakery')
  fireEvent.click(await screen.findByRole('option', { name: /^Create/ }))
  expect(await screen.findByText('The company could not be added')).toBeTruthy()
  expect((await findInput()).value).toBe('Tidewick Bakery')
})

test('typing another name removes the link, and typing the saved name again restores it', async () => {
  const server = openServer(linkedContact)
  await renderApp(editAddress)
  await waitForLink()
  fireEvent.change(await findInput(), { target: { value: 'Somewhere else' } })
  expect(isLinked()).toBe(false)
  fireEvent.change(await findInput(), { target: { value: hotel.name } })
  expect(isLinked()).toBe(true)
  fireEvent.change(await findInput(), { target: { value: 'Somewhere else' } })
  save()
  await waitFor(() => expect(server.requestsTo(update)[0]?.body).toEqual({ company: 'Somewhere else', company_id: null, version: 3 }))
})

test('a saved name that is no company is offered as one; one click adds it, with Undo', async () => {
  const server = openServer(imara)
  server.setHandlers({
    [offer]: { name: 'Tidewick Bakery', is_linked: false, companies: 0, is_refused: false },
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

test('closing the offer refuses the name, and a refused name is not offered', async () => {
  const server = openServer(imara)
  const offered = { name: 'Freelance', is_linked: false, companies: 0, is_refused: false }
  server.setHandlers({ [offer]: offered, 'POST /api/contacts/{id}/company/refuse': undefined })
  const { router } = await renderApp(editAddress)
  await type('Freelance')
  save()
  const toast = (await screen.findByText('Add as a company?')).closest<HTMLElement>('[data-toast]')
  if (toast) fireEvent.click(within(toast).getByRole('button', { name: 'Dismiss notification' }))
  await waitFor(() => expect(server.requestsTo('POST /api/contacts/{id}/company/refuse')).toHaveLength(1))
  server.setHandlers({ [offer]: { ...offered, is_refused: true } })
  await act(() => router.navigate({ to: '/crm/contacts/edit/$id', params: { id: imara.id } }))
  await type('FREELANCE')
  save()
  await waitFor(() => expect(server.requestsTo(offer)).toHaveLength(2))
  expect(screen.queryByText('Add as a company?')).toBeNull()
})

test('an edit that does not change the company makes no offer', async () => {
  const server = openServer(imara)
  await renderApp(editAddress)
  fireEvent.change(await screen.findByLabelText('Title optional', { selector: 'input' }), { target: { value: 'Owner' } })
  save()
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(server.requestsTo(offer)).toEqual([])
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
])('a conflict of $title is one choice between two companies', async ({ fields }) => {
  const server = openServer(imara, hotel)
  const conflict = { version: 7, actor: `user:${nora.user.id}`, at: '2026-11-20T09:00:00.000Z', fields }
  server.setHandlers({ [update]: () => problemResponse('conflict', { conflict }), 'GET /api/companies/{id}': hotel })
  await renderApp(editAddress)
  fireEvent.change(await findInput(), { target: { value: 'Typed' } })
  save()
  expect(await screen.findByText('Company was changed somewhere else while you were editing')).toBeTruthy()
  const [choice, ...others] = screen.getAllByRole('group', { name: 'Company' })
  expect(others).toEqual([])
  if (!choice) return
  expect(within(choice).getByRole('radio', { name: /^Typed/ })).toBeTruthy()
  server.setHandlers({ [update]: changeResponse('c-1', { ...linkedContact, version: 8 }) })
  fireEvent.click(await within(choice).findByRole('radio', { name: /^Harrowmere Hotel/ }))
  fireEvent.change(screen.getByLabelText('Title optional', { selector: 'input' }), { target: { value: 'Owner' } })
  save()
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  const body = z.parse(z.looseObject({}), server.requestsTo(update).at(-1)?.body)
  // a name that did not conflict is still sent; the server replaces it by the name of the linked company
  expect([body['title'], body['version'], body['company_id']]).toEqual(['Owner', 7, undefined])
})
