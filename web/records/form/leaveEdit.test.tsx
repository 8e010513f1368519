// Tests that Cancel and Escape in an edit form go back to the page on which the form was opened.
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { bastian, editImaraAddress, field, formRoutes, imara, setElementSize, sunniva, type, waitForImara } from '#web/contacts/testing.ts'
import { barRefit, mockServerWith, waitingRoom } from '#web/deals/testing.ts'
import { filledDashboard } from '#web/dashboard/testing.ts'
import { queries } from '#web/lib/queries.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'
import { isUnfocused } from '#web/ui/unfocused.ts'

beforeEach(setElementSize)

/** The server returns Imara for every id of a contact, so each form shows Imara. */
const contactRoutes = {
  ...formRoutes,
  'GET /api/dashboard': filledDashboard,
  'GET /api/changes/recent': { rows: [] },
  'GET /api/contacts/tags': { tags: [] },
  'GET /api/views': { rows: [] },
  'GET /api/deals': { rows: [], next: null },
  'GET /api/deals/count': { count: 0, more: false },
}
const cancel = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
const pressEscape = (): void => void fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })

test.each([
  ['Cancel', cancel],
  ['Escape', pressEscape],
])('%s in the form of a contact returns to the list with its search and sort', async (_name, leave) => {
  mockServer(contactRoutes)
  const { router } = await renderApp('/crm/contacts?search=a&sort=name')
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Imara Vantongeren' }))
  await waitForImara()
  await waitFor(() => expect(document.activeElement).toBe(field('First name')))
  leave()
  await waitFor(() => expect(router.state.location.href).toBe('/crm/contacts?search=a&sort=name'))
})

test.each([`/crm/contacts/${imara.id}?tab=deals`, '/dashboard'])('Cancel returns to %s if the form was opened there', async (address) => {
  mockServer(contactRoutes)
  const { router } = await renderApp(address)
  await screen.findByRole('button', { name: 'Sign Out' })
  await act(() => router.navigate({ to: editImaraAddress }))
  await waitForImara()
  cancel()
  await waitFor(() => expect(router.state.location.href).toBe(address))
})

test.each([
  ['Cancel', cancel],
  ['Escape', pressEscape],
])('%s in a form that was opened by its address asks whether to discard the changes, and then opens the contact', async (_name, leave) => {
  mockServer(contactRoutes)
  const { router } = await renderApp(editImaraAddress)
  await waitForImara()
  type('Title optional', 'Owner')
  leave()
  fireEvent.click(await screen.findByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(router.state.location.href).toBe(`/crm/contacts/${imara.id}`))
})

test('Cancel returns to the list even if the user had to sign in again while the form was open', async () => {
  const server = mockServer({ ...contactRoutes, 'GET /api/instance': { sign_up_open: true, sends_mail: true } })
  const { router } = await renderApp('/crm/contacts?search=a')
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Imara Vantongeren' }))
  await waitForImara()
  server.setHandlers({
    'GET /api/session': () => problemResponse('not_signed_in'),
    'GET /api/contacts/{id}': () => problemResponse('not_signed_in'),
  })
  await act(() => queries.invalidateQueries()) // the next requests fail, because the session has ended
  await screen.findByRole('heading', { name: 'Welcome Back' })
  server.setHandlers({ ...contactRoutes, 'POST /api/session': { ...nora, token: 'a-token' } })
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: nora.user.email } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'a password' } })
  fireEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  await waitForImara()
  cancel()
  await waitFor(() => expect(router.state.location.href).toBe('/crm/contacts?search=a'))
})

test.each([
  ['Cancel', cancel],
  ['Escape', pressEscape],
])('%s in the form of a contact returns the focus to the button of the row that opened it', async (_name, leave) => {
  mockServer(contactRoutes)
  await renderApp('/crm/contacts')
  const editButton = await screen.findByRole('button', { name: 'Edit Bastian Ollerquist' })
  editButton.focus()
  fireEvent.click(editButton)
  await waitForImara()
  await waitFor(() => expect(document.activeElement).toBe(field('First name')))
  leave()
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Edit Bastian Ollerquist'))
})

test('Escape in the form of a contact returns the focus to the row in which the key E opened it', async () => {
  mockServer(contactRoutes)
  await renderApp('/crm/contacts')
  const row = (await screen.findByRole('link', { name: 'Bastian Ollerquist' })).closest('tr')
  act(() => row?.focus())
  fireEvent.keyDown(row ?? document.body, { key: 'e' })
  await waitForImara()
  await waitFor(() => expect(document.activeElement).toBe(field('First name')))
  pressEscape()
  await waitFor(() => expect(document.activeElement?.matches('tr')).toBe(true))
  expect(document.activeElement?.textContent).toContain('Bastian Ollerquist')
})

test.each([
  ['Cancel', cancel],
  ['Escape', pressEscape],
])('%s in the form of a contact returns the focus to “Edit contact” on the page of the contact', async (_name, leave) => {
  mockServer(contactRoutes)
  await renderApp(`/crm/contacts/${imara.id}`)
  const editLink = await screen.findByRole('link', { name: 'Edit contact' })
  editLink.focus()
  fireEvent.click(editLink)
  await waitForImara()
  await waitFor(() => expect(document.activeElement).toBe(field('First name')))
  leave()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Edit contact'))
})

