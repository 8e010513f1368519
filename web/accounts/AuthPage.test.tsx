import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { liveFeatures } from '#contract/liveFeatures.ts'
import { changeResponse, nora, problemResponse, renderApp, mockServer } from '#web/testing.ts'
import { emptyDashboard } from '#web/dashboard/testing.ts'
import { getSafeNextPath } from './AuthPage.tsx'

const signInResponse = { ...nora, token: 'the browser does not store this token' }
/** The handlers of the server while no user is signed in. */
const signedOutHandlers = {
  'GET /api/instance': { sign_up_open: true, sends_mail: true },
  'GET /api/session': () => problemResponse('not_signed_in'),
}
const type = (label: string, value: string): void => void fireEvent.change(screen.getByLabelText(label), { target: { value } })

test.each([
  [false, 'Your cloud workspace for files. Soon with an AI assistant.'],
  [true, 'Your AI cloud workspace for files and an AI assistant.'],
])('the text about the AI assistant says “soon” unless the feature is live (live: %s)', async (isAssistantLive, text) => {
  const { assistant } = liveFeatures
  onTestFinished(() => void (liveFeatures.assistant = assistant))
  liveFeatures.assistant = isAssistantLive
  mockServer(signedOutHandlers)
  await renderApp('/auth')
  expect(await screen.findByText(text)).toBeTruthy()
})

test('signing in shows a greeting and opens the dashboard', async () => {
  const server = mockServer({ ...signedOutHandlers, 'POST /api/session': signInResponse, 'GET /api/dashboard': emptyDashboard })
  const { router } = await renderApp('/auth')
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Email'))
  expect(document.title).toBe('Welcome Back - Foyer')
  type('Email', ' nora@larkfield.example ')
  type('Password', 'correct horse')
  fireEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByRole('heading', { name: 'Welcome, Nora' })).toBeTruthy()
  expect(router.state.location.pathname).toBe('/dashboard')
  expect(screen.getByText('Welcome back!')).toBeTruthy()
  expect(screen.getByText('You have been signed in successfully.')).toBeTruthy()
  expect(server.requestsTo('POST /api/session')[0]?.body).toEqual({ email: 'nora@larkfield.example', password: 'correct horse' })
})

test('the sign-in page does not request the session when no user has signed in with this browser', async () => {
  const server = mockServer(signedOutHandlers)
  await renderApp('/auth')
  await screen.findByRole('link', { name: 'Sign up' })
  expect(server.requestsTo('GET /api/session')).toEqual([])
})

test('the button is disabled while signing in; an error shows the message of the server', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const server = mockServer({ ...signedOutHandlers, 'POST /api/session': () => promise })
  await renderApp('/auth')
  await screen.findByRole('heading', { name: 'Welcome Back' })
  type('Email', 'nora@larkfield.example')
  type('Password', 'wrong horse')
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Sign In' })
  fireEvent.click(button)
  await waitFor(() => expect(button.disabled).toBe(true))
  fireEvent.click(button)
  resolve(problemResponse('wrong_credentials'))
  const toast = await screen.findByRole('alert')
  expect(toast.textContent).toContain('Error')
  expect(toast.textContent).toContain('Invalid login credentials')
  await waitFor(() => expect(button.disabled).toBe(false))
  expect(server.requestsTo('POST /api/session')).toHaveLength(1)
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('wrong horse')
})

test('invalid fields show their errors, and the first invalid field gets the focus', async () => {
  const server = mockServer(signedOutHandlers)
  await renderApp('/auth?mode=sign-up')
  await screen.findByRole('heading', { name: 'Create Account' })
  type('Email', 'nora')
  type('Password', '12345') // too short by one character
  fireEvent.click(screen.getByRole('button', { name: 'Create Account' }))
  expect(await screen.findByText('Enter your full name')).toBeTruthy()
  expect(screen.getByText('Enter an email like name@example.com')).toBeTruthy()
  expect(screen.getByText('At least 6 characters').className).toContain('error')
  expect(document.activeElement).toBe(screen.getByLabelText('Full Name'))
  expect(server.requestsTo('POST /api/users')).toEqual([])
})

test('signing up sends the time zone, then shows the sign-in form with the email filled in', async () => {
  // the id of the change is empty, because a sign-up cannot be undone
  const server = mockServer({ ...signedOutHandlers, 'POST /api/users': changeResponse('', nora.user, 201) })
  const { router } = await renderApp('/auth?mode=sign-up&next=%2Faccount')
  await screen.findByRole('heading', { name: 'Create Account' })
  type('Full Name', 'Nora Ellisande')
  type('Email', 'nora@larkfield.example')
  type('Password', 'correct horse')
  fireEvent.click(screen.getByRole('button', { name: 'Create Account' }))
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeTruthy()
  expect(screen.getByText('Success!')).toBeTruthy()
  expect(screen.getByText('Account created successfully. You can now sign in.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('nora@larkfield.example')
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')))
  expect(router.state.location.search).toEqual({ next: '/account' })
  expect(server.requestsTo('POST /api/users')[0]?.body).toMatchObject({ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone })
})

test('sign-in and sign-up link to each other', async () => {
  mockServer(signedOutHandlers)
  await renderApp('/auth')
  expect((await screen.findByRole('link', { name: 'Sign up' })).parentElement?.textContent).toBe("Don't have an account? Sign up")
  fireEvent.click(screen.getByRole('link', { name: 'Sign up' }))
  expect((await screen.findByRole('link', { name: 'Sign in' })).parentElement?.textContent).toBe('Already have an account? Sign in')
})

test('when sign-up is closed, there is no link to sign up', async () => {
  mockServer({ ...signedOutHandlers, 'GET /api/instance': { sign_up_open: false, sends_mail: true } })
  await renderApp('/auth?mode=sign-up')
  expect(await screen.findByRole('heading', { name: 'Sign-up is closed' })).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: 'Sign in' }))
  await screen.findByRole('heading', { name: 'Welcome Back' })
  expect(screen.queryByRole('link', { name: 'Sign up' })).toBeNull()
})

