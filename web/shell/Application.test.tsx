import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { emptyDashboard } from '#web/dashboard/testing.ts'
import { changeResponse, expectConsoleError, nora, problemResponse, renderApp, mockServer, setWindowWidth } from '#web/testing.ts'

const handlers = {
  'GET /api/session': nora,
  'GET /api/dashboard': emptyDashboard,
  'GET /api/tasks/count': { count: 0, more: false },
  'GET /api/trash': { rows: [], next: null },
  'GET /api/instance': { sign_up_open: true, sends_mail: true },
}
const findSidebarLink = (name: string): HTMLElement | null => within(screen.getByRole('complementary')).queryByRole('link', { name })

beforeEach(() => {
  setWindowWidth(1280)
  document.cookie = 'sidebar=open; path=/; max-age=0' // deletes the cookie with the state of the sidebar
})

test('the sidebar lists the pages and marks the current one', async () => {
  mockServer(handlers)
  await renderApp('/dashboard')
  await screen.findByRole('heading', { name: 'Welcome, Nora' })
  const links = within(screen.getByRole('complementary')).getAllByRole('link')
  expect(links.map((link) => link.textContent)).toEqual([
    'Dashboard',
    'Assistant',
    'Files',
    'Lead Forms',
    'API Keys',
    'Contacts',
    'Companies',
    'Deals',
    'Tasks',
    'Settings',
    'Calendar',
    'Booking Links',
    'Trash',
    'Nora Ellisande',
  ])
  expect(screen.getByRole('link', { name: 'Dashboard' }).getAttribute('aria-current')).toBe('page')
  expect(screen.getByRole('link', { name: 'Trash' }).getAttribute('aria-current')).toBeNull()
  fireEvent.click(screen.getByRole('link', { name: 'Trash' }))
  await screen.findByText('The trash is empty')
  expect(screen.getByRole('link', { name: 'Trash' }).getAttribute('aria-current')).toBe('page')
  expect(document.title).toBe('Trash - Foyer')
})

test('a bar is shown while the code of another page is loading, which then has the focus instead of a link that is gone', async () => {
  mockServer(handlers)
  const { router } = await renderApp('/dashboard')
  await screen.findByRole('heading', { name: 'Welcome, Nora' })
  expect(screen.queryByRole('progressbar', { name: 'Loading the page' })).toBeNull()
  const code = Promise.withResolvers<void>()
  const { options } = router.routesByPath['/trash']
  Object.assign(options, { loader: () => code.promise })
  onTestFinished(() => void Reflect.deleteProperty(options, 'loader'))
  const main = screen.getByRole('main')
  act(() => within(main).getAllByRole('link')[0]?.focus())
  fireEvent.click(screen.getByRole('link', { name: 'Trash' }))
  await screen.findByRole('progressbar', { name: 'Loading the page' })
  code.resolve()
  await waitFor(() => expect(screen.queryByRole('progressbar', { name: 'Loading the page' })).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(main))
})

test('a collapsed group of the sidebar expands when one of its pages is opened', async () => {
  mockServer(handlers)
  const { router } = await renderApp('/dashboard')
  const groupButton = await screen.findByRole('button', { name: 'CRM' })
  expect(groupButton.getAttribute('aria-expanded')).toBe('true')
  fireEvent.click(groupButton)
  expect(findSidebarLink('Contacts')).toBeNull()
  await act(() => router.navigate({ to: '/crm/contacts/new' }))
  await waitFor(() => expect(findSidebarLink('Contacts')).toBeTruthy())
})

