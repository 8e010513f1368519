import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Hit } from '#contract/search.ts'
import { surveyFile } from '#web/files/testing.ts'
import { stopAllUploads } from '#web/files/upload/queue.ts'
import { mockUploadServer } from '#web/files/upload/testing.ts'
import { mockServer, renderApp, setWindowWidth } from '#web/testing.ts'
import { assistantHandlers, openAnswerStream, operatorAi, quietDeals, readBody, receptionDesk, sendHandler } from '../testing.ts'

const imara: Hit = {
  kind: 'contact',
  id: '01930000-0000-7000-8000-0000000000e1',
  title: 'Imara Vantongeren',
  detail: 'Quillstone Dental',
  parent: null,
}
const oldChat: Hit = { ...imara, kind: 'conversation', id: '01930000-0000-7000-8000-0000000000e2', title: 'Imara and the desk' }

// parts of 4 bytes, as the fake server for uploads has them
vi.mock('#contract/uploads.ts', async (importOriginal) => ({ ...(await importOriginal<object>()), partBytes: 4 }))

beforeEach(() => setWindowWidth(1280))
afterEach(stopAllUploads)

async function openComposer() {
  const server = mockServer({
    ...assistantHandlers,
    'GET /api/ai': operatorAi,
    'GET /api/search': { hits: [oldChat, imara] },
    'GET /api/files': { rows: [surveyFile], next: null },
    'GET /api/conversations/{id}/messages': { rows: [], has_more: false },
    'GET /api/messages/{id}/events': () => openAnswerStream().response,
    'POST /api/conversations/{id}/messages': sendHandler,
  })
  await renderApp(`/assistant/${quietDeals.id}`)
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  return { server, field }
}

/** Types a text as a browser does, with the cursor behind it. */
function type(field: HTMLTextAreaElement, text: string): void {
  fireEvent.change(field, { target: { value: text } })
  field.setSelectionRange(text.length, text.length)
  fireEvent.select(field)
}

const sentReferences = (requests: { body: unknown }[]): unknown => Object(requests[0]?.body)['references']

test('a record that is mentioned with @ is sent as a reference; conversations cannot be mentioned', async () => {
  const { server, field } = await openComposer()
  type(field, 'What did @ima')
  const option = await screen.findByRole('option', { name: /Imara Vantongeren/ })
  expect(screen.getAllByRole('option')).toEqual([option])
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(field.value).toBe('What did @Imara Vantongeren ')
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(screen.getByRole('list', { name: 'Attached to this message' }).textContent).toBe('Imara Vantongeren')
  type(field, 'What did @Imara Vantongeren say?')
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(server.requestsTo('POST /api/conversations/{id}/messages')).toHaveLength(1))
  const [request] = server.requestsTo('POST /api/conversations/{id}/messages')
  expect(readBody(request?.body)['content']).toBe('What did @Imara Vantongeren say?')
  expect(sentReferences(server.requestsTo('POST /api/conversations/{id}/messages'))).toEqual([{ kind: 'contact', id: imara.id }])
})

test('after a mention in the middle of a text, the next key types behind the mention', async () => {
  const { server, field } = await openComposer()
  type(field, 'What did @ima say?')
  field.setSelectionRange('What did @ima'.length, 'What did @ima'.length)
  fireEvent.select(field)
  await screen.findByRole('option', { name: /Imara Vantongeren/ })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect([document.activeElement, field.selectionStart]).toEqual([field, 'What did @Imara Vantongeren '.length])
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(sentReferences(server.requestsTo('POST /api/conversations/{id}/messages'))).toHaveLength(1))
})

test('Enter mentions no record of an earlier search, and sends nothing while records are searched', async () => {
  const { server, field } = await openComposer()
  type(field, '@ima')
  await screen.findByRole('option', { name: /Imara Vantongeren/ })
  const found = Promise.withResolvers<object>()
  server.setHandlers({ 'GET /api/search': () => found.promise })
  type(field, '@imanu')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(field.value).toBe('@imanu')
  found.resolve({ hits: [{ ...imara, id: '01930000-0000-7000-8000-0000000000e3', title: 'Imanuel Tidewick' }] })
  await screen.findByRole('option', { name: /Imanuel Tidewick/ })
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(field.value).toBe('@Imanuel Tidewick '))
  expect(server.requestsTo('POST /api/conversations/{id}/messages')).toHaveLength(0)
  fireEvent.click(screen.getByRole('button', { name: 'Remove Imanuel Tidewick' })) // otherwise the next test begins with this draft
})

