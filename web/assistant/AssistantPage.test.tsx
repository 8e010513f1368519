import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { setRegion } from '#web/lib/format.ts'
import { mockServer, nora, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import {
  assistantHandlers,
  createHandler,
  makeAnswer,
  makeQuestion,
  openAnswerStream,
  quietDeals,
  readBody,
  sendHandler,
} from './testing.ts'

beforeEach(() => setWindowWidth(1280))

const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const type = async (text: string) => fireEvent.change(await field(), { target: { value: text } })
const send = () => fireEvent.click(screen.getByRole('button', { name: 'Send' }))

test('a new chat says what the assistant can do', async () => {
  mockServer(assistantHandlers)
  await renderApp('/assistant')
  expect(await screen.findByRole('heading', { name: 'Ask me anything!' })).toBeTruthy()
  expect(screen.getByText('I can help you manage files, answer questions, or generate images.')).toBeTruthy()
  expect((await field()).placeholder).toBe('Type your message...')
  expect(screen.getByRole('link', { name: 'Assistant' }).getAttribute('aria-current')).toBe('page')
  expect(document.title).toBe('Assistant - Foyer')
})

test('the first message creates a conversation, is shown at once, and the answer fills as its text arrives', async () => {
  onTestFinished(() => setRegion(nora.profile))
  const stream = openAnswerStream()
  const server = mockServer({
    ...assistantHandlers,
    'GET /api/session': { ...nora, profile: { ...nora.profile, timezone: 'America/New_York' } },
    'POST /api/conversations': createHandler,
    'POST /api/conversations/{id}/messages': sendHandler,
    'GET /api/messages/{id}/events': stream.response,
  })
  const { router } = await renderApp('/assistant')
  await type('  Who is new?\nSince Monday  ')
  send()
  expect(await screen.findByText(/Who is new\?/)).toBeTruthy()
  expect((await field()).value).toBe('')
  await screen.findByRole('button', { name: 'Stop' })
  await waitFor(() => expect(server.requestsTo('GET /api/messages/{id}/events')).toHaveLength(1))
  const created = server.requestsTo('POST /api/conversations')[0]
  expect(created?.body).toMatchObject({ title: 'Who is new?' })
  const id = readBody(created?.body)['id']
  expect(router.state.location.pathname).toBe(`/assistant/${id}`)
  const sent = server.requestsTo('POST /api/conversations/{id}/messages')[0]
  expect(sent?.body).toMatchObject({
    content: '  Who is new?\nSince Monday  ',
    timezone: 'America/New_York', // the time zone of the profile, in which the lists show dates
  })
  act(() => stream.send({ type: 'text', at: 0, text: 'Two contacts ' }))
  expect(await screen.findByText('Two contacts')).toBeTruthy()
  act(() => stream.send({ type: 'text', at: 13, text: 'are new.' }))
  expect(await screen.findByText('Two contacts are new.')).toBeTruthy()
  const { answer_id: answerId = '' } = readBody(sent?.body)
  const message = makeAnswer({ id: answerId, conversation_id: id ?? '', content: 'Two contacts are new.' })
  const article = screen.getByRole('article', { name: 'Assistant' })
  const shown: string[] = []
  const observer = new MutationObserver(() => shown.push(article.textContent))
  observer.observe(article, { subtree: true, childList: true, characterData: true })
  act(() => stream.send({ type: 'end', message }))
  expect(await screen.findByRole('button', { name: 'Send' })).toBeTruthy()
  stream.end()
  observer.disconnect()
  // the text never disappears, not even for a moment, because the messages would scroll
  expect(shown.filter((text) => !text.includes('Two contacts are new.'))).toEqual([])
})

test('Enter sends, Shift+Enter does not, and nothing is sent while the field is blank or an answer is being written', async () => {
  const stream = openAnswerStream()
  const server = mockServer({
    ...assistantHandlers,
    'GET /api/conversations/{id}/messages': { rows: [makeQuestion()], has_more: false },
    'POST /api/conversations/{id}/messages': sendHandler,
    'GET /api/messages/{id}/events': stream.response,
  })
  await renderApp(`/assistant/${quietDeals.id}`)
  await screen.findByText('Which open deals have gone quiet?')
  const sendRequests = () => server.requestsTo('POST /api/conversations/{id}/messages')
  await type('   ')
  fireEvent.keyDown(await field(), { key: 'Enter' })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  await type('And this week?')
  fireEvent.keyDown(await field(), { key: 'Enter', shiftKey: true })
  expect(sendRequests()).toHaveLength(0)
  fireEvent.keyDown(await field(), { key: 'Enter' })
  await waitFor(() => expect(sendRequests()).toHaveLength(1))
  await type('And today?')
  fireEvent.keyDown(await field(), { key: 'Enter' })
  expect(sendRequests()).toHaveLength(1)
  expect((await field()).value).toBe('And today?')
})

test('a message that cannot be sent returns to the field, and a toast says why', async () => {
  const server = mockServer({
    ...assistantHandlers,
    'GET /api/conversations/{id}/messages': { rows: [makeQuestion()], has_more: false },
    'POST /api/conversations/{id}/messages': () => problemResponse('internal'),
  })
  await renderApp(`/assistant/${quietDeals.id}`)
  await type('And this week?')
  send()
  expect(await screen.findByText('Failed to get response')).toBeTruthy()
  expect(screen.getByText('Error')).toBeTruthy()
  expect((await field()).value).toBe('And this week?')
  expect(within(screen.getByRole('region', { name: 'Messages' })).queryByText('And this week?')).toBeNull()
  server.setHandlers({ 'POST /api/conversations/{id}/messages': () => problemResponse('ai_limit') })
  send()
  expect(await screen.findByText('The AI has been used up to its limit for today. It works again tomorrow.')).toBeTruthy()
})

test('when a conversation cannot be created, another one that the user has opened during the request stays open', async () => {
  const created = Promise.withResolvers<void>()
  mockServer({
    ...assistantHandlers,
    'GET /api/conversations/{id}/messages': { rows: [makeQuestion()], has_more: false },
    'POST /api/conversations': async () => {
      await created.promise
      return problemResponse('internal')
    },
  })
  const { router } = await renderApp('/assistant')
  await type('Who is new?')
  send()
  await screen.findByRole('article', { name: 'You' })
  await act(() => router.navigate({ to: '/assistant/$id', params: { id: quietDeals.id } }))
  created.resolve()
  await screen.findByText('Failed to get response')
  expect(router.state.location.pathname).toBe(`/assistant/${quietDeals.id}`)
  await act(() => router.navigate({ to: '/assistant' }))
  expect((await field()).value).toBe('Who is new?')
  await type('') // otherwise the next test begins with this draft
})

test('a message that cannot be sent is added to what was typed in the meantime', async () => {
  const sent = Promise.withResolvers<void>()
  mockServer({
    ...assistantHandlers,
    'GET /api/conversations/{id}/messages': { rows: [makeQuestion()], has_more: false },
    'POST /api/conversations/{id}/messages': async () => {
      await sent.promise
      return problemResponse('internal')
    },
  })
  await renderApp(`/assistant/${quietDeals.id}`)
  await type('And this week?')
  send()
  await waitFor(async () => expect((await field()).value).toBe(''))
  await type('And today?')
  sent.resolve()
  await waitFor(async () => expect((await field()).value).toBe('And today?\n\nAnd this week?'))
})

test('an answer without any text is removed, and a toast says so', async () => {
  const stream = openAnswerStream()
  mockServer({
    ...assistantHandlers,
    'GET /api/conversations/{id}/messages': { rows: [makeQuestion(), makeAnswer({ content: '', state: 'streaming' })], has_more: false },
    'GET /api/messages/{id}/events': stream.response,
  })
  await renderApp(`/assistant/${quietDeals.id}`)
  await screen.findByRole('article', { name: 'Assistant' })
  act(() => stream.send({ type: 'end', message: makeAnswer({ content: ' ', state: 'failed' }) }))
  expect(await screen.findByText('Received empty response from AI. Please try again.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Assistant' })).toBeNull())
})

