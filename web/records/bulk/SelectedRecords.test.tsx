import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeChangeSet, makeNumberedContacts, setElementSize, sixtyOfManyContacts } from '#web/contacts/testing.ts'
import { changeResponse, nora, problemResponse, renderApp, mockServer, setWindowWidth } from '#web/testing.ts'

/** The change set of a bulk action that has changed 512 contacts. */
const change = makeChangeSet({ count: 512 })
/** The list has loaded 60 contacts, "Person 1" to "Person 60", of more than 1,000. */
const routes = {
  'GET /api/session': nora,
  ...sixtyOfManyContacts,
  'GET /api/contacts/tags': { tags: [{ tag: 'VIP', count: 3 }] },
  'GET /api/changes/{id}': change,
}
const getPersonId = (number: number): string => makeNumberedContacts(number, number)[0]?.id ?? ''
const press = (key: string, modifiers: object = {}): void =>
  void fireEvent.keyDown(document.activeElement ?? document.body, { key, ...modifiers })
const clickButton = async (name: string | RegExp): Promise<void> => void fireEvent.click(await screen.findByRole('button', { name }))
const toggle = (name: string): void => void fireEvent.click(screen.getByRole('checkbox', { name }))
const waitForRows = () => screen.findByRole('link', { name: 'Person 1' })
const selectedLabels = (): string[] =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox', { name: /^Select Person/ })
    .filter(({ checked }) => checked)
    .map((box) => box.getAttribute('aria-label') ?? '')
const filter = [{ field: 'mailing_city', has: 'Lon' }]
const filteredAddress = `/crm/contacts?search=person&filter=${encodeURIComponent(JSON.stringify(filter))}`

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

function fillTitle(dialog: ReturnType<typeof within>, title: string): HTMLElement {
  fireEvent.change(dialog.getByRole('combobox', { name: 'Field' }), { target: { value: 'title' } })
  const field = dialog.getByRole('textbox', { name: 'Title' })
  fireEvent.change(field, { target: { value: title } })
  return field
}

async function selectAllMatching(): Promise<void> {
  await waitForRows()
  toggle('Select all that are loaded')
  expect(await screen.findByText('60 selected')).toBeTruthy()
  await clickButton('Select all 1,000+ contacts')
  expect(await screen.findByText('1,000+ selected')).toBeTruthy()
}

test('Shift and the arrow keys change the selection, Ctrl+A selects all loaded rows, and Escape clears the selection', async () => {
  mockServer(routes)
  await renderApp('/crm/contacts')
  await waitForRows()
  // the key J moves the focus to the first row, then to the next one
  press('j')
  press('j')
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Person 2'))
  press('ArrowDown', { shiftKey: true })
  await waitFor(() => expect(selectedLabels()).toEqual(['Select Person 2', 'Select Person 3']))
  press('J', { shiftKey: true })
  await waitFor(() => expect(selectedLabels()).toHaveLength(3))
  press('ArrowUp', { shiftKey: true })
  await waitFor(() => expect(selectedLabels()).toEqual(['Select Person 2', 'Select Person 3']))
  expect(document.activeElement?.textContent).toContain('Person 3')
  press('a', { ctrlKey: true })
  expect(await screen.findByText('60 selected')).toBeTruthy()
  press('Escape')
  await waitFor(() => expect(screen.queryByText(/selected/)).toBeNull())
})

test('a click with Shift selects all rows from the last selected row to the clicked one', async () => {
  mockServer(routes)
  await renderApp('/crm/contacts')
  await waitForRows()
  toggle('Select Person 2')
  const cell = screen.getByRole('link', { name: 'Person 4' }).closest('td')
  fireEvent.click(cell ?? document.body, { shiftKey: true })
  expect(selectedLabels()).toEqual(['Select Person 2', 'Select Person 3', 'Select Person 4'])
})

test('deleting all matching records sends the search and the filter, and the toast shows the number of deleted records', async () => {
  const server = mockServer({ ...routes, 'POST /api/contacts/bulk/delete': changeResponse('c-1') })
  await renderApp(filteredAddress)
  await selectAllMatching()
  await clickButton('Delete 1,000+ contacts')
  expect(await screen.findByText('512 contacts deleted')).toBeTruthy()
  expect(server.requestsTo('POST /api/contacts/bulk/delete')[0]?.body).toEqual({ matching: { search: 'person', filter } })
  expect(server.requestsTo('GET /api/changes/{id}')[0]?.params).toEqual({ id: 'c-1' })
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(screen.queryByText(/\d selected/)).toBeNull()
})

test('a new search clears the selection of all matching records', async () => {
  mockServer(routes)
  await renderApp('/crm/contacts?search=person')
  await selectAllMatching()
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'pers' } })
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Enter' })
  await waitFor(() => expect(screen.queryByText('1,000+ selected')).toBeNull())
})

