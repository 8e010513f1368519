import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { makeNumberedContacts, setElementSize, imara, makePage, bastian, sunniva } from '#web/contacts/testing.ts'
import { queries } from '#web/lib/queries.ts'
import { nora, problemResponse, renderApp, mockServer, setWindowWidth } from '#web/testing.ts'

const routes = {
  'GET /api/session': nora,
  'GET /api/contacts': makePage([imara, bastian, sunniva]),
  'GET /api/contacts/count': { count: 3, more: false },
  'GET /api/contacts/tags': {
    tags: [
      { tag: 'Fair 2026', count: 12 },
      { tag: 'VIP', count: 3 },
    ],
  },
  'GET /api/companies': {
    rows: [
      {
        id: '01930000-0000-7000-8000-0000000000a1',
        name: 'Quillstone Dental',
        industry: 'Health',
        website: '',
        phone: '',
        email: '',
        employees_count: null,
        tags: [],
        created_at: imara.created_at,
        version: 1,
      },
    ],
    next: null,
  },
  'GET /api/views': { rows: [] },
}
const desktopWidth = 1280
const press = (key: string): void => void fireEvent.keyDown(document.activeElement ?? document.body, { key })
const typeInto = (name: string, value: string): void => void fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } })
const clickButton = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }))
const waitForRows = () => screen.findByRole('link', { name: /Imara Vantongeren|Person 1/ })

async function filterBy(field: string): Promise<void> {
  clickButton('Filter')
  const fields = await screen.findByRole('textbox', { name: 'Filter by' })
  fireEvent.change(fields, { target: { value: field } })
  fireEvent.keyDown(fields, { key: 'Enter' })
  await screen.findByRole('form', { name: field })
}

beforeEach(() => {
  setElementSize()
  setWindowWidth(desktopWidth)
})

test('a filter is added by keyboard and stored in the URL, and Back removes it', async () => {
  const server = mockServer(routes)
  const { router } = await renderApp('/crm/contacts?search=dental')
  await waitForRows()
  fireEvent.keyDown(document.body, { key: 'f' })
  fireEvent.change(await screen.findByRole('textbox', { name: 'Filter by' }), { target: { value: 'cit' } })
  press('Enter')
  await screen.findByRole('form', { name: 'City' })
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'City contains' }))
  typeInto('City contains', 'Lon')
  press('Enter')
  await waitFor(() => expect(screen.queryByRole('form', { name: 'City' })).toBeNull())
  const filter = [{ field: 'mailing_city', has: 'Lon' }]
  await waitFor(() => expect(router.state.location.search).toEqual({ search: 'dental', filter }))
  await waitFor(() => expect(server.requestsTo('GET /api/contacts').at(-1)?.query).toMatchObject({ filter: JSON.stringify(filter) }))
  expect(server.requestsTo('GET /api/contacts/count').at(-1)?.query).toEqual({ search: 'dental', filter: JSON.stringify(filter) })
  expect(await screen.findByRole('button', { name: 'City contains “Lon”' })).toBeTruthy()
  router.history.back()
  await waitFor(() => expect(router.state.location.search).toEqual({ search: 'dental' }))
  expect(screen.queryByText(/contains/)).toBeNull()
})

test('a URL with filters opens the filtered list; filters on unknown fields are ignored', async () => {
  const server = mockServer(routes)
  const knownConditions = [
    { field: 'lead_source', is: ['Web', 'Other'] },
    { field: 'created_at', from: '2026-11-01' },
    { field: 'department', empty: true },
  ]
  await renderApp(`/crm/contacts?filter=${encodeURIComponent(JSON.stringify([...knownConditions, { field: 'unknown_field', from: 44 }]))}`)
  await waitForRows()
  expect(server.requestsTo('GET /api/contacts')[0]?.query).toMatchObject({ filter: JSON.stringify(knownConditions) })
  for (const name of ['Lead source Web or Other', 'Added from 1 Nov', 'Department is empty'])
    expect(await screen.findByRole('button', { name })).toBeTruthy()
})

test('a click on the text of a filter edits the filter, and a click on its cross removes the filter', async () => {
  mockServer(routes)
  const { router } = await renderApp(`/crm/contacts?filter=${encodeURIComponent(JSON.stringify([{ field: 'lead_source', is: ['Web'] }]))}`)
  await waitForRows()
  fireEvent.click(await screen.findByRole('button', { name: 'Lead source Web' }))
  await screen.findByRole('form', { name: 'Lead source' })
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Web' }).checked).toBe(true)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Partner Referral' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ filter: [{ field: 'lead_source', is: ['Web', 'Partner Referral'] }] }))
  expect(await screen.findByRole('button', { name: 'Lead source Web or Partner Referral' })).toBeTruthy()
  fireEvent.change(screen.getByRole('combobox', { name: /Lead source/ }), { target: { value: 'notEmpty' } })
  await waitFor(() => expect(router.state.location.search).toEqual({ filter: [{ field: 'lead_source', empty: false }] }))
  clickButton('Remove the filter by Lead source')
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