test('after a lost connection the text continues at its offset', async () => {
  const [first, second] = [openAnswerStream(), openAnswerStream()]
  const streams = [first, second]
  const server = mockServer({
    ...assistantHandlers,
    'GET /api/conversations/{id}/messages': { rows: [makeQuestion(), makeAnswer({ content: '', state: 'streaming' })], has_more: false },
    'GET /api/messages/{id}/events': () => streams.shift()?.response,
  })
  await renderApp(`/assistant/${quietDeals.id}`)
  await screen.findByRole('article', { name: 'Assistant' })
  act(() => first.send({ type: 'text', at: 0, text: 'Four deals' }))
  await screen.findByText('Four deals')
  act(() => first.lose())
  await waitFor(() => expect(server.requestsTo('GET /api/messages/{id}/events')).toHaveLength(2))
  expect(server.requestsTo('GET /api/messages/{id}/events')[1]?.query).toEqual({ from: '10', steps: '0' })
  act(() => second.send({ type: 'text', at: 10, text: ' are quiet.' }))
  expect(await screen.findByText('Four deals are quiet.')).toBeTruthy()
})

test('a connection that sends nothing for a minute counts as lost, and any byte restarts this minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const [first, second] = [openAnswerStream(), openAnswerStream()]
  const streams = [first, second]
  const server = mockServer({
    ...assistantHandlers,
    'GET /api/conversations/{id}/messages': { rows: [makeQuestion(), makeAnswer({ content: '', state: 'streaming' })], has_more: false },
    'GET /api/messages/{id}/events': ({ signal }) => {
      const stream = streams.shift()
      signal?.addEventListener('abort', () => stream?.lose())
      return stream?.response
    },
  })
  await renderApp(`/assistant/${quietDeals.id}`)
  const connections = () => server.requestsTo('GET /api/messages/{id}/events')
  await waitFor(() => expect(connections()).toHaveLength(1))
  await act(() => vi.advanceTimersByTimeAsync(50_000))
  first.write(': still here\n\n')
  await act(() => vi.advanceTimersByTimeAsync(50_000))
  expect(connections()).toHaveLength(1)
  await act(() => vi.advanceTimersByTimeAsync(12_000))
  expect(connections()).toHaveLength(2)
})

test('Stop stops the answer, which keeps its text', async () => {
  const stream = openAnswerStream()
  const server = mockServer({
    ...assistantHandlers,
    'GET /api/conversations/{id}/messages': {
      rows: [makeQuestion(), makeAnswer({ content: 'Four', state: 'streaming' })],
      has_more: false,
    },
    'GET /api/messages/{id}/events': stream.response,
    'POST /api/messages/{id}/stop': undefined,
  })
  await renderApp(`/assistant/${quietDeals.id}`)
  const stop = await screen.findByRole('button', { name: 'Stop' })
  stop.focus()
  fireEvent.click(stop)
  expect(document.activeElement).toBe(await field())
  await waitFor(() => expect(server.requestsTo('POST /api/messages/{id}/stop')).toHaveLength(1))
  act(() => stream.send({ type: 'end', message: makeAnswer({ content: 'Four', state: 'stopped' }) }))
  expect(await screen.findByRole('button', { name: 'Send' })).toBeTruthy()
  expect(screen.getByText('Four')).toBeTruthy()
})
