// Tests that a second save after a lost response does not write twice.
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Deal, emptyDeal } from '#contract/deals.ts'
import { Note } from '#contract/notes.ts'
import { emptyTask, Task } from '#contract/tasks.ts'
import { formRoutes, imara } from '#web/contacts/testing.ts'
import { changeId, mockServerWith, setElementSize, waitingRoom } from '#web/deals/testing.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'
import { makePage, van } from '#web/tasks/testing.ts'

beforeEach(setElementSize)

const Body = z.looseObject({ id: z.optional(z.string()) })
type ReceivedRequest = { body: unknown; params: Record<string, string>; headers: Headers }
const systemFields = { created_at: '2026-11-01T09:00:00.000Z', updated_at: '2026-11-01T09:00:00.000Z', version: 1 }

/**
 * Creates the handlers of a server that stores new records in `records`. A request with the Idempotency-Key of an earlier request gets the
 * same response. While `connection.losesResponses` is true, requests arrive and their responses are lost. While `connection.isDown` is
 * true, requests do not arrive.
 */
function createRecordServer(toRecord: (body: object) => { id: string; version: number }) {
  const records = new Map<string, { id: string; version: number }>()
  const requests = new Map<string, { id: string; body: string }>()
  const connection = { losesResponses: false, isDown: false }
  const respond = ({ headers, body }: ReceivedRequest): Response => {
    const key = headers.get('idempotency-key') ?? ''
    const earlierRequest = requests.get(key)
    if (earlierRequest) {
      if (earlierRequest.body !== JSON.stringify(body)) return problemResponse('request_reused')
      return changeResponse(changeId, records.get(earlierRequest.id), 201)
    }
    const { id = `01930000-0000-7000-8000-0000000009${String(records.size).padStart(2, '0')}`, ...fields } = Body.parse(body)
    if (records.has(id)) return problemResponse('invalid', { fields: { id: 'This id is taken' } })
    const record = toRecord({ ...systemFields, id, ...fields })
    records.set(record.id, record)
    requests.set(key, { id, body: JSON.stringify(body) })
    return changeResponse(changeId, record, 201)
  }
  const create = (request: ReceivedRequest): Response => {
    if (connection.isDown) throw new TypeError('Failed to fetch')
    const response = respond(request)
    if (connection.losesResponses) throw new TypeError('Failed to fetch')
    return response
  }
  const get = ({ params }: ReceivedRequest): object => records.get(params['id'] ?? '') ?? problemResponse('not_found')
  const update = ({ params, body }: ReceivedRequest): Response => {
    const record = records.get(params['id'] ?? '')
    if (!record) return problemResponse('not_found')
    const updated = { ...record, ...Body.parse(body), id: record.id, version: record.version + 1 }
    records.set(record.id, updated)
    return changeResponse(changeId, updated)
  }
  return { records, connection, handlers: { create, get, update } }
}

/** Mocks a server that stores new deals. */
const mockDealServer = () => {
  const links = { contact_name: '', company_name: '' }
  const store = createRecordServer((fields) => Deal.parse({ ...emptyDeal, ...links, ...fields }))
  const { create, get, update } = store.handlers
  const server = mockServerWith(waitingRoom)
  server.setHandlers({ 'POST /api/deals': create, 'GET /api/deals/{id}': get, 'PATCH /api/deals/{id}': update })
  return { ...store, server }
}
const readTitles = ({ records }: ReturnType<typeof createRecordServer>): unknown[] =>
  [...records.values()].map((record) => Body.parse(record)['title'])
const findTitle = (): Promise<HTMLElement> => screen.findByRole('textbox', { name: /^Title/ })
const typeTitle = async (title: string): Promise<void> => void fireEvent.change(await findTitle(), { target: { value: title } })
const save = (noun: string): void => void fireEvent.click(screen.getByRole('button', { name: `Save ${noun}` }))
const waitForFailure = async (): Promise<void> => {
  await screen.findByText(/The server cannot be reached/)
  await waitFor(() => expect(document.querySelector('button[data-loading]')).toBeNull())
}