const closeMenu = async (): Promise<void> => {
  press('Escape')
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull())
}

test('several ticks in a filter send one request shortly after the last tick, or at once when the menu closes', async () => {
  const server = mockServer(routes)
  const { router } = await renderApp('/crm/contacts')
  await waitForRows()
  await filterBy('Lead source')
  for (const name of ['Web', 'Other']) fireEvent.click(screen.getByRole('checkbox', { name }))
  await waitFor(() => expect(router.state.location.search).toEqual({ filter: [{ field: 'lead_source', is: ['Web', 'Other'] }] }))
  expect(screen.getByRole('form', { name: 'Lead source' })).toBeTruthy()
  const filters = server.requestsTo('GET /api/contacts').map(({ query }) => query['filter'])
  expect(filters.filter((filter) => filter !== undefined)).toEqual(['[{"field":"lead_source","is":["Web","Other"]}]'])
  fireEvent.click(screen.getByRole('checkbox', { name: 'Partner Referral' }))
  await closeMenu()
  expect(router.state.location.search).toEqual({ filter: [{ field: 'lead_source', is: ['Web', 'Other', 'Partner Referral'] }] })
  expect(await screen.findByRole('button', { name: 'Lead source Web, Other or Partner Referral' })).toBeTruthy()
  router.history.back()
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

test('unticking a choice removes it from the filter, and the menu stays open when no choice is ticked', async () => {
  mockServer(routes)
  const filter = [
    { field: 'lead_source', is: ['Web'] },
    { field: 'mailing_city', has: 'Lon' },
  ]
  const { router } = await renderApp(`/crm/contacts?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  await waitForRows()
  fireEvent.click(await screen.findByRole('button', { name: 'Lead source Web' }))
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Web' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ filter: filter.slice(1) }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Other' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ filter: [{ field: 'lead_source', is: ['Other'] }, filter[1]] }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Other' }))
  await closeMenu()
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Lead source/ })).toBeNull())
  expect(router.state.location.search).toEqual({ filter: filter.slice(1) })
})

test('a typed filter takes effect when the user leaves its input, and Escape discards text that has not taken effect', async () => {
  mockServer(routes)
  const { router } = await renderApp('/crm/contacts')
  await waitForRows()
  await filterBy('City')
  typeInto('City contains', 'Lon')
  act(() => screen.getByRole('textbox', { name: 'City contains' }).blur())
  const filter = [{ field: 'mailing_city', has: 'Lon' }]
  await waitFor(() => expect(router.state.location.search).toEqual({ filter }))
  act(() => screen.getByRole('textbox', { name: 'City contains' }).focus())
  typeInto('City contains', 'London')
  await closeMenu()
  expect(router.state.location.search).toEqual({ filter })
})

test('a text that is no date has no effect as a filter, and an error shows how dates are typed', async () => {
  mockServer(routes)
  const { router } = await renderApp('/crm/contacts')
  await waitForRows()
  await filterBy('Added')
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '11/20/2026' } })
  press('Enter')
  expect(await screen.findByText(/^Enter a date as day\/month\/year, like 31\/12\/\d{4}$/)).toBeTruthy()
  expect(router.state.location.search).toEqual({})
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '20.11.2026' } })
  expect(screen.queryByText(/^Enter a date/)).toBeNull()
  press('Enter')
  await waitFor(() => expect(router.state.location.search).toEqual({ filter: [{ field: 'created_at', from: '2026-11-20' }] }))
})

test('a list can be filtered by tags, dates and links, each with its own editor', async () => {
  mockServer(routes)
  const { router } = await renderApp('/crm/contacts')
  await waitForRows()
  await filterBy('Tags')
  fireEvent.click(await screen.findByRole('checkbox', { name: 'VIP' }))
  await closeMenu()
  expect(await screen.findByRole('button', { name: 'Tags VIP' })).toBeTruthy()
  await filterBy('Added')
  // the bounds are swapped, because the first one is later
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '20/11/2026' } })
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '1/11/2026' } })
  press('Enter')
  expect(await screen.findByRole('button', { name: 'Added 1 Nov to 20 Nov' })).toBeTruthy()
  await filterBy('Company')
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Quillstone Dental' }))
  await waitFor(() =>
    expect(router.state.location.search).toEqual({
      filter: [
        { field: 'tags', is: ['VIP'] },
        { field: 'created_at', from: '2026-11-01', to: '2026-11-20' },
        { field: 'company_id', is: ['01930000-0000-7000-8000-0000000000a1'] },
      ],
    }),
  )
})

test.each([
  [1200, 'Name Email Phone Company Title Notes'],
  [1024, 'Name Email Phone Company Title'],
  [860, 'Name Email Phone Company Title'],
  [800, 'Name Email Phone'],
])('a list in a window of %d px shows the columns that fit: %s', async (width, names) => {
  setWindowWidth(width)
  mockServer(routes)
  await renderApp('/crm/contacts')
  await waitForRows()
  const headers = screen.getAllByRole('columnheader').slice(1, -1) // without the checkbox and the actions
  expect(headers.map((header) => header.textContent).join(' ')).toBe(names)
})

test('a list without results shows the filter and a button that clears the filter', async () => {
  mockServer({ ...routes, 'GET /api/contacts': ({ query }) => (query['filter'] ? makePage([]) : makePage([imara])) })
  const { router } = await renderApp(`/crm/contacts?filter=${encodeURIComponent('[{"field":"mailing_city","has":"Leeds"}]')}`)
  expect(await screen.findByText('There is no contact here with these filters: City contains “Leeds”.')).toBeTruthy()
  clickButton('Clear filter')
  await waitForRows()
  expect(router.state.location.search).toEqual({})
})

test('columns are selected in the menu and stored in the URL', async () => {
  mockServer({ ...routes, 'GET /api/contacts': makePage([{ ...imara, tags: ['VIP', 'Fair 2026'] }]) })
  const { router } = await renderApp('/crm/contacts')
  await waitForRows()
  const getHeaders = () => screen.getAllByRole('columnheader').map((header) => header.textContent)
  const button = screen.getByRole('button', { name: 'Columns' })
  button.focus()
  fireEvent.click(button)
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Tags' }))
  await waitFor(() => expect(getHeaders()).toContain('Tags'))
  expect(screen.getByText('VIP')).toBeTruthy()
  for (const name of ['Email', 'Phone', 'Notes']) fireEvent.click(screen.getByRole('menuitemcheckbox', { name }))
  await waitFor(() => expect(getHeaders()).toEqual(['', 'Name', 'Company', 'Title', 'Tags', 'Actions']))
  expect(router.state.location.search).toEqual({ columns: 'company,title,tags' })
  const reset = screen.getByRole('menuitem', { name: 'Show the usual columns' })
  reset.focus()
  fireEvent.click(reset)
  await waitFor(() => expect(getHeaders()).toEqual(['', 'Name', 'Email', 'Phone', 'Company', 'Title', 'Notes', 'Actions']))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Columns' })))
})

test('on a phone the filters are in a drawer at the bottom of the screen', async () => {
  setWindowWidth(390)
  mockServer(routes)
  const { router } = await renderApp('/crm/contacts')
  await waitForRows()
  await filterBy('City')
  typeInto('City contains', 'Lon')
  clickButton('Done')
  const sheet = await screen.findByRole('dialog', { name: 'Filters' })
  expect(await within(sheet).findByRole('button', { name: 'City contains “Lon”' })).toBeTruthy()
  fireEvent.click(within(sheet).getByRole('button', { name: 'Show contacts' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('button', { name: 'Filter, 1 in use' })).toBeTruthy()
  expect(router.state.location.search).toEqual({ filter: [{ field: 'mailing_city', has: 'Lon' }] })
})

test('when another tab has changed contacts, the rows are refreshed and the selection stays', async () => {
  const server = mockServer({ ...routes, 'GET /api/contacts': { rows: makeNumberedContacts(1, 3), next: null } })
  await renderApp('/crm/contacts')
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Person 2' }))
  server.setHandlers({ 'GET /api/contacts': { rows: [...makeNumberedContacts(9, 9), ...makeNumberedContacts(1, 2)], next: null } })
  const { refreshTables } = await import('#web/lib/queries.ts')
  await refreshTables(['crm_contacts']) // as after a live event of the other tab
  expect(await screen.findByRole('link', { name: 'Person 9' })).toBeTruthy()
  expect(await screen.findByText('1 selected')).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select Person 2' }).checked).toBe(true)
})

test('when the refetch of an empty list fails, the user can try again', async () => {
  const server = mockServer({ ...routes, 'GET /api/contacts': makePage([]) })
  await renderApp('/crm/contacts?search=nobody')
  await screen.findByText('Nothing found')
  server.setHandlers({ 'GET /api/contacts': () => problemResponse('too_many_requests') })
  void queries.invalidateQueries()
  await screen.findByText('Contacts could not be loaded')
  server.setHandlers({ 'GET /api/contacts': makePage([imara]) })
  clickButton('Try again')
  expect(await waitForRows()).toBeTruthy()
})
