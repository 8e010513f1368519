import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { nora, problemResponse, renderApp, mockServer, setWindowWidth } from '#web/testing.ts'
import { toRow, bastian, makeNumberedContacts, setElementSize, imara, makePage, sunniva } from './testing.ts'

const threeContacts = makePage([imara, bastian, sunniva])
const routes = {
  'GET /api/session': nora,
  'GET /api/contacts': threeContacts,
  'GET /api/contacts/count': { count: 3, more: false },
}
const getRow = (name: string): HTMLElement => {
  const row = screen.getByRole('link', { name }).closest('tr')
  if (!row) throw new Error(`No row of ${name}`)
  return row
}
beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

test('the list shows the contacts, their columns and their count', async () => {
  mockServer(routes)
  await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Imara Vantongeren' })
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    '',
    'Name',
    'Email',
    'Phone',
    'Company',
    'Title',
    'Notes',
    'Actions',
  ])
  expect(screen.getByRole('heading', { name: 'Contacts' })).toBeTruthy()
  expect(await screen.findByText('3')).toBeTruthy()
  expect(document.title).toBe('Contacts - Foyer')
  const cells = within(getRow('Imara Vantongeren'))
  expect(cells.getByRole('link', { name: 'Imara Vantongeren' }).getAttribute('href')).toBe(`/crm/contacts/${imara.id}`)
  expect(cells.getByRole('link', { name: 'imara@quillstone.example' }).getAttribute('href')).toBe('mailto:imara@quillstone.example')
  expect(cells.getByRole('link', { name: '+44 20 7946 0118' }).getAttribute('href')).toBe('tel:+442079460118')
  expect(cells.getByText('Practice manager')).toBeTruthy()
})

test('a count beyond the limit is shown with a plus', async () => {
  mockServer({ ...routes, 'GET /api/contacts/count': { count: 1000, more: true } })
  await renderApp('/crm/contacts')
  expect(await screen.findByText('1,000+')).toBeTruthy()
})

test('a search is sent to the server and kept in the URL, without a history entry for each letter', async () => {
  const server = mockServer(routes)
  const { router } = await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Imara Vantongeren' })
  const entries = router.history.length
  for (const text of ['d', 'de', 'dental']) fireEvent.change(screen.getByRole('searchbox'), { target: { value: text } })
  await waitFor(() => expect(router.state.location.search).toEqual({ search: 'dental' }))
  await waitFor(() => expect(server.requestsTo('GET /api/contacts').at(-1)?.query).toMatchObject({ search: 'dental' }))
  expect(server.requestsTo('GET /api/contacts')).toHaveLength(2) // the first page, and one search for all letters
  expect(server.requestsTo('GET /api/contacts/count').at(-1)?.query).toEqual({ search: 'dental' })
  expect(router.history.length).toBe(entries)
})

test('a URL with a search and a sort opens the list with this search and this sort', async () => {
  const server = mockServer(routes)
  await renderApp('/crm/contacts?search=42&sort=company&order=desc')
  await screen.findByRole('link', { name: 'Imara Vantongeren' })
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('42')
  expect(server.requestsTo('GET /api/contacts')[0]?.query).toMatchObject({ search: '42', sort: 'company', order: 'desc' })
  expect(screen.getByRole('columnheader', { name: 'Company' }).getAttribute('aria-sort')).toBe('descending')
  expect(screen.getByRole('button', { name: 'Sort: Company, Z to A' })).toBeTruthy()
})