test('saving a new deal again after its response was lost adds no second deal, and the change can be undone', async () => {
  const store = mockDealServer()
  store.connection.losesResponses = true
  await renderApp('/crm/deals/new')
  await typeTitle('Cloakroom')
  save('deal')
  await waitForFailure()
  store.connection.losesResponses = false
  save('deal')
  expect(await screen.findByText('Deal created')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(readTitles(store)).toEqual(['Cloakroom'])
})

test('fields that were changed after the lost response are saved as an edit of the deal that exists', async () => {
  const store = mockDealServer()
  store.connection.losesResponses = true
  await renderApp('/crm/deals/new')
  await typeTitle('Cloakroom')
  fireEvent.change(screen.getByRole('textbox', { name: 'Value optional' }), { target: { value: '1,200.50' } })
  save('deal')
  await waitForFailure()
  store.connection.losesResponses = false
  await typeTitle('Cloakroom shelves')
  save('deal')
  expect(await screen.findByText('Deal updated')).toBeTruthy()
  expect(readTitles(store)).toEqual(['Cloakroom shelves'])
  expect(store.server.requestsTo('PATCH /api/deals/{id}').map(({ body }) => body)).toEqual([{ title: 'Cloakroom shelves', version: 1 }])
})

test('saving a restored draft after a lost response and a reload adds no second deal', async () => {
  const store = mockDealServer()
  store.connection.losesResponses = true
  await renderApp('/crm/deals/new')
  await typeTitle('Cloakroom')
  save('deal')
  await waitForFailure()
  cleanup()
  store.connection.losesResponses = false
  await renderApp('/crm/deals/new')
  expect(await screen.findByDisplayValue('Cloakroom')).toBeTruthy()
  save('deal')
  expect(await screen.findByText('Deal created')).toBeTruthy()
  expect(readTitles(store)).toEqual(['Cloakroom'])
})

test('when the first request did not arrive, saving changed fields adds one deal with the changed fields', async () => {
  const store = mockDealServer()
  store.connection.isDown = true
  await renderApp('/crm/deals/new')
  await typeTitle('Cloakroom')
  save('deal')
  await waitForFailure()
  store.connection.isDown = false
  await typeTitle('Cloakroom shelves')
  save('deal')
  expect(await screen.findByText('Deal created')).toBeTruthy()
  expect(readTitles(store)).toEqual(['Cloakroom shelves'])
})

test('when another tab has already saved a copy of the draft, saving the draft adds a record with a new id', async () => {
  const store = mockDealServer()
  await renderApp('/crm/deals/new')
  await typeTitle('Cloakroom')
  const copiedDraft = Object.keys(sessionStorage).map((name) => [name, sessionStorage.getItem(name) ?? ''] as const)
  save('deal')
  expect(await screen.findByText('Deal created')).toBeTruthy()
  cleanup()
  for (const [name, value] of copiedDraft) sessionStorage.setItem(name, value)
  await renderApp('/crm/deals/new')
  await screen.findByDisplayValue('Cloakroom')
  await typeTitle('Bar stools')
  save('deal')
  await waitFor(() => expect(readTitles(store)).toEqual(['Cloakroom', 'Bar stools']))
})

test('when the deal was deleted after its response was lost, saving adds it again', async () => {
  const store = mockDealServer()
  store.connection.losesResponses = true
  await renderApp('/crm/deals/new')
  await typeTitle('Cloakroom')
  save('deal')
  await waitForFailure()
  store.connection.losesResponses = false
  const [id] = store.records.keys()
  store.server.setHandlers({
    'POST /api/deals': (request) =>
      Body.parse(request.body).id === id
        ? problemResponse('invalid', { fields: { id: 'This id is taken' } })
        : store.handlers.create(request),
    'GET /api/deals/{id}': () => problemResponse('not_found'),
  })
  await typeTitle('Cloakroom shelves')
  save('deal')
  expect(await screen.findByText('Deal created')).toBeTruthy()
  // the first deal is still in `records`, because only the handlers above make it look deleted
  expect(readTitles(store)).toEqual(['Cloakroom', 'Cloakroom shelves'])
})

test('adding a note again after its response was lost adds no second note', async () => {
  const store = createRecordServer((fields) => Note.parse(fields))
  mockServer({
    'GET /api/session': nora,
    'GET /api/contacts/{id}': imara,
    'GET /api/deals/count': { count: 0, more: false },
    'GET /api/tasks/count': { count: 0, more: false },
    'GET /api/changes': { rows: [], next: null },
    'GET /api/notes': () => ({ rows: [...store.records.values()], next: null, count: store.records.size }),
    'GET /api/notes/{id}': store.handlers.get,
    'POST /api/notes': store.handlers.create,
    'PATCH /api/notes/{id}': store.handlers.update,
  })
  store.connection.losesResponses = true
  await renderApp(`/crm/contacts/${imara.id}?tab=notes`)
  const field = await screen.findByLabelText('New note')
  fireEvent.change(field, { target: { value: 'Called back' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add note' }))
  await waitForFailure()
  store.connection.losesResponses = false
  fireEvent.change(field, { target: { value: 'Called back twice' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add note' }))
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('New note').value).toBe(''))
  expect([...store.records.values()]).toMatchObject([{ content: 'Called back twice' }])
  fireEvent.change(screen.getByLabelText('New note'), { target: { value: 'Sent the offer' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add note' }))
  await waitFor(() => expect([...store.records.values()]).toMatchObject([{ content: 'Called back twice' }, { content: 'Sent the offer' }]))
})

test('saving a prefilled task again after its response was lost and the page was reloaded adds no second task', async () => {
  const links = { contact_name: '', deal_title: '', completed_at: null }
  const store = createRecordServer((fields) => Task.parse({ ...emptyTask, ...links, ...fields }))
  mockServer({
    'GET /api/session': nora,
    'GET /api/tasks': makePage([van]), // another task
    'GET /api/tasks/count': { count: 1, more: false },
    'GET /api/views': { rows: [] },
    'GET /api/tasks/{id}': store.handlers.get,
    'POST /api/tasks': store.handlers.create,
  })
  store.connection.losesResponses = true
  const address = '/crm/tasks/new?title=Call%20the%20landlord'
  await renderApp(address)
  await findTitle()
  save('task')
  await waitForFailure()
  cleanup()
  store.connection.losesResponses = false
  await renderApp(address)
  await findTitle()
  save('task')
  expect(await screen.findByText('Task created')).toBeTruthy()
  expect(readTitles(store)).toEqual(['Call the landlord'])
})

/** The response to an edit that conflicts with other changes. `version` is the version after these changes. */
const conflictWith = (version: number, fields: { field: string; yours: unknown; theirs: unknown }[]): Response =>
  problemResponse('conflict', { conflict: { version, actor: 'import', actor_name: null, at: '2026-11-20T09:00:00Z', fields } })
const updateRoute = 'PATCH /api/contacts/{id}'
const typeInto = (name: string, value: string): void => void fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } })
/** Opens the form of Imara. The responses to her edits are lost. */
const openImara = async () => {
  const server = mockServer({
    ...formRoutes,
    [updateRoute]: () => {
      throw new TypeError('Failed to fetch')
    },
  })
  const { router } = await renderApp(`/crm/contacts/edit/${imara.id}`)
  await screen.findByDisplayValue(imara.first_name)
  return { server, router }
}

test('saving an edit again after its response was lost repeats the same request', async () => {
  const { server } = await openImara()
  typeInto('Title optional', 'Owner')
  save('contact')
  await waitForFailure()
  server.setHandlers({ [updateRoute]: changeResponse(changeId, { ...imara, title: 'Owner', version: imara.version + 1 }) })
  save('contact')
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  const requests = server.requestsTo(updateRoute)
  expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  expect(new Set(requests.map(({ body }) => JSON.stringify(body))).size).toBe(1)
})

// the user changes the title a second time: to a new title, or back to the title before the edit
test.each(['Director', imara.title])(
  'after the response to a save of the title was lost, the title can be changed to "%s" without a conflict',
  async (title) => {
    const { server } = await openImara()
    typeInto('Title optional', 'Owner')
    save('contact')
    await waitForFailure()
    const newVersion = imara.version + 1
    server.setHandlers({
      [updateRoute]: ({ body }) =>
        Body.parse(body)['version'] === newVersion
          ? changeResponse(changeId, { ...imara, title, version: newVersion + 1 })
          : conflictWith(newVersion, [{ field: 'title', yours: title, theirs: 'Owner' }]),
    })
    typeInto('Title optional', title)
    save('contact')
    expect(await screen.findByText('Contact updated')).toBeTruthy()
    expect(server.requestsTo(updateRoute).at(-1)?.body).toEqual({ title, version: newVersion })
  },
)

test('a conflict after a lost response shows only the fields that somebody else has changed', async () => {
  const { server } = await openImara()
  typeInto('Title optional', 'Owner')
  save('contact')
  await waitForFailure()
  const fields = [
    { field: 'title', yours: 'Director', theirs: 'Owner' },
    { field: 'department', yours: 'Front desk', theirs: 'Reception' },
  ]
  server.setHandlers({ [updateRoute]: () => conflictWith(imara.version + 2, fields) })
  typeInto('Title optional', 'Director')
  typeInto('Department optional', 'Front desk')
  save('contact')
  expect(await screen.findByText('Department was changed somewhere else while you were editing')).toBeTruthy()
})
