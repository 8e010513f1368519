import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { changeResponse, problemResponse, renderApp } from '#web/testing.ts'
import { form, formPath, mockForms } from './testing.ts'

const click = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }))
const type = (field: HTMLElement, value: string): void => void fireEvent.change(field, { target: { value } })

test('without forms the page says what to do first', async () => {
  mockForms([])
  await renderApp('/lead-forms')
  await screen.findByText('No forms yet.')
  screen.getByText('Create your first form to start capturing leads.')
  expect(screen.getAllByRole('link', { name: 'Create form' })).toHaveLength(2) // in the bar of the page and in its content
})

test('a card shows the public address and the numbers of submissions, and its switch deactivates the form or shows why not', async () => {
  const server = mockForms([form], { [`PATCH ${formPath}`]: () => changeResponse('c1', { ...form, is_active: false }) })
  await renderApp('/lead-forms')
  const card = await screen.findByRole('listitem', { name: 'Ask for an offer' })
  expect(within(card).getByRole('link', { name: '/form/ask-for-an-offer' }).getAttribute('href')).toMatch(/\/form\/ask-for-an-offer$/)
  within(card).getByRole('link', { name: /^12 submissions/ })
  within(card).getByRole('link', { name: /^2 spam/ })
  fireEvent.click(within(card).getByRole('switch', { name: 'Ask for an offer is active' }))
  await screen.findByText('Form deactivated')
  expect(server.requestsTo(`PATCH ${formPath}`)[0]?.body).toEqual({ is_active: false })
  server.setHandlers({ [`PATCH ${formPath}`]: problemResponse('not_ready') })
  fireEvent.click(within(card).getByRole('switch', { name: 'Ask for an offer is active' }))
  await screen.findByText('The server is busy or starting. Please try again.')
})

test('a switch that is pressed again before the response is sent after it', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const server = mockForms([form], { [`PATCH ${formPath}`]: () => promise })
  await renderApp('/lead-forms')
  const toggle = await screen.findByRole('switch', { name: 'Ask for an offer is active' })
  fireEvent.click(toggle)
  await waitFor(() => expect(server.requestsTo(`PATCH ${formPath}`)).toHaveLength(1))
  fireEvent.click(toggle)
  await screen.findByText('Active')
  expect(server.requestsTo(`PATCH ${formPath}`)).toHaveLength(1)
  server.setHandlers({ [`PATCH ${formPath}`]: () => changeResponse('c2', form) })
  resolve(changeResponse('c1', { ...form, is_active: false }))
  await screen.findByText('Form activated')
  expect(server.requestsTo(`PATCH ${formPath}`).map(({ body }) => body)).toEqual([{ is_active: false }, { is_active: true }])
})

test.each([
  ['closed', { closes_at: '2020-11-23T10:00:00.000Z' }, /^Takes no submissions: closed \S/],
  ['full', { max_submissions: 4, submission_count: 4 }, /^Takes no submissions: full, 4 of 4$/],
  ['closed and full', { closes_at: '2020-11-23T10:00:00.000Z', max_submissions: 4, submission_count: 4 }, /: closed \S/],
  ['open', { closes_at: '2120-11-23T10:00:00.000Z', max_submissions: 13 }, undefined],
  ['inactive', { is_active: false, max_submissions: 4 }, undefined],
])('the card says why an active form takes no submissions, and nothing for other forms (form: %s)', async (_state, changes, text) => {
  mockForms([{ ...form, ...changes }])
  await renderApp('/lead-forms')
  const card = await screen.findByRole('listitem', { name: 'Ask for an offer' })
  const note = within(card).queryByText(/^Takes no submissions/)?.textContent
  if (text) expect(note).toMatch(text)
  else expect(note).toBeUndefined()
})

test('Undo is offered after a form is deleted, and the focus is not lost', async () => {
  const server = mockForms([form], { [`DELETE ${formPath}`]: () => changeResponse('c2') })
  await renderApp('/lead-forms')
  const remove = await screen.findByRole('button', { name: 'Delete Ask for an offer' })
  act(() => remove.focus())
  server.setHandlers({ 'GET /api/lead-forms': { rows: [], next: null } })
  fireEvent.click(remove)
  await screen.findByText('Form deleted')
  await screen.findByText('No forms yet.')
  expect(document.activeElement?.id).toBe('content')
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
})

test('the second click of a double click on the button "Delete" deletes no other form', async () => {
  const next = { ...form, id: '01930000-0000-7000-8000-000000000902', title: 'Fair', slug: 'fair' }
  const server = mockForms([form, next], { [`DELETE ${formPath}`]: () => changeResponse('c2') })
  await renderApp('/lead-forms')
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Ask for an offer' }), { detail: 1 })
  fireEvent.click(screen.getByRole('button', { name: 'Delete Fair' }), { detail: 2 })
  await screen.findByText('Form deleted')
  expect(server.requestsTo(`DELETE ${formPath}`).map(({ params }) => params)).toEqual([{ id: form.id }])
})

test('the dialog shows the address generated from the title, and the error of a taken address at its field', async () => {
  const taken = { fields: { slug: 'This address is taken. Choose another one.' } }
  mockForms([], { 'POST /api/lead-forms': problemResponse('duplicate', taken) })
  await renderApp('/lead-forms/new')
  const dialog = await screen.findByRole('dialog', { name: 'Create form' })
  type(within(dialog).getByLabelText('Title'), 'Über Äpfel')
  within(dialog).getByText(/\/form\/uber-apfel$/)
  type(within(dialog).getByLabelText('URL slug'), 'Fair')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Create form' }))
  expect(await within(dialog).findByText('This address is taken. Choose another one.')).toBeTruthy()
})

test('what was entered in a new form stays when Escape closes the dialog, and not after Cancel', async () => {
  mockForms([])
  const { router } = await renderApp('/lead-forms/new')
  const open = () => screen.findByRole('dialog', { name: 'Create form' })
  type(within(await open()).getByLabelText('Title'), 'Fair')
  fireEvent.keyDown(await open(), { key: 'Escape' })
  await waitFor(() => expect(router.state.location.pathname).toBe('/lead-forms'))
  await act(() => router.navigate({ to: '/lead-forms/new' }))
  expect(within(await open()).getByLabelText<HTMLInputElement>('Title').value).toBe('Fair')
  click('Cancel')
  await waitFor(() => expect(router.state.location.pathname).toBe('/lead-forms'))
  await act(() => router.navigate({ to: '/lead-forms/new' }))
  expect(within(await open()).getByLabelText<HTMLInputElement>('Title').value).toBe('')
})

test('the editor of a new form does not open if the user has closed the dialog before the form was created', async () => {
  const created = Promise.withResolvers<Response>()
  const server = mockForms([], { 'POST /api/lead-forms': () => created.promise })
  const { router } = await renderApp('/lead-forms/new')
  const dialog = await screen.findByRole('dialog', { name: 'Create form' })
  type(within(dialog).getByLabelText('Title'), 'Fair')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Create form' }))
  await waitFor(() => expect(server.requestsTo('POST /api/lead-forms')).toHaveLength(1))
  fireEvent.keyDown(dialog, { key: 'Escape' })
  await waitFor(() => expect(router.state.location.pathname).toBe('/lead-forms'))
  created.resolve(changeResponse('c1', form, 201))
  await screen.findByText('Form created')
  await act(() => new Promise<void>((done) => setTimeout(done, 50)))
  expect(router.state.location.pathname).toBe('/lead-forms')
})