test('without a session, a page redirects to the sign-in page, and signing in opens the page', async () => {
  mockServer({ ...signedOutHandlers, 'POST /api/session': signInResponse, 'GET /api/trash': { rows: [], next: null } })
  const { router } = await renderApp('/trash')
  await screen.findByRole('heading', { name: 'Welcome Back' })
  expect(router.state.location.search).toEqual({ next: '/trash' })
  type('Email', 'nora@larkfield.example')
  type('Password', 'correct horse')
  fireEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByText('The trash is empty')).toBeTruthy()
})

test('when the server cannot send mail, the page for a forgotten password shows the command that creates a link', async () => {
  mockServer({ ...signedOutHandlers, 'GET /api/instance': { sign_up_open: true, sends_mail: false } })
  await renderApp('/auth/forgot')
  expect(await screen.findByText('npm run password-link EMAIL')).toBeTruthy()
})

test('a password link can be requested; the page of an expired link has a link to request another one', async () => {
  const server = mockServer({ ...signedOutHandlers, 'POST /api/password-resets': undefined, 'POST /api/password-resets/use': undefined })
  await renderApp('/auth/forgot')
  await screen.findByRole('button', { name: 'Send link' })
  type('Email', 'nora@larkfield.example')
  fireEvent.click(screen.getByRole('button', { name: 'Send link' }))
  expect(await screen.findByText(/If there is an account for nora@larkfield.example/)).toBeTruthy()

  const { router } = await renderApp('/auth/reset?token=abc')
  await screen.findByLabelText('New password')
  type('New password', 'new horse')
  server.setHandlers({ 'POST /api/password-resets/use': () => problemResponse('link_expired') })
  fireEvent.click(screen.getByRole('button', { name: 'Save password' }))
  expect(await screen.findByRole('link', { name: 'Ask for a new link' })).toBeTruthy()
  expect(server.requestsTo('POST /api/password-resets/use')[0]?.body).toEqual({ token: 'abc', password: 'new horse' })
  expect(router.state.location.pathname).toBe('/auth/reset')
})

test('after wrong passwords, signing in shows a toast with their number, whose button opens the account page', async () => {
  const response = { ...signInResponse, failed_sign_ins: { count: 12, since: '2026-11-20T08:00:00Z' } }
  mockServer({ ...signedOutHandlers, 'POST /api/session': response, 'GET /api/contacts/count': { count: 0, more: false } })
  const { router } = await renderApp('/auth')
  await screen.findByRole('heading', { name: 'Welcome Back' })
  type('Email', 'nora@larkfield.example')
  type('Password', 'correct horse')
  fireEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByText('12 failed sign-ins')).toBeTruthy()
  expect(screen.getByText(/^Wrong passwords since /)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Account' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/account'))
})

test('signing in dismisses earlier error toasts', async () => {
  const server = mockServer({
    ...signedOutHandlers,
    'POST /api/session': () => problemResponse('wrong_credentials'),
    'GET /api/contacts/count': { count: 0, more: false },
  })
  await renderApp('/auth')
  await screen.findByRole('heading', { name: 'Welcome Back' })
  type('Email', 'nora@larkfield.example')
  type('Password', 'correct horse')
  fireEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  await screen.findByRole('alert')
  server.setHandlers({ 'POST /api/session': signInResponse })
  fireEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByText('Welcome back!')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

// the dashboard is opened for addresses on another server, for unsafe addresses, and for the sign-in page itself
test.each([
  ['/crm/contacts?search=ada#top', '/crm/contacts?search=ada#top'],
  [undefined, '/dashboard'],
  ['', '/dashboard'],
  ['/', '/dashboard'],
  ['/auth?next=/auth', '/dashboard'],
  ['dashboard', '/dashboard'],
  ['//evil.example/x', '/dashboard'],
  ['/\\evil.example', '/dashboard'],
  ['/\t/evil.example', '/dashboard'],
  ['/.//evil.example', '/dashboard'],
  ['/crm/..//evil.example', '/dashboard'],
  ['https://evil.example', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
])('with the parameter next=%j, signing in opens %s', (next, path) => {
  expect(getSafeNextPath(next, 'https://foyer.example')).toBe(path)
})
