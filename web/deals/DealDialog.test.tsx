import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { CompanyRow, emptyCompany, type Company } from '#contract/companies.ts'
import type { Contact } from '#contract/contacts.ts'
import { imara as imaraWithoutLink, toRow } from '#web/contacts/testing.ts'
import { changeResponse, nora, problemResponse, renderApp } from '#web/testing.ts'
import { barRefit, changeId, setElementSize, mockServerWith, waitingRoom } from './testing.ts'

beforeEach(setElementSize)

const update = 'PATCH /api/deals/{id}' // these requests contain the version of the deal, which is 3 for all deals of these tests
const editAddress = `/crm/deals/${waitingRoom.id}/edit`
const getField = (name: string): HTMLInputElement => screen.getByRole('textbox', { name })
const type = (name: string, value: string) => fireEvent.change(getField(name), { target: { value } })
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save deal' }))
/** Waits until the dialog with the form is open. */
const findDialog = async (name = 'Edit deal') => {
  await screen.findByRole('textbox', { name: 'Title' })
  return screen.getByRole('dialog', { name })
}
const systemFields = { created_at: '2026-11-01T09:00:00.000Z', updated_at: '2026-11-01T09:00:00.000Z', version: 1 }
const quillstone: Company = { ...emptyCompany, ...systemFields, id: '01930000-0000-7000-8000-0000000000a1', name: 'Quillstone Dental' }
const imara: Contact = { ...imaraWithoutLink, company_id: quillstone.id }
const imaraRow = toRow(imara)

