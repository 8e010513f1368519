import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { changeResponse, mockServer, renderApp, setWindowWidth } from '#web/testing.ts'
import { assistantHandlers, quietDeals, receptionDesk } from '../testing.ts'
import { groupConversations } from './groupConversations.ts'

beforeEach(() => setWindowWidth(1280))

const noMessages = { rows: [], has_more: false }

test('conversations are grouped by the day of their newest message', () => {
  const at = (last_message_at: string) => ({ last_message_at })
  const rows = ['2026-11-20T08:00:00Z', '2026-11-19T23:00:00Z', '2026-11-18T09:00:00Z', '2026-11-13T09:00:00Z', '2026-11-12T09:00:00Z']
  const older = ['2026-10-02T09:00:00Z', '2025-10-02T09:00:00Z']
  const groups = groupConversations([...rows, ...older].map(at), Date.parse('2026-11-20T12:00:00Z'))
  expect(groups.map(({ label, rows: members }) => [label, members.length])).toEqual([
    ['Today', 1],
    ['Yesterday', 1],
    ['Last 7 days', 2],
    ['November', 1],
    ['October', 1],
    ['October 2025', 1],
  ])
})

test('the mark of an answer that is being written disappears after the answer, also if this tab does not read the answer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = mockServer({
    ...assistantHandlers,
    'GET /api/conversations': { rows: [{ ...quietDeals, is_answering: true }], next: null },
  })
  await renderApp('/assistant')
  await screen.findByText('is answering')
  server.setHandlers({ 'GET /api/conversations': { rows: [quietDeals], next: null } })
  await act(() => vi.advanceTimersByTimeAsync(5000))
  await waitFor(() => expect(screen.queryByText('is answering')).toBeNull())
  const count = server.requestsTo('GET /api/conversations').length
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(server.requestsTo('GET /api/conversations')).toHaveLength(count)
})

test('a conversation is renamed in place with F2 and Enter', async () => {
  const server = mockServer({
    ...assistantHandlers,
    'GET /api/conversations/{id}/messages': noMessages,
    'PATCH /api/conversations/{id}': () => changeResponse('c-1', { ...quietDeals, title: 'Deals of November', version: 2 }),
  })
  await renderApp('/assistant')
  fireEvent.keyDown(await screen.findByRole('link', { name: quietDeals.title }), { key: 'F2' })
  const title = screen.getByRole('textbox', { name: 'Title of the chat' })
  fireEvent.change(title, { target: { value: ' Deals of November ' } })
  server.setHandlers({ 'GET /api/conversations': { rows: [{ ...quietDeals, title: 'Deals of November' }, receptionDesk], next: null } })
  fireEvent.keyDown(title, { key: 'Enter' })
  const link = await screen.findByRole('link', { name: 'Deals of November' })
  expect(document.activeElement).toBe(link)
  await waitFor(() => expect(server.requestsTo('PATCH /api/conversations/{id}')).toHaveLength(1))
  expect(server.requestsTo('PATCH /api/conversations/{id}')[0]?.body).toEqual({ title: 'Deals of November', version: 1 })
})

test('Escape leaves the title as it was', async () => {
  const server = mockServer(assistantHandlers)
  await renderApp('/assistant')
  fireEvent.doubleClick(await screen.findByRole('link', { name: quietDeals.title }))
  const title = await screen.findByRole('textbox', { name: 'Title of the chat' })
  fireEvent.change(title, { target: { value: 'Something else' } })
  fireEvent.keyDown(title, { key: 'Escape' })
  expect(screen.getByRole('link', { name: quietDeals.title })).toBeTruthy()
  expect(server.requestsTo('PATCH /api/conversations/{id}')).toHaveLength(0)
})

test.each(['Enter', 'Escape'])('%s that ends the composition of a word does not end the renaming', async (key) => {
  const server = mockServer(assistantHandlers)
  await renderApp('/assistant')
  fireEvent.keyDown(await screen.findByRole('link', { name: quietDeals.title }), { key: 'F2' })
  const title = screen.getByRole('textbox', { name: 'Title of the chat' })
  fireEvent.change(title, { target: { value: '十一月' } })
  fireEvent.keyDown(title, { key, isComposing: true })
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Title of the chat' }).value).toBe('十一月')
  expect(server.requestsTo('PATCH /api/conversations/{id}')).toHaveLength(0)
})

/** Opens the assistant and types the title "Deals of November" of a conversation, which the server accepts. */
async function typeNewTitle() {
  const server = mockServer({
    ...assistantHandlers,
    'PATCH /api/conversations/{id}': () => changeResponse('c-1', { ...quietDeals, title: 'Deals of November', version: 2 }),
  })
  await renderApp('/assistant')
  fireEvent.keyDown(await screen.findByRole('link', { name: quietDeals.title }), { key: 'F2' })
  const title = screen.getByRole('textbox', { name: 'Title of the chat' })
  fireEvent.change(title, { target: { value: 'Deals of November' } })
  server.setHandlers({ 'GET /api/conversations': { rows: [{ ...quietDeals, title: 'Deals of November' }, receptionDesk], next: null } })
  return { server, title }
}

