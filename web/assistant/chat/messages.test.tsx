import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Message, Step } from '#contract/assistant.ts'
import { emptyDashboard } from '#web/dashboard/testing.ts'
import { projects, surveyFile } from '#web/files/testing.ts'
import { hasUnsavedWork } from '#web/lib/forms.ts'
import { queries } from '#web/lib/queries.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import {
  assistantHandlers,
  makeAnswer,
  makeQuestion,
  openAnswerStream,
  operatorAi,
  quietDeals,
  readBody,
  receptionDesk,
  sendHandler,
} from '../testing.ts'
import { splitAtSteps } from './segments.ts'

beforeEach(() => setWindowWidth(1280))

const dealId = '01930000-0000-7000-8000-0000000000b1'
const step: Step = { at: 0, text: 'Searched deals · 4 found', count: 4, kind: 'deal', list: null, records: [], is_failed: false }

async function openChat(messages: readonly Message[], handlers: Parameters<typeof mockServer>[0] = {}) {
  const server = mockServer({
    ...assistantHandlers,
    'GET /api/conversations/{id}/messages': { rows: messages, has_more: false },
    'GET /api/messages/{id}/events': () => openAnswerStream().response,
    ...handlers,
  })
  const { router } = await renderApp(`/assistant/${quietDeals.id}`)
  await screen.findAllByRole('article')
  return { server, router }
}
const findAnswer = async () => within(await screen.findByRole('article', { name: 'Assistant' }))

test('an answer that broke off keeps its text, says so and can be written again', async () => {
  const answer = makeAnswer({ state: 'interrupted', problem: 'The AI service stopped answering.' })
  const { server } = await openChat([makeQuestion(), answer], {
    'POST /api/messages/{id}/retry': ({ body }) =>
      Response.json(makeAnswer({ id: readBody(body)['answer_id'], content: '', state: 'streaming' }), { status: 201 }),
  })
  expect((await findAnswer()).getByText('The AI service stopped answering.')).toBeTruthy()
  fireEvent.click((await findAnswer()).getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(screen.queryByText('Four deals have gone quiet.')).toBeNull())
  await waitFor(() => expect(server.requestsTo('GET /api/messages/{id}/events')).toHaveLength(1))
  expect(server.requestsTo('POST /api/messages/{id}/retry')[0]?.params).toEqual({ id: answer.id })
})