test.each([
  ['the row of the contact', bastian.id, 'Bastian Ollerquist'],
  ['the first row, if the list does not have the contact', sunniva.id, 'Imara Vantongeren'],
])('a form that was opened from the list without a button returns the focus to %s', async (_place, id, name) => {
  mockServer(contactRoutes)
  const { router } = await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Bastian Ollerquist' })
  await act(() => router.navigate({ to: '/crm/contacts/edit/$id', params: { id } }))
  await waitFor(() => expect(document.activeElement).toBe(field('First name')))
  cancel()
  await waitFor(() => expect(document.activeElement?.matches('tr')).toBe(true))
  expect(document.activeElement?.textContent).toContain(name)
})

test('a form that the key N has opened returns the focus to the link to the form', async () => {
  mockServer(contactRoutes)
  await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Bastian Ollerquist' })
  fireEvent.keyDown(document.body, { key: 'n' })
  await waitFor(() => expect(document.activeElement).toBe(field('First name')))
  pressEscape()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Add contact'))
})

test.each([
  ['its row gets the focus', () => {}, (): unknown => document.activeElement?.getAttribute('aria-label'), 'Edit Bastian Ollerquist'],
  ['an element that the user has focused keeps it', () => screen.getByRole('searchbox').focus(), () => document.activeElement, undefined],
])('when the list is loaded some time after a form was closed, %s', async (_outcome, moveFocus, readFocus, expected) => {
  const server = mockServer(contactRoutes)
  await renderApp('/crm/contacts')
  const editButton = await screen.findByRole('button', { name: 'Edit Bastian Ollerquist' })
  editButton.focus()
  fireEvent.click(editButton)
  await waitFor(() => expect(document.activeElement).toBe(field('First name')))
  const { promise, resolve } = Promise.withResolvers<object>()
  server.setHandlers({ 'GET /api/contacts': () => promise })
  queries.removeQueries({ queryKey: recordKeys('crm_contacts').pages })
  cancel()
  await screen.findByRole('link', { name: 'Add contact' })
  act(() => moveFocus())
  resolve(contactRoutes['GET /api/contacts'])
  await screen.findByRole('button', { name: 'Edit Bastian Ollerquist' })
  await waitFor(() => expect(readFocus()).toBe(expected ?? screen.getByRole('searchbox')))
})

test('a form that is closed with the whole application takes no focus afterwards', async () => {
  mockServer(contactRoutes)
  await renderApp(editImaraAddress)
  await waitForImara()
  cleanup()
  await renderApp('/crm/contacts')
  await screen.findByRole('link', { name: 'Bastian Ollerquist' })
  expect(isUnfocused(document.activeElement)).toBe(true)
})

test.each(['Save contact', 'Cancel'])('“%s” in the form of a new contact returns the focus to the link that opened it', async (button) => {
  mockServer({ ...contactRoutes, 'POST /api/contacts': changeResponse('c-1', imara, 201) })
  await renderApp('/crm/contacts')
  const add = await screen.findByRole('link', { name: 'Add contact' })
  add.focus()
  fireEvent.click(add)
  await waitFor(() => expect(document.activeElement).toBe(field('First name')))
  if (button === 'Save contact') for (const label of ['First name', 'Last name']) type(label, 'Imara')
  fireEvent.click(screen.getByRole('button', { name: button }))
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Add contact'))
})

const editWaitingRoom = `/crm/deals/${waitingRoom.id}/edit`

test.each([
  ['the board', '/crm/deals'],
  ['the list with its filter', '/crm/deals?search=room&as=list'],
  ['the panel', `/crm/deals/${waitingRoom.id}?as=list`],
])('Escape in the dialog of a deal returns to %s', async (_place, address) => {
  mockServerWith(waitingRoom, barRefit)
  const { router } = await renderApp(address)
  await screen.findAllByRole('link', { name: /^Waiting room/ })
  const { href } = router.state.location
  await act(() => router.navigate({ to: editWaitingRoom, search: router.state.location.search }))
  await screen.findByRole('textbox', { name: 'Title' })
  pressEscape()
  await waitFor(() => expect(router.state.location.href).toBe(href))
})

test('Cancel in a dialog that was opened by its address opens the panel of the deal over the same list', async () => {
  mockServerWith(waitingRoom, barRefit)
  const { router } = await renderApp(`${editWaitingRoom}?as=list`)
  await screen.findByRole('textbox', { name: 'Title' })
  cancel()
  await waitFor(() => expect(router.state.location.href).toBe(`/crm/deals/${waitingRoom.id}?as=list`))
  expect(await screen.findByRole('complementary', { name: 'Deal' })).toBeTruthy()
})

test('a form to which the user returns before the next page is loaded shows the saved values, and asks again about new changes', async () => {
  mockServer(contactRoutes)
  const { router } = await renderApp(editImaraAddress)
  await waitForImara()
  type('Title optional', 'Owner')
  const { options } = router.routesById['/signed-in/crm/contacts/$id']
  const { loader } = options
  onTestFinished(() => void Object.assign(options, { loader }))
  Object.assign(options, { loader: () => new Promise(() => {}) }) // the page of the contact is never loaded
  cancel()
  fireEvent.click(await screen.findByRole('button', { name: 'Discard changes' }))
  act(() => void router.navigate({ to: editImaraAddress }))
  await waitFor(() => expect(router.state.location.pathname).toBe(editImaraAddress))
  expect(field('Title optional').value).toBe(imara.title)
  type('Title optional', 'Partner')
  cancel()
  expect(await screen.findByRole('dialog', { name: 'Leave without saving?' })).toBeDefined()
})
