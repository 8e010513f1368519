// The places of the application from which users ask the assistant.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { imara, makePage, setElementSize, sixtyOfManyContacts, sunniva } from '#web/contacts/testing.ts'
import { surveyFile } from '#web/files/testing.ts'
import { askAssistant } from '#web/lib/askAssistant.ts'
import { mockServer, renderApp, setWindowWidth } from '#web/testing.ts'
import { clearDraft } from '../composer/drafts.ts'
import { assistantHandlers, createHandler, openAnswerStream, operatorAi, readBody, sendHandler } from '../testing.ts'

const handlers = {
  ...assistantHandlers,
  'GET /api/ai': operatorAi,
  'GET /api/search': { hits: [] },
  'GET /api/trash': { rows: [], next: null },
  'GET /api/contacts': makePage([imara, sunniva]),
  'GET /api/contacts/count': { count: 2, more: false },
  'GET /api/contacts/{id}': imara,
  'GET /api/changes': { rows: [], next: null },
  'GET /api/conversations/{id}/messages': { rows: [], has_more: false },
  'GET /api/messages/{id}/events': () => openAnswerStream().response,
  'POST /api/conversations': createHandler,
  'POST /api/conversations/{id}/messages': sendHandler,
}
const findPanel = async () => within(await screen.findByRole('complementary', { name: 'Assistant' }))
const findField = async () => (await findPanel()).findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const toggle = (name: string): void => void fireEvent.click(screen.getByRole('checkbox', { name }))

beforeEach(() => {
  setWindowWidth(1280)
  setElementSize()
  clearDraft(undefined)
})

test('the command palette asks the assistant with the text that was typed', async () => {
  mockServer(handlers)
  await renderApp('/trash')
  await screen.findByRole('button', { name: 'Search' })
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  await screen.findByRole('listbox', { name: 'Results' }) // the palette is loaded, and its field has replaced the one that was shown before
  fireEvent.change(screen.getByRole('combobox', { name: 'Search and commands' }), { target: { value: 'who is new?' } })
  fireEvent.click(await screen.findByRole('option', { name: /^Ask the assistant “who is new\?”/ }))
  expect((await findField()).value).toBe('who is new?')
})

test('a question from the palette or from a menu does not remove what was typed in a new chat', async () => {
  const server = mockServer(handlers)
  await renderApp(`/crm/contacts/${imara.id}`)
  await screen.findByRole('button', { name: 'More actions' })
  const unsent = { text: 'Draft an offer for', references: [{ kind: 'contact' as const, id: imara.id, title: 'Imara Vantongeren' }] }
  act(() => askAssistant(unsent))
  await waitFor(async () => expect((await findField()).value).toBe('Draft an offer for'))
  act(() => askAssistant({ text: 'Who is new?' }))
  await waitFor(async () => expect((await findField()).value).toBe('Draft an offer for\n\nWho is new?'))
  act(() => askAssistant({ text: 'Summarise this contact.', isSentAtOnce: true }))
  await waitFor(() => expect(server.requestsTo('POST /api/conversations/{id}/messages')).toHaveLength(1))
  fireEvent.click((await findPanel()).getByRole('button', { name: 'New chat' }))
  await waitFor(async () => expect((await findField()).value).toBe('Draft an offer for\n\nWho is new?'))
  expect((await findPanel()).getByRole('button', { name: 'Remove Imara Vantongeren' })).toBeTruthy()
})

