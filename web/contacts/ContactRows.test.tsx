import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { changeResponse, nora, problemResponse, renderApp, mockServer, setWindowWidth } from '#web/testing.ts'
import { bastian, makeChangeSet, makeNumberedContacts, setElementSize, imara, makePage, sunniva } from './testing.ts'

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
/** Returns the name in the focused row, or the label of the focused field. */
const getFocusedName = () => document.activeElement?.querySelector('a')?.textContent ?? document.activeElement?.getAttribute('aria-label')
const press = (key: string): void => void fireEvent.keyDown(document.activeElement ?? document.body, { key })

beforeEach(setElementSize)

test('deleting removes the row immediately and shows a toast with Undo', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const server = mockServer({
    ...routes,
    'DELETE /api/contacts/{id}': () => promise,
    'POST /api/changes/{id}/undo': changeResponse('c-2', makeChangeSet({ count: 1 })),
  })
  await renderApp('/crm/contacts')
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Bastian Ollerquist' }))
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Bastian Ollerquist' })).toBeNull())
  server.setHandlers({ 'GET /api/contacts': makePage([imara, sunniva]) })
  resolve(changeResponse('c-1'))
  expect(await screen.findByText('Contact deleted')).toBeTruthy()
  expect(server.requestsTo('DELETE /api/contacts/{id}')[0]?.params).toEqual({ id: bastian.id })
  server.setHandlers({ 'GET /api/contacts': threeContacts })
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('link', { name: 'Bastian Ollerquist' })).toBeTruthy()
  expect(server.requestsTo('POST /api/changes/{id}/undo')[0]?.params).toEqual({ id: 'c-1' })
})

test('a failed delete restores the row and shows the error', async () => {
  mockServer({ ...routes, 'DELETE /api/contacts/{id}': () => problemResponse('too_many_requests') })
  await renderApp('/crm/contacts')
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Bastian Ollerquist' }))
  const toast = await screen.findByRole('alert')
  // the title “Error”, then the message
  expect(toast.textContent).toBe('ErrorToo many tries. Please wait a moment.')
  expect(screen.getByRole('link', { name: 'Bastian Ollerquist' })).toBeTruthy()
})

test('rows that were selected as a range with Shift are deleted in one change', async () => {
  const server = mockServer({
    ...routes,
    'POST /api/contacts/bulk/delete': changeResponse('c-1'),
    'GET /api/changes/{id}': makeChangeSet({ count: 2 }),
  })
  await renderApp('/crm/contacts')
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Imara Vantongeren' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Sunniva Thackerly' }), { shiftKey: true })
  expect(await screen.findByText('3 selected')).toBeTruthy()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Bastian Ollerquist' })) // deselects this row
  server.setHandlers({ 'GET /api/contacts': makePage([bastian]) })
  fireEvent.click(screen.getByRole('button', { name: 'Delete 2 contacts' }))
  expect(await screen.findByText('2 contacts deleted')).toBeTruthy()
  expect(server.requestsTo('POST /api/contacts/bulk/delete')[0]?.body).toEqual({ ids: [imara.id, sunniva.id] })
  expect(screen.queryByText(/selected/)).toBeNull()
})

test('the checkbox in the header selects and deselects all rows', async () => {
  mockServer(routes)
  await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Imara Vantongeren' })
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all that are loaded' }))
  expect(await screen.findByText('3 selected')).toBeTruthy()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all that are loaded' }))
  expect(screen.queryByText('3 selected')).toBeNull()
})

test('the checkbox in the header is disabled until rows are loaded', async () => {
  const rows = Promise.withResolvers<object>()
  mockServer({ ...routes, 'GET /api/contacts': () => rows.promise })
  await renderApp('/crm/contacts')
  const checkbox = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Select all that are loaded' })
  expect(checkbox.disabled).toBe(true)
  rows.resolve(threeContacts)
  await waitFor(() => expect(checkbox.disabled).toBe(false))
})

test('deleting all 1,002 loaded contacts sends the search instead of their ids, because a request may contain at most 1,000 ids', async () => {
  const server = mockServer({
    ...routes,
    'GET /api/contacts': { rows: makeNumberedContacts(1, 1002), next: null },
    'POST /api/contacts/bulk/delete': changeResponse('c-1'),
    'GET /api/changes/{id}': makeChangeSet({ count: 1002 }),
  })
  await renderApp('/crm/contacts?search=person')
  await screen.findByRole('link', { name: 'Person 1' })
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all that are loaded' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Person 1' })) // deselects one, so the search does not describe the selection
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete at most 1,000 at once' }).disabled).toBe(true)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Edit' }).disabled).toBe(true)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Person 1' }))
  fireEvent.click(screen.getByRole('button', { name: 'Delete 1,002 contacts' }))
  expect(await screen.findByText('1,002 contacts deleted')).toBeTruthy()
  expect(server.requestsTo('POST /api/contacts/bulk/delete')[0]?.body).toEqual({ matching: { search: 'person', filter: [] } })
})