test('Escape closes the list of mentions and keeps the text, and Enter then sends it', async () => {
  const { server, field } = await openComposer()
  type(field, 'Ask @ima')
  await screen.findByRole('option', { name: /Imara Vantongeren/ })
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(screen.queryByRole('listbox')).toBeNull()
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(server.requestsTo('POST /api/conversations/{id}/messages')).toHaveLength(1))
  expect(sentReferences(server.requestsTo('POST /api/conversations/{id}/messages'))).toEqual([])
})

test('an attached record can be removed again', async () => {
  const { field } = await openComposer()
  type(field, '@ima')
  fireEvent.click(await screen.findByRole('option', { name: /Imara Vantongeren/ }))
  fireEvent.click(await screen.findByRole('button', { name: 'Remove Imara Vantongeren' }))
  expect(screen.queryByRole('list', { name: 'Attached to this message' })).toBeNull()
})

test('files are attached from Files', async () => {
  await openComposer()
  fireEvent.click(screen.getByRole('button', { name: 'Attach files' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'From Files' }))
  fireEvent.click(await screen.findByRole('checkbox', { name: surveyFile.file_name }))
  fireEvent.click(screen.getByRole('button', { name: 'Attach 1 file' }))
  await waitFor(() => expect(screen.getByRole('list', { name: 'Attached to this message' }).textContent).toBe(surveyFile.file_name))
})

test('a dropped file is uploaded to Files and attached, and nothing is sent before it is stored', async () => {
  const server = mockUploadServer({
    ...assistantHandlers,
    'GET /api/ai': operatorAi,
    'GET /api/conversations/{id}/messages': { rows: [], has_more: false },
  })
  await renderApp(`/assistant/${quietDeals.id}`)
  const field = await screen.findByRole('textbox', { name: 'Message' })
  fireEvent.change(field, { target: { value: 'Summarise this' } })
  fireEvent.drop(field, { dataTransfer: { files: [new File(['a survey'], 'survey.txt')], types: ['Files'] } })
  const send = screen.getByRole('button', { name: 'Send' })
  await screen.findByLabelText('Uploading')
  expect(send.hasAttribute('disabled')).toBe(true)
  await screen.findByRole('button', { name: 'Remove survey.txt' })
  expect(send.hasAttribute('disabled')).toBe(false)
  expect(server.files).toEqual([{ name: 'survey.txt', content: 'a survey', folder_id: null }])
})

test('a file that is stored while another conversation is open is attached to the conversation in which it was dropped', async () => {
  const stored = Promise.withResolvers<undefined>()
  const server = mockUploadServer({
    ...assistantHandlers,
    'GET /api/ai': operatorAi,
    'GET /api/conversations/{id}/messages': { rows: [], has_more: false },
  })
  server.state.onPart = () => stored.promise
  const { router } = await renderApp(`/assistant/${quietDeals.id}`)
  const field = await screen.findByRole('textbox', { name: 'Message' })
  fireEvent.drop(field, { dataTransfer: { files: [new File(['desk'], 'desk.txt')], types: ['Files'] } })
  await waitFor(() => expect(server.sentParts).toEqual(['desk.txt 0']))
  await act(() => router.navigate({ to: '/assistant/$id', params: { id: receptionDesk.id } }))
  expect(screen.queryByLabelText('Uploading')).toBeNull()
  await act(async () => stored.resolve(undefined))
  await waitFor(() => expect(Object.values(sessionStorage).join()).toContain('desk.txt'))
  expect(screen.queryByRole('button', { name: 'Remove desk.txt' })).toBeNull()
  await act(() => router.navigate({ to: '/assistant/$id', params: { id: quietDeals.id } }))
  fireEvent.click(await screen.findByRole('button', { name: 'Remove desk.txt' })) // otherwise the next test begins with this draft
})