test('when an answer cannot be written again, the old one returns', async () => {
  await openChat([makeQuestion(), makeAnswer({ state: 'stopped' })], { 'POST /api/messages/{id}/retry': () => problemResponse('internal') })
  expect((await findAnswer()).getByText('You stopped this answer.')).toBeTruthy()
  fireEvent.click((await findAnswer()).getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Failed to get response')).toBeTruthy()
  expect(await screen.findByText('Four deals have gone quiet.')).toBeTruthy()
})

test('a message is edited and sent again, which replaces everything after it', async () => {
  const { server } = await openChat([makeQuestion(), makeAnswer()], { 'POST /api/messages/{id}/edit': sendHandler })
  fireEvent.click(screen.getByRole('button', { name: 'Edit and send again' }))
  const field = screen.getByRole('textbox', { name: 'Edit the message' })
  fireEvent.change(field, { target: { value: 'Which deals are late?' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(await screen.findByText('Which deals are late?')).toBeTruthy()
  expect(screen.queryByText('Four deals have gone quiet.')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Messages' }))
  await waitFor(() => expect(server.requestsTo('POST /api/messages/{id}/edit')).toHaveLength(1))
  expect(server.requestsTo('POST /api/messages/{id}/edit')[0]).toMatchObject({
    params: { id: makeQuestion().id },
    body: { content: 'Which deals are late?' },
  })
})

test('Escape leaves a message as it was, and the focus returns to its button', async () => {
  await openChat([makeQuestion(), makeAnswer()])
  fireEvent.click(screen.getByRole('button', { name: 'Edit and send again' }))
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Edit the message' }), { key: 'Escape' })
  expect(screen.getByText(makeQuestion().content)).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit and send again' }))
})

test('the edited text of a message returns with its conversation, until it is cancelled', async () => {
  const { router } = await openChat([makeQuestion(), makeAnswer()], {
    'GET /api/session': nora,
    'GET /api/trash': { rows: [], next: null },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Edit and send again' }))
  const findField = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit the message' })
  expect(document.activeElement).toBe(await findField())
  expect(hasUnsavedWork()).toBe(false)
  fireEvent.change(await findField(), { target: { value: 'Which deals are late?' } })
  expect(hasUnsavedWork()).toBe(true)
  await act(() => router.navigate({ to: '/trash' }))
  await screen.findByText('The trash is empty')
  await act(() => router.navigate({ to: '/assistant/$id', params: { id: quietDeals.id } }))
  expect((await findField()).value).toBe('Which deals are late?')
  expect(hasUnsavedWork()).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(hasUnsavedWork()).toBe(false)
  expect(screen.getByText(makeQuestion().content)).toBeTruthy()
  expect(Object.keys(sessionStorage).filter((name) => name.includes(makeQuestion().id))).toEqual([])
})

test('a message whose answer failed offers to send it again', async () => {
  const { server } = await openChat([makeQuestion(), makeAnswer({ content: '', state: 'failed' })], {
    'POST /api/messages/{id}/edit': sendHandler,
  })
  expect(screen.queryByRole('article', { name: 'Assistant' })).toBeNull()
  expect(screen.getByText('This message has no answer.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(server.requestsTo('POST /api/messages/{id}/edit')).toHaveLength(1))
})

test('steps are above the text that follows them, with counts and links', async () => {
  const filter = [{ field: 'stage', is: ['proposal'] }]
  const steps: Step[] = [
    { ...step, list: { kind: 'deal', search: '', filter } },
    { ...step, at: 4, text: 'Read the deal', count: null, records: [{ kind: 'deal', id: dealId, title: 'Lobby seating' }] },
    { ...step, at: 4, text: 'Searched contacts · 0 found', count: 0, list: { kind: 'contact', search: 'oak', filter: [] } },
    { ...step, at: 4, text: 'The list could not be read', count: null, is_failed: true },
  ]
  await openChat([makeQuestion(), makeAnswer({ content: 'One.Two.', steps })])
  const answer = await findAnswer()
  const found = answer.getByRole('link', { name: '4 found' })
  expect(new URL(found.getAttribute('href') ?? '', 'http://foyer.test').searchParams.get('filter')).toBe(JSON.stringify(filter))
  expect(answer.getByRole('link', { name: 'Lobby seating' }).getAttribute('href')).toBe(`/crm/deals/${dealId}`)
  expect(answer.getAllByRole('list', { name: 'Steps' }).map((list) => list.querySelectorAll('li').length)).toEqual([1, 3])
  const text = (await screen.findByRole('article', { name: 'Assistant' })).textContent
  expect(text).toMatch(
    /^Searched deals · 4 foundOne\.Read the deal · Lobby seatingSearched contacts · 0 foundFailed: The list could not be readTwo\./,
  )
})

test('a step at the end of the text is below it', () => {
  const segments = splitAtSteps('One.', [{ ...step, at: 9 }]) // `at` may be greater than the length of the text
  expect(segments.map(({ text, steps }) => [text, steps.length])).toEqual([
    ['One.', 0],
    ['', 1],
  ])
})

test('a file of an answer is downloaded and saved to Files', async () => {
  const file = { id: dealId, file_name: 'offer.csv', mime_type: 'text/csv', file_size: 2048 }
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const { server } = await openChat([makeQuestion(), makeAnswer({ files: [file] })], {
    'GET /api/message-files/{id}/content': () => new Response('a,b'),
    'GET /api/folders': { rows: [projects], next: null },
    'POST /api/message-files/{id}/save': () => changeResponse('c-1', { ...surveyFile, file_name: 'offer.csv' }, 201),
  })
  const answer = await findAnswer()
  expect(answer.getByText('2.0 KB')).toBeTruthy()
  fireEvent.click(answer.getByRole('button', { name: 'Download offer.csv' }))
  expect(await screen.findByText('File downloaded!')).toBeTruthy()
  expect(screen.getByText('offer.csv has been downloaded.')).toBeTruthy()
  expect(click).toHaveBeenCalledOnce()
  const save = async (): Promise<ReturnType<typeof within>> => {
    fireEvent.click(answer.getByRole('button', { name: 'Save to Files: offer.csv' }))
    return within(await screen.findByRole('dialog', { name: 'Save offer.csv' }))
  }
  fireEvent.click((await save()).getByRole('button', { name: 'Save to Files' })) // the root folder, without another choice
  expect(await screen.findByText('Saved to Files')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const dialog = await save()
  fireEvent.click(await dialog.findByRole('button', { name: projects.name }))
  fireEvent.click(dialog.getByRole('button', { name: `Save to ${projects.name}` }))
  expect(await screen.findByText(`Saved to ${projects.name}`)).toBeTruthy()
  expect(server.requestsTo('POST /api/message-files/{id}/save').map(({ body }) => body)).toEqual([
    { folder_id: null },
    { folder_id: projects.id },
  ])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const { promise, resolve } = Promise.withResolvers<Response>()
  server.setHandlers({ 'POST /api/message-files/{id}/save': () => promise })
  const closed = await save()
  fireEvent.click(closed.getByRole('button', { name: 'Save to Files' }))
  await waitFor(() => expect(server.requestsTo('POST /api/message-files/{id}/save')).toHaveLength(3))
  fireEvent.click(closed.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  resolve(problemResponse('storage_full'))
  expect(await screen.findByText('Error saving file')).toBeTruthy()
  server.setHandlers({ 'POST /api/message-files/{id}/save': () => problemResponse('storage_full') })
  const failing = await save()
  fireEvent.click(failing.getByRole('button', { name: 'Save to Files' }))
  expect((await failing.findByRole('alert')).textContent).not.toBe('') // the dialog stays, and says why
  server.setHandlers({ 'GET /api/message-files/{id}/content': () => problemResponse('not_found') })
  fireEvent.click(answer.getByRole('button', { name: 'Download offer.csv' }))
  expect(await screen.findByText('Download failed')).toBeTruthy()
})

test('the response to a save whose dialog was closed does not close the dialog of another file', async () => {
  const file = { id: dealId, file_name: 'offer.csv', mime_type: 'text/csv', file_size: 2048 }
  const otherFile = { ...file, id: projects.id, file_name: 'plan.csv' }
  const { promise, resolve } = Promise.withResolvers<Response>()
  const { server } = await openChat([makeQuestion(), makeAnswer({ files: [file, otherFile] })], {
    'GET /api/folders': { rows: [], next: null },
    'POST /api/message-files/{id}/save': () => promise,
  })
  const answer = await findAnswer()
  fireEvent.click(answer.getByRole('button', { name: 'Save to Files: offer.csv' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Save offer.csv' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Save to Files' }))
  await waitFor(() => expect(server.requestsTo('POST /api/message-files/{id}/save')).toHaveLength(1))
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  fireEvent.click(answer.getByRole('button', { name: 'Save to Files: plan.csv' }))
  await screen.findByRole('dialog', { name: 'Save plan.csv' })
  resolve(changeResponse('c-1', { ...surveyFile, file_name: 'offer.csv' }, 201))
  expect(await screen.findByText('Saved to Files')).toBeTruthy()
  await waitFor(() => expect(queries.isMutating()).toBe(0))
  expect(screen.getByRole('dialog', { name: 'Save plan.csv' })).toBeTruthy()
})

test('the tokens and the cost of an answer are below it', async () => {
  await openChat([makeQuestion(), makeAnswer({ input_tokens: 1000, output_tokens: 204, cost: 0.0042 })])
  expect((await findAnswer()).getByText(/1,204 tokens · \$0\.0042/)).toBeTruthy()
})

test('a draft is stored in the tab and returns with its conversation', async () => {
  const { router } = await openChat([makeQuestion(), makeAnswer()])
  fireEvent.change(screen.getByRole('textbox', { name: 'Message' }), { target: { value: 'And the others?' } })
  const [key = '', value = ''] = Object.entries(sessionStorage).find(([name]) => name.includes(quietDeals.id)) ?? []
  // as if the draft of another conversation had been stored before a reload
  sessionStorage.setItem(key.replace(quietDeals.id, receptionDesk.id), value)
  await act(() => router.navigate({ to: '/assistant/$id', params: { id: receptionDesk.id } }))
  await waitFor(() => expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value).toBe('And the others?'))
})

test('screen readers hear finished sentences, not every piece', async () => {
  const stream = openAnswerStream()
  await openChat([makeQuestion(), makeAnswer({ content: '', state: 'streaming' })], { 'GET /api/messages/{id}/events': stream.response })
  const log = screen.getByRole('log', { name: 'Answer' })
  act(() => stream.send({ type: 'text', at: 0, text: 'Four **deals** are quiet. The fir' }))
  await waitFor(() => expect(log.textContent).toBe('The assistant is answering.Four deals are quiet.'))
  act(() => stream.send({ type: 'text', at: 33, text: 'st is [Lobby](foyer:deal/1).' }))
  const message = makeAnswer({ content: 'Four **deals** are quiet. The first is [Lobby](foyer:deal/1).' })
  act(() => stream.send({ type: 'end', message }))
  await waitFor(() => expect(log.textContent).toBe('Four deals are quiet.The first is Lobby.'))
})

test('earlier messages are loaded before the first one', async () => {
  const earlier = makeQuestion({ id: dealId, content: 'An early question' })
  const { server } = await openChat([], {
    'GET /api/conversations/{id}/messages': ({ query }) =>
      query['before'] === undefined ? { rows: [makeQuestion(), makeAnswer()], has_more: true } : { rows: [earlier], has_more: false },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Show earlier messages' }))
  expect(await screen.findByText('An early question')).toBeTruthy()
  expect(screen.getAllByRole('article').map((article) => article.getAttribute('aria-label'))).toEqual(['You', 'You', 'Assistant'])
  expect(server.requestsTo('GET /api/conversations/{id}/messages').at(-1)?.query).toEqual({ before: makeQuestion().id })
  expect(screen.queryByRole('button', { name: 'Show earlier messages' })).toBeNull()
})

test('without an AI the conversation can be read, one sentence says how to turn it on, and a typed message is kept but not sent', async () => {
  await openChat([makeQuestion(), makeAnswer()], { 'GET /api/ai': { ...operatorAi, source: 'off', model: '' } })
  expect(await screen.findByText(/No AI is connected\. Connect one on the account page/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Open account' }).getAttribute('href')).toBe('/account#ai')
  expect(screen.getByText('Four deals have gone quiet.')).toBeTruthy()
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  fireEvent.change(field, { target: { value: 'Which deals?' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(field.value).toBe('Which deals?')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
})

test('a new chat offers questions about what the workspace has, and one that cannot be sent is added to the draft', async () => {
  const dashboard = { ...emptyDashboard, empty: false, first_steps_done: ['contact', 'deal'] }
  const server = mockServer({
    ...assistantHandlers,
    'GET /api/ai': operatorAi,
    'GET /api/dashboard': dashboard,
    'GET /api/contacts': { rows: [], next: null },
    'GET /api/files': { rows: [surveyFile], next: null },
    'POST /api/conversations': () => problemResponse('internal'),
  })
  await renderApp('/assistant')
  const examples = within(await screen.findByRole('list', { name: 'Examples' }))
  const deals = await examples.findByRole('button', { name: /Which deals need me this week\?/ })
  expect(examples.getAllByRole('button').map((button) => button.querySelector('span > span')?.textContent)).toEqual([
    'Which deals need me this week?',
    `Summarise ${surveyFile.file_name}`,
    'Draw a picture for my website',
  ])
  const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  fireEvent.change(await field(), { target: { value: 'Unsent' } })
  fireEvent.click(deals)
  await waitFor(() =>
    expect(server.requestsTo('POST /api/conversations')[0]?.body).toMatchObject({ title: 'Which deals need me this week?' }),
  )
  await screen.findByText('Failed to get response')
  await waitFor(async () => expect((await field()).value).toBe('Unsent\n\nWhich deals need me this week?'))
})