test('leaving the field with the title saves it, and does not move the focus to the conversation', async () => {
  const { server } = await typeNewTitle()
  const focused: (string | null)[] = []
  const noteFocus = ({ target }: FocusEvent) => void focused.push(target instanceof Element ? target.getAttribute('aria-label') : null)
  document.addEventListener('focusin', noteFocus)
  onTestFinished(() => document.removeEventListener('focusin', noteFocus))
  act(() => screen.getByRole('textbox', { name: 'Message' }).focus())
  expect(await screen.findByRole('link', { name: 'Deals of November' })).toBeTruthy()
  expect(focused).toEqual(['Message'])
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' }))
  await waitFor(() => expect(server.requestsTo('PATCH /api/conversations/{id}')).toHaveLength(1))
})

test('a switch to another window saves the title, and the conversation has the focus when the user returns', async () => {
  const { server, title } = await typeNewTitle()
  fireEvent.blur(title) // the field stays the active element
  const link = await screen.findByRole('link', { name: 'Deals of November' })
  expect(document.activeElement).toBe(link)
  await waitFor(() => expect(server.requestsTo('PATCH /api/conversations/{id}')).toHaveLength(1))
})

test('deleting the open conversation removes it, opens a new chat and offers Undo', async () => {
  const server = mockServer({
    ...assistantHandlers,
    'GET /api/conversations/{id}/messages': noMessages,
    'DELETE /api/conversations/{id}': () => changeResponse('c-1'),
  })
  const { router } = await renderApp(`/assistant/${quietDeals.id}`)
  await screen.findByRole('link', { name: quietDeals.title })
  server.setHandlers({ 'GET /api/conversations': { rows: [receptionDesk], next: null } })
  fireEvent.click(screen.getByRole('button', { name: `More for ${quietDeals.title}` }))
  fireEvent.click(await screen.findByRole('menuitem', { name: /Delete/ }))
  expect(await screen.findByText('Conversation deleted')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('link', { name: quietDeals.title })).toBeNull())
  expect(router.state.location.pathname).toBe('/assistant')
})

test.each(['Delete', 'the menu'])(
  'when a conversation is deleted with %s, the next one gets the focus, and after the last one the search field',
  async (way) => {
    let rows = [quietDeals, receptionDesk]
    mockServer({
      ...assistantHandlers,
      'GET /api/conversations': () => ({ rows, next: null }),
      'DELETE /api/conversations/{id}': ({ params }) => {
        rows = rows.filter(({ id }) => id !== params['id'])
        return changeResponse('c-1')
      },
    })
    await renderApp('/assistant')
    const remove = async (title: string) => {
      const link = await screen.findByRole('link', { name: title })
      link.focus()
      if (way === 'Delete') return fireEvent.keyDown(link, { key: 'Delete' })
      const button = screen.getByRole('button', { name: `More for ${title}` })
      button.focus()
      fireEvent.click(button)
      return fireEvent.click(await screen.findByRole('menuitem', { name: /Delete/ }))
    }
    await remove(quietDeals.title)
    await waitFor(() => expect(screen.queryByRole('link', { name: quietDeals.title })).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: receptionDesk.title })))
    await remove(receptionDesk.title)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search chats' })))
  },
)

test('the search is sent to the server, and says when nothing is found', async () => {
  const server = mockServer(assistantHandlers)
  await renderApp('/assistant')
  await screen.findByRole('link', { name: quietDeals.title })
  server.setHandlers({ 'GET /api/conversations': { rows: [], next: null } })
  const field = screen.getByRole('searchbox', { name: 'Search chats' })
  fireEvent.change(field, { target: { value: 'walnut' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(await screen.findByText('No chat has these words.')).toBeTruthy()
  expect(server.requestsTo('GET /api/conversations').at(-1)?.query).toEqual({ search: 'walnut' })
})

test('on a phone the title opens the list, which closes when a conversation is opened', async () => {
  setWindowWidth(390)
  mockServer({ ...assistantHandlers, 'GET /api/conversations/{id}/messages': noMessages })
  const { router } = await renderApp('/assistant')
  fireEvent.click(await screen.findByRole('button', { name: 'Show chats' }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Chats' }))
  fireEvent.click(await sheet.findByRole('link', { name: receptionDesk.title }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(router.state.location.pathname).toBe(`/assistant/${receptionDesk.id}`)
})

test('a dot marks a conversation whose answer is being written', async () => {
  mockServer({
    ...assistantHandlers,
    'GET /api/conversations': { rows: [{ ...quietDeals, is_answering: true }, receptionDesk], next: null },
  })
  await renderApp('/assistant')
  expect(await screen.findByRole('link', { name: `${quietDeals.title} is answering` })).toBeTruthy()
  expect(screen.getByRole('link', { name: receptionDesk.title })).toBeTruthy()
})