test('Ctrl+B collapses the sidebar, and a cookie stores the state for seven days', async () => {
  const setCookie = vi.spyOn(document, 'cookie', 'set')
  mockServer(handlers)
  await renderApp('/dashboard')
  const collapseButton = await screen.findByRole('button', { name: 'Collapse sidebar' })
  fireEvent.keyDown(document.body, { key: 'b', ctrlKey: true })
  expect(screen.getByRole('button', { name: 'Expand sidebar' })).toBeTruthy()
  expect(setCookie).toHaveBeenLastCalledWith('sidebar=rail; path=/; max-age=604800; samesite=lax') // `rail` is the collapsed sidebar
  expect(collapseButton.isConnected).toBe(false)
  expect(findSidebarLink('Contacts')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Expand sidebar' }))
  expect(setCookie).toHaveBeenLastCalledWith('sidebar=open; path=/; max-age=604800; samesite=lax')
})

test('on a screen of 900 px the sidebar starts collapsed', async () => {
  setWindowWidth(900)
  mockServer(handlers)
  await renderApp('/dashboard')
  expect(await screen.findByRole('button', { name: 'Expand sidebar' })).toBeTruthy()
})

test('on a phone the navigation drawer closes on Escape and when a link is clicked', async () => {
  setWindowWidth(390)
  mockServer(handlers)
  await renderApp('/dashboard')
  const menuButton = await screen.findByRole('button', { name: 'Open navigation' })
  menuButton.focus()
  fireEvent.click(menuButton)
  fireEvent.keyDown(await screen.findByRole('dialog'), { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(document.activeElement).toBe(menuButton)
  fireEvent.click(menuButton)
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('link', { name: 'Trash' }))
  await screen.findByText('The trash is empty')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('on a phone the navigation drawer closes when the shortcuts are opened from the account menu', async () => {
  setWindowWidth(390)
  mockServer(handlers)
  await renderApp('/dashboard')
  fireEvent.click(await screen.findByRole('button', { name: 'Open navigation' }))
  const drawer = await screen.findByRole('dialog', { name: 'Navigation' })
  fireEvent.click(within(drawer).getByRole('button', { name: 'Account menu' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: /Keyboard shortcuts/ }))
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Navigation' })).toBeNull())
})

test('Sign Out shows a toast and opens the sign-in page', async () => {
  const server = mockServer({ ...handlers, 'DELETE /api/session': undefined })
  const { router } = await renderApp('/dashboard')
  fireEvent.click(await screen.findByRole('button', { name: 'Sign Out' }))
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeTruthy()
  expect(await screen.findByText('Signed out')).toBeTruthy()
  expect(router.state.location.href).toBe('/auth')
  expect(server.requestsTo('DELETE /api/session')).toHaveLength(1)
})

test('when signing out fails, the page stays open and a toast shows the error', async () => {
  mockServer({ ...handlers, 'DELETE /api/session': () => problemResponse('not_ready') })
  const { router } = await renderApp('/dashboard')
  fireEvent.click(await screen.findByRole('button', { name: 'Sign Out' }))
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy or starting.')
  expect(router.state.location.pathname).toBe('/dashboard')
})

test('when the session has ended, the next request opens the sign-in page', async () => {
  const server = mockServer(handlers)
  const { router } = await renderApp('/dashboard')
  await screen.findByRole('heading', { name: 'Welcome, Nora' })
  server.setHandlers({
    'GET /api/trash': () => problemResponse('not_signed_in'),
    'GET /api/session': () => problemResponse('not_signed_in'),
  })
  fireEvent.click(screen.getByRole('link', { name: 'Trash' }))
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeTruthy()
  expect(router.state.location.pathname).toBe('/auth')
})

test('when a form is saved after the session has ended, a dialog asks for the password, and then the form is saved', async () => {
  const saved = { ...nora.profile, full_name: 'Nora E.', version: 2 }
  const server = mockServer({
    ...handlers,
    'GET /api/sessions': { rows: [] },
    'PATCH /api/profile': () => problemResponse('not_signed_in'),
    'POST /api/session': ({ body }) => {
      if (JSON.stringify(body).includes('wrong')) return problemResponse('wrong_credentials')
      server.setHandlers({ 'PATCH /api/profile': () => changeResponse('c-1', saved) })
      return { ...nora, token: '' }
    },
  })
  const { router } = await renderApp('/account')
  fireEvent.change(await screen.findByLabelText('Full name'), { target: { value: 'Nora E.' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  const dialog = await screen.findByRole('dialog', { name: 'Please sign in again' })
  expect(within(dialog).getByLabelText<HTMLInputElement>('Email').value).toBe('nora@larkfield.example')
  fireEvent.keyDown(dialog, { key: 'Escape' }) // does not close this dialog
  fireEvent.change(within(dialog).getByLabelText('Password'), { target: { value: 'wrong horse' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Sign In' }))
  expect(await within(dialog).findByText('Invalid login credentials')).toBeTruthy()
  fireEvent.change(within(dialog).getByLabelText('Password'), { target: { value: 'correct horse' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByText('Account updated')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByLabelText<HTMLInputElement>('Full name').value).toBe('Nora E.')
  expect(router.state.location.pathname).toBe('/account')
})

test('the shortcut ? lists the shortcuts of the page, and Escape returns the focus', async () => {
  mockServer(handlers)
  await renderApp('/dashboard')
  await screen.findByRole('heading', { name: 'Welcome, Nora' })
  const link = within(screen.getByRole('complementary')).getByRole('link', { name: 'Contacts' })
  link.focus()
  fireEvent.keyDown(link, { key: '?', shiftKey: true })
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  const labels = [...dialog.querySelectorAll('dt')].map((label) => label.textContent)
  expect(labels.slice(0, 7)).toEqual([
    'Search and commands',
    'Fold or unfold the sidebar',
    'Undo',
    'Redo',
    'Print',
    'Keyboard shortcuts',
    'Ask the assistant',
  ])
  expect(labels.slice(7)).toEqual([
    'Dashboard',
    'Assistant',
    'Files',
    'Contacts',
    'Companies',
    'Deals',
    'Tasks',
    'Calendar',
    'Booking Links',
    'Account',
  ])
  fireEvent.keyDown(dialog, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(link))
})

test('a theme that is selected in the account menu is applied and stored', async () => {
  mockServer(handlers)
  await renderApp('/dashboard')
  fireEvent.click(await screen.findByRole('button', { name: 'Account menu' }))
  expect((await screen.findByRole('menuitemradio', { name: 'As the system' })).getAttribute('aria-checked')).toBe('true')
  fireEvent.click(screen.getByRole('menuitemradio', { name: 'Dark' }))
  await waitFor(() => expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark'))
  expect(localStorage.getItem('mantine-color-scheme-value')).toBe('dark')
})

test('an unknown address shows the not-found page with a link to the home page', async () => {
  mockServer(handlers)
  await renderApp('/crm/nowhere/at/all')
  expect(await screen.findByRole('heading', { name: 'Oops! Page not found' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/')
})

test('a page with an error shows the error message, a reload button and a link to the home page', async () => {
  mockServer({ ...handlers, 'GET /api/session': () => problemResponse('internal') })
  await renderApp('/dashboard')
  expect(await screen.findByRole('heading', { name: 'Unexpected Application Error!' })).toBeTruthy()
  expect(screen.getByText('Something went wrong on our side. Nothing was changed.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Back to home' })).toBeTruthy()
  expectConsoleError(/ProblemError|Something went wrong/)
})

test('a toast says that the browser is offline if the code of the label “Offline” has not been loaded', async () => {
  mockServer(handlers)
  await renderApp('/dashboard')
  await screen.findByRole('heading', { name: 'Welcome, Nora' })
  fireEvent(window, new Event('offline'))
  await screen.findByText('Changes cannot be saved until the connection is back.')
  fireEvent(window, new Event('online'))
  await waitFor(() => expect(screen.queryByText('Changes cannot be saved until the connection is back.')).toBeNull())
})