test('an edit sends only the changed fields, with numbers as numbers and empty fields as null', async () => {
  const server = mockServerWith(waitingRoom)
  const { router } = await renderApp(editAddress)
  await findDialog()
  expect(getField('Value optional').value).toBe('26,400')
  expect(getField('Probability optional').placeholder).toBe('50') // the usual probability of the stage Proposal
  type('Value optional', '27,500.50')
  type('Probability optional', '60')
  fireEvent.change(screen.getByLabelText('Close date optional'), { target: { value: '' } })
  save()
  expect(await screen.findByText('Deal updated')).toBeTruthy()
  expect(server.requestsTo(update)[0]?.body).toEqual({ value: 27_500.5, probability: 60, expected_close_date: null, version: 3 })
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/deals/${waitingRoom.id}`))
})

test('invalid values show errors under their fields, and the first invalid field gets the focus', async () => {
  const server = mockServerWith(waitingRoom)
  await renderApp(editAddress)
  await findDialog()
  type('Value optional', 'a lot')
  type('Probability optional', '12.5')
  type('Title', ' ')
  save()
  expect(await screen.findByText('Enter a number like 1,284.50')).toBeTruthy()
  expect(screen.getByText('Enter a whole number like 12')).toBeTruthy()
  expect(screen.getByText('Enter a title')).toBeTruthy()
  expect(document.activeElement).toBe(getField('Title'))
  expect(server.requestsTo(update)).toEqual([])
})

test.each(['0026-11-25', '2200-01-01'])('the close date %s shows an error under the field and focuses it', async (date) => {
  const server = mockServerWith(waitingRoom)
  await renderApp(editAddress)
  await findDialog()
  fireEvent.change(screen.getByLabelText('Close date optional'), { target: { value: date } })
  save()
  expect(await screen.findByText('Enter a date from 1900 to 2199, with all four digits of the year')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Close date optional'))
  expect(server.requestsTo(update)).toEqual([])
})

test('the close date is shown and typed in the format of the country of the profile, and a date in another format shows an error', async () => {
  const server = mockServerWith({ ...waitingRoom, expected_close_date: '2026-11-25' })
  server.setHandlers({ 'GET /api/session': { ...nora, profile: { ...nora.profile, country: 'DE' } } })
  await renderApp(editAddress)
  await findDialog()
  const field = screen.getByLabelText<HTMLInputElement>('Close date optional')
  expect(field.value).toBe('25.11.2026')
  expect(field.placeholder).toBe('dd.mm.yyyy')
  fireEvent.change(field, { target: { value: '12/31/2026' } })
  save()
  expect(await screen.findByText(/^Enter a date as day\.month\.year, like 31\.12\.\d{4}$/)).toBeTruthy()
  expect(document.activeElement).toBe(field)
  expect(field.value).toBe('12/31/2026')
  fireEvent.change(field, { target: { value: '1.12.26' } })
  act(() => field.blur())
  expect(field.value).toBe('01.12.2026')
  save()
  await waitFor(() => expect(server.requestsTo(update)[0]?.body).toEqual({ expected_close_date: '2026-12-01', version: 3 }))
})

test('a stored close date out of range does not prevent other edits', async () => {
  const server = mockServerWith({ ...waitingRoom, expected_close_date: '0026-11-25' })
  await renderApp(editAddress)
  await findDialog()
  type('Title', 'Waiting rooms')
  save()
  expect(await screen.findByText('Deal updated')).toBeTruthy()
  expect(server.requestsTo(update)[0]?.body).toEqual({ title: 'Waiting rooms', version: 3 })
})

test('tags are added with Enter or by selecting an option, and are sent as a list', async () => {
  const server = mockServerWith(waitingRoom)
  server.setHandlers({ 'GET /api/deals/tags': { tags: [{ tag: 'Rush', count: 4 }] } })
  await renderApp(editAddress)
  const tags = within(await findDialog()).getByRole('combobox', { name: 'Tags optional' })
  act(() => tags.focus())
  fireEvent.change(tags, { target: { value: 'Autumn' } })
  fireEvent.keyDown(tags, { key: 'Enter', code: 'Enter' })
  expect(await screen.findByText('Autumn')).toBeTruthy()
  fireEvent.click(tags)
  fireEvent.click(await screen.findByRole('option', { name: 'Rush' }))
  save()
  expect(await screen.findByText('Deal updated')).toBeTruthy()
  expect(server.requestsTo(update)[0]?.body).toEqual({ tags: ['Oak', 'Autumn', 'Rush'], version: 3 })
})

test('a contact is found by the typed text, and selecting it fills in its company if the company field is empty', async () => {
  const server = mockServerWith(barRefit)
  server.setHandlers({
    'GET /api/contacts': { rows: [imaraRow], next: null },
    'GET /api/contacts/{id}': imara,
    'GET /api/companies/{id}': quillstone,
  })
  await renderApp(`/crm/deals/${barRefit.id}/edit`)
  const picker = within(await findDialog()).getByRole<HTMLInputElement>('combobox', { name: 'Contact optional' })
  act(() => picker.focus())
  fireEvent.change(picker, { target: { value: 'ima' } })
  await waitFor(() => expect(server.requestsTo('GET /api/contacts').at(-1)?.query).toMatchObject({ search: 'ima' }))
  fireEvent.click(await screen.findByRole('option', { name: 'Imara Vantongeren Quillstone Dental' }))
  expect(picker.value).toBe('Imara Vantongeren')
  const company = screen.getByRole<HTMLInputElement>('combobox', { name: 'Company optional' })
  await waitFor(() => expect(company.value).toBe('Quillstone Dental'))
  save()
  expect(await screen.findByText('Deal updated')).toBeTruthy()
  expect(server.requestsTo(update)[0]?.body).toEqual({ contact_id: imara.id, company_id: quillstone.id, version: 3 })
})

test('Enter selects the first search result, and does nothing when there is no result', async () => {
  const server = mockServerWith(waitingRoom)
  const search = ({ query }: { query: Record<string, string> }) => ({ rows: query['search'] === 'ima' ? [imaraRow] : [], next: null })
  server.setHandlers({ 'GET /api/contacts': search, 'GET /api/contacts/{id}': imara, 'GET /api/companies/{id}': quillstone })
  await renderApp(editAddress)
  const picker = within(await findDialog()).getByRole<HTMLInputElement>('combobox', { name: 'Contact optional' })
  act(() => picker.focus())
  fireEvent.change(picker, { target: { value: 'nobody' } })
  expect(await screen.findByText('No contact found: add it first, or leave this empty')).toBeTruthy()
  fireEvent.keyDown(picker, { key: 'Enter' })
  fireEvent.change(picker, { target: { value: 'ima' } })
  await screen.findByRole('option', { name: 'Imara Vantongeren Quillstone Dental' })
  fireEvent.keyDown(picker, { key: 'Enter' })
  await waitFor(() => expect(picker.value).toBe('Imara Vantongeren'))
  expect(server.requestsTo(update)).toEqual([])
})

/** Finds Quillstone Dental by a part of its name, or by its whole name in a filter. */
const findCompanies = ({ query: { search = '', filter } }: { query: Record<string, string> }) => {
  const isFound = filter ? filter.toLowerCase().includes('"quillstone dental"') : 'quillstone dental'.includes(search.toLowerCase())
  return { rows: isFound ? [CompanyRow.parse(quillstone)] : [], next: null }
}

test('when the text of a link field matches no record, it stays and prevents saving; clearing the field removes the link', async () => {
  const server = mockServerWith(waitingRoom)
  server.setHandlers({ 'GET /api/companies': findCompanies })
  await renderApp(editAddress)
  const picker = within(await findDialog()).getByRole<HTMLInputElement>('combobox', { name: 'Company optional' })
  act(() => picker.focus())
  fireEvent.change(picker, { target: { value: 'Quillstein' } })
  expect(await screen.findByRole('option', { name: 'Create “Quillstein”' })).toBeTruthy()
  act(() => picker.blur())
  expect(picker.value).toBe('Quillstein')
  save()
  expect(await screen.findByText('Choose a company from the list, or leave this empty')).toBeTruthy()
  expect(document.activeElement).toBe(picker)
  expect(server.requestsTo(update)).toEqual([])
  fireEvent.change(picker, { target: { value: '' } })
  expect(screen.queryByText('Choose a company from the list, or leave this empty')).toBeNull()
  act(() => picker.blur())
  save()
  expect(await screen.findByText('Deal updated')).toBeTruthy()
  expect(server.requestsTo(update)[0]?.body).toEqual({ company_id: null, version: 3 })
})

test('when the text of a link field is the title of exactly one record, this record is selected, even if the user has left the field before it is found', async () => {
  const server = mockServerWith(barRefit)
  server.setHandlers({ 'GET /api/companies': findCompanies })
  await renderApp(`/crm/deals/${barRefit.id}/edit`)
  const picker = within(await findDialog()).getByRole<HTMLInputElement>('combobox', { name: 'Company optional' })
  act(() => picker.focus())
  fireEvent.change(picker, { target: { value: 'quillstone DENTAL' } })
  act(() => picker.blur())
  await waitFor(() => expect(picker.value).toBe('Quillstone Dental'))
  save()
  expect(await screen.findByText('Deal updated')).toBeTruthy()
  expect(server.requestsTo(update)[0]?.body).toEqual({ company_id: quillstone.id, version: 3 })
})

test('when the text of a link field matches no record, the draft of the form contains it', async () => {
  const server = mockServerWith(waitingRoom)
  server.setHandlers({ 'GET /api/companies': findCompanies })
  await renderApp(editAddress)
  const getPicker = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Company optional' })
  await findDialog()
  fireEvent.change(getPicker(), { target: { value: 'Quillstein' } })
  cleanup()
  await renderApp(editAddress)
  await findDialog()
  expect(getPicker().value).toBe('Quillstein')
  fireEvent.click(screen.getByRole('button', { name: 'Start over' }))
  expect(getPicker().value).toBe('Quillstone Dental')
})

test('selecting None removes a link', async () => {
  const server = mockServerWith(waitingRoom)
  server.setHandlers({ 'GET /api/companies': { rows: [], next: null } })
  await renderApp(editAddress)
  const picker = within(await findDialog()).getByRole<HTMLInputElement>('combobox', { name: 'Company optional' })
  expect(picker.value).toBe('Quillstone Dental')
  expect(screen.getByRole('link', { name: 'Open company in a new tab' }).getAttribute('href')).toBe(
    `/crm/companies/${waitingRoom.company_id}`,
  )
  act(() => picker.focus())
  fireEvent.click(picker)
  fireEvent.click(await screen.findByRole('option', { name: 'None' }))
  save()
  expect(await screen.findByText('Deal updated')).toBeTruthy()
  expect(server.requestsTo(update)[0]?.body).toEqual({ company_id: null, version: 3 })
})

test('when another user has changed the same number, both values are shown, and the other value can be selected', async () => {
  const server = mockServerWith(waitingRoom)
  const conflict = {
    version: 5,
    at: new Date().toISOString(),
    actor: 'user:01930000-0000-7000-8000-00000000000a',
    actor_name: null,
    fields: [{ field: 'value', yours: 30_000, theirs: 28_000 }],
  }
  server.setHandlers({ [update]: () => problemResponse('conflict', { conflict }) })
  await renderApp(editAddress)
  await findDialog()
  type('Value optional', '30000')
  type('Title', 'Waiting rooms')
  save()
  const choice = within(await screen.findByRole('group', { name: 'Value' }))
  const theirs = choice.getByRole('radio', { name: /28,000/ })
  expect(screen.getByText('1 choice to make')).toBeTruthy()
  fireEvent.click(theirs)
  server.setHandlers({ [update]: () => changeResponse(changeId, { ...waitingRoom, title: 'Waiting rooms', value: 28_000, version: 6 }) })
  save()
  expect(await screen.findByText('Deal updated')).toBeTruthy()
  expect(server.requestsTo(update)[1]?.body).toEqual({ title: 'Waiting rooms', version: 5 })
})

test('a changed form asks for confirmation before it closes, but a form with only prefilled values does not', async () => {
  mockServerWith(waitingRoom)
  const { router } = await renderApp('/crm/deals?search=oak')
  await screen.findByRole('link', { name: /^Waiting room/ })
  await act(() => router.navigate({ to: '/crm/deals/new', search: { search: 'oak', stage: 'qualified', title: 'Key wall' } }))
  await findDialog('Add deal')
  expect(getField('Title').value).toBe('Key wall')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(router.state.location.href).toBe('/crm/deals?search=oak'))

  await act(() => router.navigate({ to: '/crm/deals/new' }))
  await findDialog('Add deal')
  type('Title', 'Lobby')
  fireEvent.keyDown(getField('Title'), { key: 'Escape' })
  const leaveDialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
  fireEvent.click(leaveDialog.getByRole('button', { name: 'Keep editing' }))
  expect(getField('Title').value).toBe('Lobby')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('Ctrl+Enter saves from any field, and a link to a deleted record shows an error at its field', async () => {
  const server = mockServerWith(waitingRoom)
  const fields = { contact_id: 'This contact is not there any more' }
  server.setHandlers({ [update]: () => problemResponse('not_found', { fields }) })
  await renderApp(editAddress)
  await findDialog()
  type('Title', 'Waiting rooms')
  fireEvent.keyDown(getField('Description optional'), { key: 'Enter', ctrlKey: true })
  expect(await screen.findByText('This contact is not there any more')).toBeTruthy()
  expect(screen.queryByText(/was deleted while you were editing/)).toBeNull()
  expect(server.requestsTo(update)).toHaveLength(1)
})

test('the edit address of a deal that does not exist opens the board with an error toast', async () => {
  mockServerWith(barRefit)
  const { router } = await renderApp(editAddress)
  expect((await screen.findByText('There is nothing here, or it is not yours.')).closest('[role=alert]')).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/deals'))
})