test('clicks on a column header sort ascending, then descending, then by the default order', async () => {
  const server = mockServer(routes)
  const { router } = await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Imara Vantongeren' })
  const sortByName = () => fireEvent.click(screen.getByRole('button', { name: 'Name' }))
  const getSortDirection = () => screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')
  expect(getSortDirection()).toBe('none')
  sortByName()
  await waitFor(() => expect(getSortDirection()).toBe('ascending'))
  sortByName()
  await waitFor(() => expect(getSortDirection()).toBe('descending'))
  expect(router.state.location.search).toEqual({ sort: 'name', order: 'desc' })
  await waitFor(() => expect(server.requestsTo('GET /api/contacts').at(-1)?.query).toMatchObject({ sort: 'name', order: 'desc' }))
  sortByName()
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

test('the sort menu changes the order', async () => {
  mockServer(routes)
  const { router } = await renderApp('/crm/contacts')
  fireEvent.click(await screen.findByRole('button', { name: 'Sort: Newest first' }))
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Email, A to Z' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'email' }))
})

test('an empty list describes contacts and offers to add one', async () => {
  mockServer({ ...routes, 'GET /api/contacts': makePage([]), 'GET /api/contacts/count': { count: 0, more: false } })
  await renderApp('/crm/contacts')
  expect(await screen.findByRole('heading', { name: 'The people you do business with' })).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'Add contact' })).toHaveLength(1)
  expect(screen.queryByRole('searchbox')).toBeNull()
})

test('a search without results can be cleared', async () => {
  mockServer({ ...routes, 'GET /api/contacts': ({ query }) => (query['search'] ? makePage([]) : threeContacts) })
  const { router } = await renderApp('/crm/contacts?search=nobody')
  expect(await screen.findByRole('heading', { name: 'Nothing found' })).toBeTruthy()
  expect(screen.getByText(/“nobody”/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(await screen.findByRole('link', { name: 'Imara Vantongeren' })).toBeTruthy()
  expect(router.state.location.search).toEqual({})
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('')
})

test('a list that failed to load shows the error and can be loaded again', async () => {
  const server = mockServer({ ...routes, 'GET /api/contacts': () => problemResponse('not_ready') })
  await renderApp('/crm/contacts')
  expect(await screen.findByRole('heading', { name: 'Contacts could not be loaded' })).toBeTruthy()
  expect(screen.getByText('The server is busy or starting. Please try again.')).toBeTruthy()
  server.setHandlers({ 'GET /api/contacts': threeContacts })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'Imara Vantongeren' })).toBeTruthy()
})

test('more contacts are loaded near the end of the list, and only the visible rows are rendered', async () => {
  const first = { rows: makeNumberedContacts(1, 40), next: 'after-40' }
  const second = { rows: makeNumberedContacts(40, 400), next: null } // Person 40 is on both pages
  const server = mockServer({ ...routes, 'GET /api/contacts': ({ query }) => (query['after'] ? second : first) })
  await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Person 1' })
  await waitFor(() => expect(server.requestsTo('GET /api/contacts').at(-1)?.query).toMatchObject({ after: 'after-40' }))
  await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('401')) // 400 contacts and the header
  expect(screen.getAllByRole('row').length).toBeLessThan(60)
})

test('when the next page of rows cannot be loaded, the earlier rows stay, and the user can try again', async () => {
  const first = { rows: makeNumberedContacts(1, 25), next: 'after-25' }
  const server = mockServer({ ...routes, 'GET /api/contacts': ({ query }) => (query['after'] ? problemResponse('not_ready') : first) })
  await renderApp('/crm/contacts')
  expect(await screen.findByText(/More contacts could not be loaded/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Person 1' })).toBeTruthy()
  server.setHandlers({ 'GET /api/contacts': ({ query }) => (query['after'] ? { rows: makeNumberedContacts(26, 30), next: null } : first) })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('31')) // 30 contacts and the header
  expect(screen.queryByText(/More contacts could not be loaded/)).toBeNull()
})

test('rows are loaded again when contacts change', async () => {
  const server = mockServer(routes)
  await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Imara Vantongeren' })
  const { queries } = await import('#web/lib/queries.ts')
  server.setHandlers({ 'GET /api/contacts': { rows: [{ ...toRow(imara), company: 'Somewhere Else' }], next: null } })
  await queries.invalidateQueries({ queryKey: ['crm_contacts'] }) // as after a live event about this table
  expect(await screen.findByText('Somewhere Else')).toBeTruthy()
})
