// Tests the values in the panels of deals, tasks and companies that are edited where they are shown.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { Company, emptyCompany } from '#contract/companies.ts'
import { Task } from '#contract/tasks.ts'
import { sunniva, toRow } from '#web/contacts/testing.ts'
import { queries } from '#web/lib/queries.ts'
import { drawings, makePage } from '#web/tasks/testing.ts'
import { changeResponse, mockServer, nora, renderApp } from '#web/testing.ts'
import { changeId, mockServerWith, setElementSize, waitingRoom } from './testing.ts'

beforeEach(setElementSize)

const update = 'PATCH /api/deals/{id}' // these requests contain the version of the deal, which is 3 at first
const findPanel = async (name: string) => within(await screen.findByRole('complementary', { name }))
const findInput = (label: string) => screen.findByLabelText<HTMLInputElement>(label, { selector: 'input, textarea' })
/** Opens the editor of a value and returns its input. */
async function edit(noun: string, label: string): Promise<HTMLInputElement> {
  fireEvent.click(await screen.findByRole('button', { name: `Edit ${noun}` }))
  return findInput(label)
}
/** Changes a value in its editor and presses Enter. */
async function change(noun: string, label: string, value: string): Promise<void> {
  const input = await edit(noun, label)
  fireEvent.change(input, { target: { value } })
  fireEvent.submit(input.form ?? input)
}
const expectClosed = (label: string) => waitFor(() => expect(screen.queryByLabelText(label, { selector: 'input, textarea' })).toBeNull())

test('the title, the value and the close date of a deal are edited in its panel', async () => {
  const server = mockServerWith(waitingRoom)
  await renderApp(`/crm/deals/${waitingRoom.id}`)
  const panel = await findPanel('Deal')
  await change('value', 'Value optional', 'a lot')
  expect(await panel.findByText('Enter a number like 1,284.50')).toBeTruthy()
  const input = await findInput('Value optional')
  fireEvent.change(input, { target: { value: '27,000.50' } })
  act(() => input.blur())
  expect(await panel.findByText('£27,000.50')).toBeTruthy()
  expect((await edit('value', 'Value optional')).value).toBe('27,000.50')
  fireEvent.keyDown(await findInput('Value optional'), { key: 'Escape' })
  await change('close date', 'Close date optional', '')
  await expectClosed('Close date optional')
  await change('title', 'Title', 'Waiting rooms')
  expect(await panel.findByRole('heading', { name: 'Waiting rooms' })).toBeTruthy()
  expect(document.title).toBe('Waiting rooms - Foyer')
  expect(server.requestsTo(update).map(({ body }) => body)).toEqual([
    { value: 27_000.5, version: 3 },
    { expected_close_date: null, version: 4 },
    { title: 'Waiting rooms', version: 5 },
  ])
})

test('the value of a deal has the separators of the country everywhere: in the panel, in the input and in the error', async () => {
  const server = mockServerWith({ ...waitingRoom, value: 12_500.5 })
  server.setHandlers({ 'GET /api/session': { ...nora, profile: { ...nora.profile, country: 'DE', currency: 'CHF' } } })
  await renderApp(`/crm/deals/${waitingRoom.id}`)
  const panel = await findPanel('Deal')
  expect(await panel.findByText('CHF 12.500,50')).toBeTruthy()
  const input = await edit('value', 'Value optional')
  expect(input.value).toBe('12.500,50')
  fireEvent.change(input, { target: { value: 'abc' } })
  fireEvent.submit(input.form ?? input)
  expect(await panel.findByText('Enter a number like 1.284,50')).toBeTruthy()
})