test('deleting too many matching records shows an error, and they stay selected', async () => {
  mockServer({ ...routes, 'POST /api/contacts/bulk/delete': () => problemResponse('too_many') })
  await renderApp('/crm/contacts')
  await selectAllMatching()
  await clickButton('Delete 1,000+ contacts')
  expect((await screen.findByRole('alert')).textContent).toContain('These are too many at once. Narrow the filter and try again.')
  expect(await screen.findByText('1,000+ selected')).toBeTruthy()
})

test('the toast shows the number of changed records, not the number of selected ones', async () => {
  const server = mockServer({
    ...routes,
    'POST /api/contacts/bulk/edit': changeResponse('c-1'),
    'GET /api/changes/{id}': { ...change, count: 1 },
  })
  await renderApp('/crm/contacts')
  await waitForRows()
  toggle('Select Person 1')
  toggle('Select Person 3')
  const update = async (): Promise<void> => {
    await clickButton('Edit')
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit 2 contacts' }))
    fillTitle(dialog, 'Practice manager')
    fireEvent.click(dialog.getByRole('button', { name: 'Update 2 contacts' }))
  }
  await update()
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  // when the number cannot be loaded, the toast shows no number
  server.setHandlers({ 'GET /api/changes/{id}': () => problemResponse('not_ready') })
  await update()
  expect(await screen.findByText('Contacts updated')).toBeTruthy()
})

