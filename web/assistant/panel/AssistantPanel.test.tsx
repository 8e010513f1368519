import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { askAssistant } from '#web/lib/askAssistant.ts'
import { mockServer, renderApp, setWindowWidth } from '#web/testing.ts'
import {
  assistantHandlers,
  createHandler,
  makeAnswer,
  makeQuestion,
  openAnswerStream,
  quietDeals,
  receptionDesk,
  sendHandler,
} from '../testing.ts'
import { findOpenContext } from './openContext.ts'

beforeEach(() => setWindowWidth(1280))

const contactId = '01930000-0000-7000-8000-0000000000b1'
const handlers = {
  ...assistantHandlers,
  'GET /api/trash': { rows: [], next: null },
  'GET /api/conversations/{id}/messages': { rows: [makeQuestion(), makeAnswer()], has_more: false },
  'POST /api/conversations': createHandler,
  'POST /api/conversations/{id}/messages': sendHandler,
}

const pressCtrlJ = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'j', ctrlKey: true })
const findPanel = async () => within(await screen.findByRole('complementary', { name: 'Assistant' }))
const queryPanel = () => screen.queryByRole('complementary', { name: 'Assistant' })

test('Ctrl+J opens the panel with its field focused, Escape closes it, and the focus returns', async () => {
  mockServer(handlers)
  await renderApp('/trash')
  const link = await screen.findByRole('link', { name: 'Trash' })
  link.focus()
  pressCtrlJ()
  const panel = await findPanel()
  expect(panel.getByRole('heading', { name: 'Ask me anything!' })).toBeTruthy()
  const field = panel.getByRole('textbox', { name: 'Message' })
  expect(document.activeElement).toBe(field)
  fireEvent.keyDown(field, { key: 'Escape' })
  await waitFor(() => expect(queryPanel()).toBeNull())
  expect(document.activeElement).toBe(link)
})

test('Escape that ends the composition of a word does not close the panel', async () => {
  mockServer(handlers)
  await renderApp('/trash')
  await screen.findByRole('link', { name: 'Trash' })
  pressCtrlJ()
  const panel = await findPanel()
  const field = panel.getByRole('textbox', { name: 'Message' })
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true })
  expect(queryPanel()).toBeTruthy()
})

test('the panel keeps its conversation while other screens are opened, and the page of the assistant has no panel', async () => {
  mockServer(handlers)
  const { router } = await renderApp('/trash')
  await screen.findByText('The trash is empty')
  pressCtrlJ()
  const panel = await findPanel()
  fireEvent.click(panel.getByRole('button', { name: 'Chats' }))
  fireEvent.click(await panel.findByRole('link', { name: quietDeals.title }))
  expect(await panel.findByText('Four deals have gone quiet.')).toBeTruthy()
  expect(router.state.location.pathname).toBe('/trash')
  await act(() => router.navigate({ to: '/account' }))
  expect((await findPanel()).getByText('Four deals have gone quiet.')).toBeTruthy()
  fireEvent.click((await findPanel()).getByRole('button', { name: 'Open as page' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/assistant/${quietDeals.id}`))
  await waitFor(() => expect(queryPanel()).toBeNull())
  expect(await screen.findByText('Four deals have gone quiet.')).toBeTruthy()
})

test('a question in the panel is sent with the list that is open', async () => {
  const server = mockServer({ ...handlers, 'GET /api/messages/{id}/events': openAnswerStream().response })
  const filter = [{ field: 'stage', is: ['proposal'] }]
  await renderApp(`/crm/deals?as=list&search=oak&filter=${encodeURIComponent(JSON.stringify(filter))}`)
  await screen.findByRole('heading', { name: 'Deals' })
  pressCtrlJ()
  const panel = await findPanel()
  fireEvent.change(panel.getByRole('textbox', { name: 'Message' }), { target: { value: 'Which are large?' } })
  fireEvent.click(panel.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(server.requestsTo('POST /api/conversations/{id}/messages')).toHaveLength(1))
  expect(server.requestsTo('POST /api/conversations/{id}/messages')[0]?.body).toMatchObject({
    content: 'Which are large?',
    open_list: { kind: 'deal', search: 'oak', filter },
  })
})

test('other parts of the application ask a question about a record, which is sent at once', async () => {
  const server = mockServer({ ...handlers, 'GET /api/messages/{id}/events': openAnswerStream().response })
  await renderApp('/trash')
  await screen.findByText('The trash is empty')
  const record = { kind: 'contact', id: contactId } as const
  act(() => askAssistant({ text: 'Summarise this contact', record, isSentAtOnce: true }))
  expect(await (await findPanel()).findByText('Summarise this contact')).toBeTruthy()
  await waitFor(() => expect(server.requestsTo('POST /api/conversations/{id}/messages')).toHaveLength(1))
  expect(server.requestsTo('POST /api/conversations/{id}/messages')[0]?.body).toMatchObject({ open_record: record })
})

test('a question that the user may change first is in the field of a new conversation', async () => {
  const server = mockServer(handlers)
  await renderApp('/trash')
  await screen.findByText('The trash is empty')
  act(() => askAssistant({ text: 'Which of these are new?' }))
  const field = (await findPanel()).getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  await waitFor(() => expect(field.value).toBe('Which of these are new?'))
  expect(server.requestsTo('POST /api/conversations')).toHaveLength(0)
  fireEvent.change(field, { target: { value: '' } }) // otherwise the next test begins with this draft
})

test('the panel offers its list of chats and a new chat', async () => {
  mockServer(handlers)
  await renderApp('/trash')
  await screen.findByText('The trash is empty')
  pressCtrlJ()
  const panel = await findPanel()
  fireEvent.click(panel.getByRole('button', { name: 'Chats' }))
  fireEvent.click(await panel.findByRole('link', { name: receptionDesk.title }))
  await panel.findByText('Four deals have gone quiet.') // the mocked server has the same messages in every conversation
  fireEvent.click(panel.getByRole('button', { name: 'New chat' }))
  expect(panel.getByRole('heading', { name: 'Ask me anything!' })).toBeTruthy()
})

test('the address says which record or list is open', async () => {
  mockServer(handlers)
  await renderApp('/trash')
  await screen.findByText('The trash is empty')
  const at = (pathname: string, search = {}) => findOpenContext({ pathname, search })
  expect(at(`/crm/contacts/${contactId}`)).toEqual({ open_record: { kind: 'contact', id: contactId } })
  expect(at(`/crm/deals/${contactId}/edit`)).toEqual({ open_record: { kind: 'deal', id: contactId } })
  expect(at(`/files/file/${contactId}`)).toEqual({ open_record: { kind: 'file', id: contactId } })
  expect(at(`/files/folder/${contactId}`)).toEqual({ open_record: { kind: 'folder', id: contactId } })
  expect(at('/files', { search: 42 })).toEqual({ open_list: { kind: 'file', search: '42', filter: [] } })
  expect(at('/crm/contacts', { filter: 'not a filter' })).toEqual({ open_list: { kind: 'contact', search: '', filter: [] } })
  expect(at('/dashboard')).toEqual({})
})
