import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { watchSession } from '#web/lib/session.ts'
import { readFromTab, storeInTab } from '#web/lib/tabMemory.ts'
import { storeForUndo } from '#web/lib/undo.ts'
import { emptyDashboard } from '#web/dashboard/testing.ts'
import { nora, problemResponse, renderApp, mockServer } from '#web/testing.ts'

const handlers = {
  'GET /api/session': nora,
  'GET /api/dashboard': emptyDashboard,
  'GET /api/trash': { rows: [], next: null },
  'GET /api/instance': { sign_up_open: true, sends_mail: true },
}
const sendFromOtherTab = (message: object): void => {
  const otherTab = new BroadcastChannel('foyer-session')
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within the origin
  otherTab.postMessage(message)
  setTimeout(() => otherTab.close(), 100)
}

test.each([
  ['in this tab', () => fireEvent.click(screen.getByRole('button', { name: 'Sign Out' }))],
  ['in another tab', () => sendFromOtherTab({ signedOut: true })],
])('signing out %s removes the drafts of this tab', async (_where, signOut) => {
  mockServer({ ...handlers, 'DELETE /api/session': undefined })
  await renderApp('/dashboard')
  await screen.findByRole('button', { name: 'Sign Out' })
  storeInTab('letter', 'Dear') // a draft: text that the user has typed and not saved
  signOut()
  await screen.findByRole('heading', { name: 'Welcome Back' })
  await waitFor(() => expect(readFromTab('letter', z.string())).toBeUndefined())
})

test('a page that is still shown after the session was removed renders again without an error', async () => {
  const server = mockServer({ ...handlers, 'DELETE /api/session': undefined })
  await renderApp('/dashboard')
  const signOutButton = await screen.findByRole('button', { name: 'Sign Out' })
  onTestFinished(watchSession(() => Promise.resolve())) // as if React had not rendered the sign-in page yet
  server.setHandlers({ 'GET /api/session': () => new Promise<undefined>(() => {}) })
  fireEvent.click(signOutButton)
  await screen.findByText('Signed out')
  fireEvent.keyDown(document.body, { key: 'b', ctrlKey: true }) // renders the frame again
  expect(screen.getByRole('button', { name: 'Sign Out' })).toBeTruthy()
})

test('signing out removes the undo history', async () => {
  const server = mockServer({ ...handlers, 'DELETE /api/session': undefined })
  await renderApp('/dashboard')
  await screen.findByRole('button', { name: 'Sign Out' })
  storeForUndo('c-1', 'Contact deleted')
  fireEvent.click(screen.getByRole('button', { name: 'Sign Out' }))
  await screen.findByRole('heading', { name: 'Welcome Back' })
  await waitFor(() => expect(JSON.stringify([sessionStorage, localStorage])).not.toContain('Contact deleted'))
  cleanup()
  await renderApp('/dashboard')
  await screen.findByRole('button', { name: 'Sign Out' })
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(await screen.findByText('Nothing to undo')).toBeTruthy()
  expect(server.requestsTo('POST /api/changes/{id}/undo')).toEqual([])
})

test('when a request is refused during sign-out, the sign-in page does not get the current address as `next`', async () => {
  const signedOut = Promise.withResolvers<undefined>()
  const server = mockServer({ ...handlers, 'DELETE /api/session': () => signedOut.promise })
  const { router } = await renderApp('/dashboard')
  fireEvent.click(await screen.findByRole('button', { name: 'Sign Out' }))
  await waitFor(() => expect(server.requestsTo('DELETE /api/session')).toHaveLength(1))
  server.setHandlers({ 'GET /api/trash': () => problemResponse('not_signed_in') })
  fireEvent.click(screen.getByRole('link', { name: 'Trash' }))
  await waitFor(() => expect(server.requestsTo('GET /api/trash')).not.toHaveLength(0))
  await screen.findByRole('heading', { name: 'Trash' })
  signedOut.resolve(undefined)
  await screen.findByRole('heading', { name: 'Welcome Back' })
  expect(router.state.location.search).toEqual({})
})

test('when the session ends without signing out, drafts are kept', async () => {
  const server = mockServer(handlers)
  await renderApp('/dashboard')
  await screen.findByRole('heading', { name: 'Welcome, Nora' })
  storeInTab('letter', 'Dear')
  server.setHandlers({
    'GET /api/trash': () => problemResponse('not_signed_in'),
    'GET /api/session': () => problemResponse('not_signed_in'),
  })
  fireEvent.click(screen.getByRole('link', { name: 'Trash' }))
  await screen.findByRole('heading', { name: 'Welcome Back' })
  expect(readFromTab('letter', z.string())).toBe('Dear')
})

test('signing out in another tab opens the sign-in page in this tab too, with the current address as `next`', async () => {
  mockServer(handlers)
  const { router } = await renderApp('/trash')
  await screen.findByText('The trash is empty')
  sendFromOtherTab({ signedOut: true })
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeTruthy()
  expect(router.state.location.search).toEqual({ next: '/trash' })
})