test('a date that the user selects in the calendar is saved at once', async () => {
  const server = mockServerWith(waitingRoom)
  await renderApp(`/crm/deals/${waitingRoom.id}`)
  const input = await edit('close date', 'Close date optional')
  const calendar = input.form?.querySelector('input[type=date]')
  if (calendar) fireEvent.change(calendar, { target: { value: '2027-01-31' } })
  await expectClosed('Close date optional')
  expect(server.requestsTo(update)[0]?.body).toEqual({ expected_close_date: '2027-01-31', version: 3 })
})

test('keys in an edited value run no shortcut of the panel, and Escape closes only the input', async () => {
  const server = mockServerWith(waitingRoom)
  const { router } = await renderApp(`/crm/deals/${waitingRoom.id}`)
  const input = await edit('probability', 'Probability optional')
  expect(input.placeholder).toBe('50') // in percent, for the stage Proposal
  for (const key of ['e', 'j', 'Delete', '#']) fireEvent.keyDown(input, { key })
  fireEvent.keyDown(screen.getByRole('button', { name: 'Cancel editing probability' }), { key: 'Delete' })
  fireEvent.keyDown(input, { key: 'Escape' })
  await expectClosed('Probability optional')
  expect(router.state.location.pathname).toBe(`/crm/deals/${waitingRoom.id}`)
  expect(server.requestsTo('DELETE /api/deals/{id}')).toEqual([])
})

test('another contact is selected in the panel of a deal, and the company stays', async () => {
  const server = mockServerWith(waitingRoom)
  server.setHandlers({
    'GET /api/search': { groups: [] },
    'GET /api/contacts': { rows: [toRow(sunniva)], next: null },
  })
  await renderApp(`/crm/deals/${waitingRoom.id}`)
  await edit('contact', 'Contact optional')
  fireEvent.click(await screen.findByRole('option', { name: /^Sunniva Thackerly/ }))
  await expectClosed('Contact optional')
  expect(server.requestsTo(update).map(({ body }) => body)).toEqual([{ contact_id: sunniva.id, version: 3 }])
})

test('Enter before the contacts with the typed name are found selects none of the contacts that were found before', async () => {
  const server = mockServerWith(waitingRoom)
  server.setHandlers({ 'GET /api/search': { groups: [] }, 'GET /api/contacts': { rows: [toRow(sunniva)], next: null } })
  await renderApp(`/crm/deals/${waitingRoom.id}`)
  const input = await edit('contact', 'Contact optional')
  await screen.findByRole('option', { name: /^Sunniva Thackerly/ })
  fireEvent.change(input, { target: { value: 'Bast' } })
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(input.value).toBe('Bast')
  expect(queries.isMutating()).toBe(0)
  expect(server.requestsTo(update)).toEqual([])
})

const tidewick = Company.parse({
  ...emptyCompany,
  id: '01930000-0000-7000-8000-0000000000a9',
  name: 'Tidewick Bakery',
  created_at: waitingRoom.created_at,
  updated_at: waitingRoom.updated_at,
  version: 1,
})

test('a company that does not exist is created with Enter in the panel of a deal, and linked', async () => {
  const server = mockServerWith(waitingRoom)
  server.setHandlers({
    'GET /api/companies': { rows: [], next: null },
    'GET /api/companies/{id}': tidewick,
    'GET /api/contacts': { rows: [], next: null },
    'POST /api/companies': changeResponse('c-9', tidewick, 201),
  })
  await renderApp(`/crm/deals/${waitingRoom.id}`)
  const input = await edit('company', 'Company optional')
  fireEvent.change(input, { target: { value: 'Tidewick Bakery' } })
  await screen.findByRole('option', { name: 'Create “Tidewick Bakery”' })
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(await screen.findByText('Company created')).toBeTruthy()
  await expectClosed('Company optional')
  expect(server.requestsTo('POST /api/companies').map(({ body }) => body)).toEqual([{ name: 'Tidewick Bakery' }])
  expect(server.requestsTo(update).map(({ body }) => body)).toEqual([{ company_id: tidewick.id, version: 3 }])
})