test('the menu of a contact asks for a summary at once', async () => {
  const server = mockServer(handlers)
  await renderApp(`/crm/contacts/${imara.id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Summarise' }))
  await waitFor(() => expect(server.requestsTo('POST /api/conversations/{id}/messages')).toHaveLength(1))
  const [request] = server.requestsTo('POST /api/conversations/{id}/messages')
  expect(readBody(request?.body)).toMatchObject({
    content: 'Summarise this contact.',
    open_record: { kind: 'contact', id: imara.id },
  })
})

test('selected records of a list are attached to a question', async () => {
  mockServer(handlers)
  await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Imara Vantongeren' })
  toggle('Select Imara Vantongeren')
  toggle('Select Sunniva Thackerly')
  fireEvent.click(await screen.findByRole('button', { name: 'Ask about these' }))
  const attached = await (await findPanel()).findByRole('list', { name: 'Attached to this message' })
  expect(
    within(attached)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Imara Vantongeren', 'Sunniva Thackerly'])
})

test('a selection of all matching records is sent as a list, and more than 20 single records cannot be asked about', async () => {
  const server = mockServer({ ...handlers, ...sixtyOfManyContacts })
  await renderApp('/crm/contacts?search=person')
  await screen.findByRole('link', { name: 'Person 1' })
  toggle('Select all that are loaded')
  const button = await screen.findByRole('button', { name: 'Ask about at most 20 at once' })
  expect(button.hasAttribute('disabled')).toBe(true)
  fireEvent.click(await screen.findByRole('button', { name: 'Select all 1,000+ contacts' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Ask about these' }))
  const field = await findField()
  fireEvent.change(field, { target: { value: 'Who is new?' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(server.requestsTo('POST /api/conversations/{id}/messages')).toHaveLength(1))
  expect(readBody(server.requestsTo('POST /api/conversations/{id}/messages')[0]?.body)).toMatchObject({
    open_list: { kind: 'contact', search: 'person', filter: [] },
  })
})

test('without an AI nothing is sent, and one sentence says how an AI is connected', async () => {
  const off = { ...operatorAi, source: 'off' as const, has_operator_connection: false }
  const server = mockServer({ ...handlers, 'GET /api/ai': off })
  await renderApp(`/crm/contacts/${imara.id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Summarise' }))
  expect(await (await findPanel()).findByText(/^No AI is connected\./)).toBeTruthy()
  await waitFor(async () => expect((await findField()).value).toBe('Summarise this contact.'))
  expect(server.requestsTo('POST /api/conversations')).toHaveLength(0)
})

test('a question about a filtered list is about the records that match', async () => {
  const server = mockServer(handlers)
  const filter = [{ field: 'tags', is: ['Oak'] }]
  await renderApp(`/crm/contacts?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Ask about these' }))
  const field = await findField()
  fireEvent.change(field, { target: { value: 'Who is new?' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(server.requestsTo('POST /api/conversations/{id}/messages')).toHaveLength(1))
  const body = readBody(server.requestsTo('POST /api/conversations/{id}/messages')[0]?.body)
  expect(body).toMatchObject({ open_list: { kind: 'contact', search: '', filter } })
})

test('a question is no longer about the filtered list after the user has opened another page and returned', async () => {
  const server = mockServer(handlers)
  const filter = [{ field: 'tags', is: ['Oak'] }]
  const { router } = await renderApp(`/crm/contacts?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Ask about these' }))
  await findField()
  await act(() => router.navigate({ to: '/trash' }))
  await screen.findByText('The trash is empty')
  await act(() => router.navigate({ to: '/crm/contacts' }))
  const field = await findField()
  fireEvent.change(field, { target: { value: 'Who is new?' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(server.requestsTo('POST /api/conversations/{id}/messages')).toHaveLength(1))
  const body = readBody(server.requestsTo('POST /api/conversations/{id}/messages')[0]?.body)
  expect(body).toMatchObject({ open_list: { kind: 'contact', search: '', filter: [] } })
})

test('an open file is attached to a question', async () => {
  mockServer({ ...handlers, 'GET /api/files/{id}': surveyFile })
  await renderApp(`/files/file/${surveyFile.id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Ask about this file' }))
  const attached = await (await findPanel()).findByRole('list', { name: 'Attached to this message' })
  expect(within(attached).getByText(surveyFile.file_name)).toBeTruthy()
})