test('shortcuts move through the rows, and select, delete and edit the focused row', async () => {
  const server = mockServer({
    ...routes,
    'GET /api/contacts/{id}': imara,
    'GET /api/changes': { rows: [], next: null },
    'DELETE /api/contacts/{id}': changeResponse('c-1'),
  })
  const { router } = await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Imara Vantongeren' })
  press('j')
  await waitFor(() => expect(getFocusedName()).toBe('Imara Vantongeren'))
  press('ArrowDown')
  await waitFor(() => expect(getFocusedName()).toBe('Bastian Ollerquist'))
  press('End')
  await waitFor(() => expect(getFocusedName()).toBe('Sunniva Thackerly'))
  press('k')
  await waitFor(() => expect(getFocusedName()).toBe('Bastian Ollerquist'))
  press('x')
  expect(await screen.findByText('1 selected')).toBeTruthy()
  press('Escape')
  await waitFor(() => expect(screen.queryByText('1 selected')).toBeNull())
  server.setHandlers({ 'GET /api/contacts': makePage([imara, sunniva]) })
  press('Delete')
  expect(await screen.findByText('Contact deleted')).toBeTruthy()
  expect(server.requestsTo('DELETE /api/contacts/{id}')[0]?.params).toEqual({ id: bastian.id })
  await waitFor(() => expect(getFocusedName()).toBe('Sunniva Thackerly'))
  press('e')
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/edit/${sunniva.id}`))
})

test('Enter opens the row, and so does a click outside of its links', async () => {
  mockServer({ ...routes, 'GET /api/contacts/{id}': imara, 'GET /api/changes': { rows: [], next: null } })
  const { router } = await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Imara Vantongeren' })
  press('j')
  await waitFor(() => expect(getFocusedName()).toBe('Imara Vantongeren'))
  press('Enter')
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/${imara.id}`))
  router.history.back()
  await screen.findByRole('link', { name: 'Bastian Ollerquist' })
  fireEvent.click(screen.getByText('Harrowmere Hotel')) // the company in the row of Bastian
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/${bastian.id}`))
})

test('the shortcut n opens the form of a new contact, / focuses the search, and ? lists all shortcuts', async () => {
  mockServer(routes)
  const { router } = await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Imara Vantongeren' })
  press('/')
  expect(getFocusedName()).toBe('Search contacts')
  press('n') // has no effect, because the user is typing in the search field
  expect(router.state.location.pathname).toBe('/crm/contacts')
  press('Escape')
  press('?')
  const help = await screen.findByRole('dialog')
  for (const label of ['Add contact', 'Search contacts', 'Next contact', 'Open contact', 'Edit contact', 'Select contact'])
    expect(within(help).getByText(label)).toBeTruthy()
  fireEvent.keyDown(help, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.keyDown(document.body, { key: 'n' })
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/contacts/new'))
})

test('the menu of a row has items to edit, write to, call, select and delete the contact', async () => {
  mockServer(routes)
  await renderApp('/crm/contacts')
  fireEvent.click(await screen.findByRole('button', { name: 'More for Imara Vantongeren' }))
  const menu = await screen.findByRole('menu')
  // each label is followed by its shortcut, such as E
  expect(
    within(menu)
      .getAllByRole('menuitem')
      .map((entry) => entry.textContent),
  ).toEqual(['Edit contactE', 'Send email', 'Call', 'SelectX', 'Delete contactDel'])
  fireEvent.click(within(menu).getByRole('menuitem', { name: /Select/ }))
  expect(await screen.findByText('1 selected')).toBeTruthy()
  expect(getFocusedName()).toBe('More for Imara Vantongeren')
})

test('an email address can be copied', async () => {
  const copiedTexts: string[] = []
  const clipboard = { writeText: async (text: string) => copiedTexts.push(text) }
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard })
  mockServer(routes)
  await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Imara Vantongeren' })
  fireEvent.click(within(getRow('Imara Vantongeren')).getByRole('button', { name: 'Copy email' }))
  expect(await screen.findByText('Copied!')).toBeTruthy()
  expect(copiedTexts).toEqual(['imara@quillstone.example'])
})

test('a contact without a phone number shows its mobile number in the list and in the menu', async () => {
  mockServer({ ...routes, 'GET /api/contacts': makePage([{ ...bastian, mobile_phone: '+44 7700 900 118' }]) })
  await renderApp('/crm/contacts')
  const link = await screen.findByRole('link', { name: '+44 7700 900 118' })
  expect(link.getAttribute('href')).toBe('tel:+447700900118')
  fireEvent.click(screen.getByRole('button', { name: 'More for Bastian Ollerquist' }))
  expect((await screen.findByRole('menuitem', { name: 'Call' })).getAttribute('href')).toBe('tel:+447700900118')
})

test('on a phone, a tap on a row selects or deselects the row while any row is selected', async () => {
  setWindowWidth(390)
  mockServer(routes)
  const { router } = await renderApp('/crm/contacts')
  fireEvent.click(await screen.findByRole('button', { name: 'More for Imara Vantongeren' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: /Select/ }))
  expect(await screen.findByText('1 selected')).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: 'Bastian Ollerquist' }))
  expect(await screen.findByText('2 selected')).toBeTruthy()
  fireEvent.click(getRow('Bastian Ollerquist'))
  expect(await screen.findByText('1 selected')).toBeTruthy()
  expect(router.state.location.pathname).toBe('/crm/contacts')
})