test('a company that is being created is not created twice, and does not replace a name that is typed meanwhile', async () => {
  const server = mockServerWith(waitingRoom)
  const { promise, resolve } = Promise.withResolvers<Response>()
  server.setHandlers({ 'GET /api/companies': { rows: [], next: null }, 'POST /api/companies': () => promise })
  await renderApp(`/crm/deals/${waitingRoom.id}`)
  const input = await edit('company', 'Company optional')
  fireEvent.change(input, { target: { value: 'Tidewick Bakery' } })
  await screen.findByRole('option', { name: 'Create “Tidewick Bakery”' })
  fireEvent.keyDown(input, { key: 'Enter' })
  fireEvent.keyDown(input, { key: 'Enter' })
  await waitFor(() => expect(server.requestsTo('POST /api/companies')).toHaveLength(1))
  fireEvent.keyDown(input, { key: 'Enter' })
  fireEvent.change(input, { target: { value: 'Tidewick Mill' } })
  resolve(changeResponse('c-9', tidewick, 201))
  expect(await screen.findByText('Company created')).toBeTruthy()
  expect(input.value).toBe('Tidewick Mill')
  expect(server.requestsTo('POST /api/companies')).toHaveLength(1)
  expect(server.requestsTo(update)).toEqual([])
})

test('the status and the description of a task are edited in its panel', async () => {
  let task = Task.parse({ ...drawings, description: '', updated_at: drawings.created_at })
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/tasks': makePage([drawings]),
    'GET /api/tasks/count': { count: 1, more: false },
    'GET /api/views': { rows: [] },
    'GET /api/changes': { rows: [], next: null },
    'GET /api/tasks/{id}': () => task,
    'PATCH /api/tasks/{id}': ({ body }) => {
      task = Task.parse({ ...task, ...Object(body), version: task.version + 1 })
      return changeResponse(changeId, task)
    },
  })
  await renderApp(`/crm/tasks/${drawings.id}`)
  const panel = await findPanel('Task')
  await panel.findByRole('heading', { name: drawings.title })
  await edit('status', 'Status optional')
  fireEvent.click(await screen.findByRole('option', { name: 'Pending' }))
  await expectClosed('Status optional')
  fireEvent.click(panel.getByRole('button', { name: /^Show \d empty fields?$/ }))
  const description = await edit('description', 'Description optional')
  fireEvent.change(description, { target: { value: 'Both sheets' } })
  act(() => description.blur())
  expect(await panel.findByText('Both sheets')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/tasks/{id}').map(({ body }) => body)).toEqual([
    { status: 'pending', version: drawings.version },
    { description: 'Both sheets', version: drawings.version + 1 },
  ])
})

test('a website that is typed without https:// in the panel of a company is saved with it', async () => {
  const company = Company.parse({
    id: '01930000-0000-7000-8000-0000000000a1',
    name: 'Quillstone Dental',
    industry: 'Health',
    website: '',
    phone: '',
    email: '',
    employees_count: null,
    tags: [],
    created_at: '2026-11-01T09:00:00.000Z',
    updated_at: '2026-11-01T09:00:00.000Z',
    version: 3,
  })
  const website = 'https://quillstone.example'
  const emptyPage = { rows: [], next: null }
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/companies': emptyPage,
    'GET /api/companies/count': { count: 0, more: false },
    'GET /api/companies/{id}': company,
    'GET /api/changes': emptyPage,
    'GET /api/deals': emptyPage,
    'GET /api/contacts': emptyPage,
    'GET /api/views': { rows: [] },
    'PATCH /api/companies/{id}': changeResponse(changeId, { ...company, website, version: 4 }),
  })
  await renderApp(`/crm/companies/${company.id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Show 5 empty fields' }))
  await change('website', 'Website optional', 'quillstone.example')
  expect(await screen.findByText('Company updated')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/companies/{id}').map(({ body }) => body)).toEqual([{ website, version: 3 }])
})