test('a bulk edit gives a field the same value in all selected records', async () => {
  const server = mockServer({
    ...routes,
    'POST /api/contacts/bulk/edit': changeResponse('c-1'),
    'GET /api/changes/{id}': { ...change, count: 2 },
  })
  await renderApp('/crm/contacts')
  await waitForRows()
  toggle('Select Person 1')
  toggle('Select Person 3')
  await clickButton('Edit')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit 2 contacts' }))
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Update 2 contacts' }).disabled).toBe(true)
  fireEvent.change(dialog.getByRole('combobox', { name: 'Field' }), { target: { value: 'lead_source' } })
  fireEvent.change(dialog.getByRole('combobox', { name: 'Lead source' }), { target: { value: 'Web' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Update 2 contacts' }))
  expect(await screen.findByText('2 contacts updated')).toBeTruthy()
  expect(server.requestsTo('POST /api/contacts/bulk/edit')[0]?.body).toEqual({
    ids: [getPersonId(1), getPersonId(3)],
    fields: { lead_source: 'Web' },
  })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByText('2 selected')).toBeTruthy()
})

test('a bulk edit clears a field in all matching records, and the toast shows their number', async () => {
  const server = mockServer({ ...routes, 'POST /api/contacts/bulk/edit': changeResponse('c-1') })
  await renderApp(filteredAddress)
  await selectAllMatching()
  await clickButton('Edit')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit 1,000+ contacts' }))
  fireEvent.change(dialog.getByRole('combobox', { name: 'Field' }), { target: { value: 'company_id' } })
  fireEvent.click(dialog.getByRole('checkbox', { name: 'Clear this field in 1,000+ contacts' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Update 1,000+ contacts' }))
  expect(await screen.findByText('512 contacts updated')).toBeTruthy()
  expect(server.requestsTo('POST /api/contacts/bulk/edit')[0]?.body).toEqual({
    matching: { search: 'person', filter },
    fields: { company_id: null, company: '' },
  })
})

test('a bulk edit offers one field with the label Company, which links a company', async () => {
  mockServer({ ...routes, 'GET /api/companies': { rows: [], next: null } })
  await renderApp('/crm/contacts')
  await waitForRows()
  toggle('Select Person 1')
  await clickButton('Edit')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit 1 contact' }))
  const fields = within(dialog.getByRole('combobox', { name: 'Field' })).getAllByRole<HTMLOptionElement>('option')
  expect(fields.filter(({ text }) => /company/i.test(text)).map(({ value, text }) => [value, text])).toEqual([['company_id', 'Company']])
  expect(dialog.getByRole('combobox', { name: 'Company' })).toBeTruthy()
})

test.each([
  ['some rows remain', makeNumberedContacts(3, 60), () => screen.getByRole('link', { name: 'Person 3' }).closest('tr')],
  ['no rows remain', [], () => screen.getByRole('button', { name: 'Clear search' })],
])(
  'a change that removes all selected rows from the list keeps the focus in the list: %s',
  async (_case, remainingRows, getExpectedFocus) => {
    const server = mockServer({
      ...routes,
      'GET /api/contacts': { rows: makeNumberedContacts(1, 60), next: null },
      'POST /api/contacts/bulk/edit': changeResponse('c-1'),
    })
    await renderApp('/crm/contacts?search=person')
    await waitForRows()
    toggle('Select Person 1')
    toggle('Select Person 2')
    await clickButton('Edit')
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit 2 contacts' }))
    fillTitle(dialog, 'Practice manager').focus()
    server.setHandlers({
      'GET /api/contacts': { rows: remainingRows, next: null },
      'GET /api/contacts/count': { count: remainingRows.length, more: false },
    })
    fireEvent.click(dialog.getByRole('button', { name: 'Update 2 contacts' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(getExpectedFocus()))
  },
)

test('the dialog shows the error of an invalid value, and a toast says when no record was changed', async () => {
  const refuseTitle = () => problemResponse('invalid', { fields: { 'fields.title': 'At most 200 characters' } })
  const server = mockServer({ ...routes, 'POST /api/contacts/bulk/edit': refuseTitle })
  await renderApp('/crm/contacts')
  await waitForRows()
  toggle('Select Person 1')
  await clickButton('Edit')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit 1 contact' }))
  fillTitle(dialog, 'Practice manager')
  fireEvent.click(dialog.getByRole('button', { name: 'Update 1 contact' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('At most 200 characters')
  // status 204 without the id of a change: the records have this value already
  server.setHandlers({ 'POST /api/contacts/bulk/edit': undefined })
  fireEvent.click(dialog.getByRole('button', { name: 'Update 1 contact' }))
  expect(await screen.findByText('Nothing to change')).toBeTruthy()
})

test('tags are added to and removed from selected records', async () => {
  const server = mockServer({ ...routes, 'POST /api/contacts/bulk/tag': changeResponse('c-1') })
  await renderApp('/crm/contacts')
  await waitForRows()
  toggle('Select Person 2')
  await clickButton('Tag')
  const dialog = within(await screen.findByRole('dialog', { name: 'Tag 1 contact' }))
  const add = dialog.getByRole('combobox', { name: 'Add tags' })
  fireEvent.change(add, { target: { value: 'Fair 2026' } })
  fireEvent.keyDown(add, { key: 'Enter' })
  const remove = dialog.getByRole('combobox', { name: 'Remove tags' })
  remove.focus()
  fireEvent.change(remove, { target: { value: 'VIP' } })
  fireEvent.keyDown(remove, { key: 'Enter' })
  fireEvent.click(dialog.getByRole('button', { name: 'Tag 1 contact' }))
  expect(await screen.findByText('Contact tagged')).toBeTruthy()
  expect(server.requestsTo('POST /api/contacts/bulk/tag')[0]?.body).toEqual({ ids: [getPersonId(2)], add: ['Fair 2026'], remove: ['VIP'] })
})

test('all matching records are exported as CSV, and the selected ones as vCards', async () => {
  const fileNames: string[] = []
  const fileContents: Blob[] = []
  const revoke = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  const timeouts = vi.spyOn(globalThis, 'setTimeout')
  vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    if (content instanceof Blob) fileContents.push(content)
    return 'blob:foyer'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    fileNames.push(this.download)
  })
  const respondWithFile = (name: string, type: string) => () =>
    new Response('first_name\r\nPerson\r\n', { headers: { 'content-type': type, 'content-disposition': `attachment; filename=${name}` } })
  const server = mockServer({
    ...routes,
    'POST /api/contacts/export': respondWithFile('contacts.csv', 'text/csv'),
    'POST /api/contacts/export-cards': respondWithFile('contacts.vcf', 'text/vcard'),
  })
  await renderApp(`${filteredAddress}&sort=name&order=desc`)
  await waitForRows()
  await clickButton('Export')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Export as CSV' }))
  expect(await screen.findByText('contacts.csv')).toBeTruthy()
  expect(await fileContents[0]?.text()).toBe('first_name\r\nPerson\r\n')
  expect(revoke).not.toHaveBeenCalled() // the browser may still read the file
  // the URL of the file is revoked after 60 s
  const [revokeUrl] = timeouts.mock.calls.find(([, delayMs]) => delayMs === 60_000) ?? []
  if (typeof revokeUrl === 'function') revokeUrl()
  expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:foyer')
  const [exportRequest] = server.requestsTo('POST /api/contacts/export')
  expect(exportRequest?.body).toEqual({ matching: { search: 'person', filter }, sort: 'name', order: 'desc' })
  toggle('Select Person 3')
  fireEvent.click(within(screen.getByRole('region', { name: 'Selection' })).getByRole('button', { name: 'Export' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Export as vCards' }))
  expect(await screen.findByText('contacts.vcf')).toBeTruthy()
  expect(server.requestsTo('POST /api/contacts/export-cards')[0]?.body).toEqual({ ids: [getPersonId(3)] })
  expect(fileNames).toEqual(['contacts.csv', 'contacts.vcf'])
})

test('an export that fails shows an error', async () => {
  mockServer({ ...routes, 'POST /api/contacts/export': () => problemResponse('not_ready') })
  await renderApp('/crm/contacts')
  await waitForRows()
  await clickButton('Export')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Export as CSV' }))
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy or starting')
})
