import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { LeadForm } from '#contract/leadForms.ts'
import { storeForUndo } from '#web/lib/undo.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'

const form: LeadForm = {
  id: '01930000-0000-7000-8000-000000000901',
  created_at: '2026-11-23T10:00:00.000Z',
  updated_at: '2026-11-23T10:00:00.000Z',
  version: 3,
  title: 'Ask for an offer',
  slug: 'ask-for-an-offer',
  description: 'Tell us what you need.',
  success_message: 'Thank you!',
  is_active: true,
  redirect_url: '',
  closes_at: null,
  max_submissions: null,
  form_fields: [
    {
      id: '01930000-0000-7000-8000-000000000911',
      field_name: 'email',
      field_label: 'Email',
      field_type: 'email',
      is_required: true,
      placeholder: '',
      options: [],
    },
  ],
  submission_count: 12,
  spam_count: 2,
  last_submission_at: '2026-11-23T10:00:00.000Z',
}
const path = '/api/lead-forms/{id}'
const mock = (rows: LeadForm[], handlers: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({ 'GET /api/session': nora, 'GET /api/lead-forms': { rows, next: null }, [`GET ${path}`]: form, ...handlers })
const click = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }))
const type = (field: HTMLElement, value: string): void => void fireEvent.change(field, { target: { value } })

test('without forms the page says what to do first', async () => {
  mock([])
  await renderApp('/lead-forms')
  await screen.findByText('No forms yet.')
  screen.getByText('Create your first form to start capturing leads.')
  expect(screen.getAllByRole('link', { name: 'Create form' })).toHaveLength(2) // in the bar of the page and in its content
})

test('a card shows the public address and the numbers of submissions, and its switch deactivates the form', async () => {
  const server = mock([form], { [`PATCH ${path}`]: () => changeResponse('c1', { ...form, is_active: false }) })
  await renderApp('/lead-forms')
  const card = await screen.findByRole('listitem', { name: 'Ask for an offer' })
  expect(within(card).getByRole('link', { name: '/form/ask-for-an-offer' }).getAttribute('href')).toMatch(/\/form\/ask-for-an-offer$/)
  within(card).getByRole('link', { name: /^12 submissions/ })
  within(card).getByRole('link', { name: /^2 spam/ })
  fireEvent.click(within(card).getByRole('switch', { name: 'Ask for an offer is active' }))
  await screen.findByText('Form deactivated')
  expect(server.requestsTo(`PATCH ${path}`)[0]?.body).toEqual({ is_active: false })
})

test.each([
  ['closed', { closes_at: '2020-11-23T10:00:00.000Z' }, /^Takes no submissions: closed \S/],
  ['full', { max_submissions: 4, submission_count: 4 }, /^Takes no submissions: full, 4 of 4$/],
  ['closed and full', { closes_at: '2020-11-23T10:00:00.000Z', max_submissions: 4, submission_count: 4 }, /: closed \S/],
  ['open', { closes_at: '2120-11-23T10:00:00.000Z', max_submissions: 13 }, undefined],
  ['inactive', { is_active: false, max_submissions: 4 }, undefined],
])('the card says why an active form takes no submissions, and nothing for other forms (form: %s)', async (_state, changes, text) => {
  mock([{ ...form, ...changes }])
  await renderApp('/lead-forms')
  const card = await screen.findByRole('listitem', { name: 'Ask for an offer' })
  const note = within(card).queryByText(/^Takes no submissions/)?.textContent
  if (text) expect(note).toMatch(text)
  else expect(note).toBeUndefined()
})

test('Undo is offered after a form is deleted, and the focus is not lost', async () => {
  const server = mock([form], { [`DELETE ${path}`]: () => changeResponse('c2') })
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
  const server = mock([form, next], { [`DELETE ${path}`]: () => changeResponse('c2') })
  await renderApp('/lead-forms')
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Ask for an offer' }), { detail: 1 })
  fireEvent.click(screen.getByRole('button', { name: 'Delete Fair' }), { detail: 2 })
  await screen.findByText('Form deleted')
  expect(server.requestsTo(`DELETE ${path}`).map(({ params }) => params)).toEqual([{ id: form.id }])
})

test('the dialog shows the address generated from the title, and the error of a taken address at its field', async () => {
  const taken = { fields: { slug: 'This address is taken. Choose another one.' } }
  mock([], { 'POST /api/lead-forms': problemResponse('duplicate', taken) })
  await renderApp('/lead-forms/new')
  const dialog = await screen.findByRole('dialog', { name: 'Create form' })
  type(within(dialog).getByLabelText('Title'), 'Über Äpfel')
  within(dialog).getByText(/\/form\/uber-apfel$/)
  type(within(dialog).getByLabelText('URL slug'), 'Fair')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Create form' }))
  expect(await within(dialog).findByText('This address is taken. Choose another one.')).toBeTruthy()
})

test('what was entered in a new form stays when Escape closes the dialog, and not after Cancel', async () => {
  mock([])
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
  const server = mock([], { 'POST /api/lead-forms': () => created.promise })
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

test('a new field, and the first field with an error, have the focus at once, so that the next key types there', async () => {
  mock([form])
  await renderApp(`/lead-forms/${form.id}/edit`)
  await screen.findByRole('heading', { name: 'Preview' })
  click('Add Field')
  const label = within(screen.getByRole('listitem', { name: 'field 2' })).getByLabelText('Label')
  expect(document.activeElement).toBe(label)
  click('Add Field')
  expect(document.activeElement).not.toBe(label)
  click('Save Fields')
  expect(document.activeElement).toBe(label)
})

test('the editor shows what is missing in a field, saves only the changed values, and returns to the list', async () => {
  const server = mock([form], { [`PATCH ${path}`]: () => changeResponse('c3', form) })
  const { router } = await renderApp(`/lead-forms/${form.id}/edit`)
  await screen.findByRole('heading', { name: 'Preview' })
  click('Add Field')
  click('Save Fields')
  await screen.findByText('Enter a label')
  const card = screen.getByRole('listitem', { name: 'field 2' })
  type(within(card).getByLabelText('Label'), 'Which wood?')
  type(within(screen.getByRole('listitem', { name: 'Which wood?' })).getByLabelText('Type'), 'select')
  click('Save Fields')
  await screen.findByText('A field with choices needs at least one option')
  type(screen.getByLabelText(/^Options/), 'Oak\n\n Ash ')
  click('Save Fields')
  await waitFor(() => expect(router.state.location.pathname).toBe('/lead-forms'))
  const body = server.requestsTo(`PATCH ${path}`)[0]?.body
  expect(body).toEqual({
    version: 3,
    form_fields: [
      form.form_fields[0],
      expect.objectContaining({ field_label: 'Which wood?', field_type: 'select', options: ['Oak', 'Ash'] }),
    ],
  })
})

test('what the user changes while the form is saved stays in the editor, and is saved next', async () => {
  const saved = Promise.withResolvers<Response>()
  const server = mock([form], { [`PATCH ${path}`]: () => saved.promise })
  const { router } = await renderApp(`/lead-forms/${form.id}/edit`)
  type(await screen.findByLabelText('Title'), ' Offer ')
  click('Save Fields')
  await waitFor(() => expect(server.requestsTo(`PATCH ${path}`)).toHaveLength(1))
  type(screen.getByLabelText('Description'), 'Tell us more.')
  saved.resolve(changeResponse('c3', { ...form, title: 'Offer', version: 4 }))
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Offer'))
  expect(router.state.location.pathname).toBe(`/lead-forms/${form.id}/edit`)
  expect(screen.getByLabelText<HTMLTextAreaElement>('Description').value).toBe('Tell us more.')
  server.setHandlers({ [`PATCH ${path}`]: () => changeResponse('c4', form) })
  click('Save Fields')
  await waitFor(() => expect(router.state.location.pathname).toBe('/lead-forms'))
  expect(server.requestsTo(`PATCH ${path}`)[1]?.body).toEqual({ description: 'Tell us more.', version: 4 })
})

test('Ctrl+Z in the editor takes back unsaved changes one by one, and undoes a saved change only when there are none', async () => {
  const undoRoute = 'POST /api/changes/{id}/undo'
  const server = mock([form], { [undoRoute]: problemResponse('not_ready') })
  await renderApp(`/lead-forms/${form.id}/edit`)
  storeForUndo('c-1', 'Form saved')
  type(await screen.findByLabelText('Title'), 'Offer')
  click('Remove Email')
  const undo = (): void => void fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  undo()
  expect(screen.getByRole('button', { name: 'Remove Email' })).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Offer')
  undo()
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Ask for an offer')
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  expect(server.requestsTo(undoRoute)).toEqual([])
  undo()
  await waitFor(() => expect(server.requestsTo(undoRoute)).toHaveLength(1))
})

test.each([
  ['Closes at', 'Enter a date and a time, or leave the field empty'],
  ['Maximum number of submissions', 'Enter a number, or leave the field empty'],
])('a text in the field "%s" that the browser cannot read shows an error and is not saved', async (label, error) => {
  const server = mock([form])
  const { router } = await renderApp(`/lead-forms/${form.id}/edit`)
  Object.defineProperty(await screen.findByLabelText(label), 'validity', { value: { badInput: true } })
  click('Save Fields')
  await screen.findByText(error)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)))
  expect([router.state.location.pathname, server.requestsTo(`PATCH ${path}`)]).toEqual([`/lead-forms/${form.id}/edit`, []])
})

test('a year with five digits shows an error', async () => {
  const server = mock([form])
  await renderApp(`/lead-forms/${form.id}/edit`)
  const field = await screen.findByLabelText('Closes at')
  field.setAttribute('type', 'text') // unlike browsers, happy-dom takes no such year in a field for a time
  type(field, '20266-12-01T10:00')
  click('Save Fields')
  await screen.findByText('The year can have at most four digits')
  expect(server.requestsTo(`PATCH ${path}`)).toEqual([])
})

test('when the user discards the changes, a text that the browser cannot read is discarded too', async () => {
  const server = mock([form], { [`PATCH ${path}`]: problemResponse('conflict') })
  const { router } = await renderApp(`/lead-forms/${form.id}/edit`)
  type(await screen.findByLabelText('Title'), 'Mine')
  server.setHandlers({ [`GET ${path}`]: { ...form, version: 4, title: 'Theirs' } })
  click('Save Fields')
  await screen.findByText('This form was changed somewhere else while you were editing')
  Object.defineProperty(screen.getByLabelText('Closes at'), 'validity', { value: { badInput: true } })
  await waitFor(() => expect(server.requestsTo(`GET ${path}`)).toHaveLength(2)) // the editor has read version 4
  click('Discard mine and show the other changes')
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Theirs'))
  click('Save Fields') // there is nothing to save
  await waitFor(() => expect(router.state.location.pathname).toBe('/lead-forms'))
})

test('after a change in another tab, the editor discards the changes of the user or saves them over the other change', async () => {
  const server = mock([form], { [`PATCH ${path}`]: problemResponse('conflict') })
  const { router } = await renderApp(`/lead-forms/${form.id}/edit`)
  const titleField = () => screen.findByLabelText<HTMLInputElement>('Title')
  type(await titleField(), 'Mine')
  server.setHandlers({ [`GET ${path}`]: { ...form, version: 4, title: 'Theirs' } })
  click('Save Fields')
  await screen.findByText('This form was changed somewhere else while you were editing')
  click('Discard mine and show the other changes')
  await waitFor(async () => expect((await titleField()).value).toBe('Theirs'))
  expect(screen.queryByText(/^This form was changed somewhere else/)).toBeNull()

  type(await titleField(), 'Mine again')
  server.setHandlers({ [`GET ${path}`]: { ...form, version: 5, title: 'Theirs again' } })
  click('Save Fields')
  await screen.findByText('This form was changed somewhere else while you were editing')
  server.setHandlers({ [`PATCH ${path}`]: () => changeResponse('c4', form) })
  await waitFor(() => expect(server.requestsTo(`GET ${path}`)).toHaveLength(3)) // the editor has read version 5
  click('Save mine')
  await waitFor(() => expect(router.state.location.pathname).toBe('/lead-forms'))
  expect(server.requestsTo(`PATCH ${path}`).map(({ body }) => body)).toEqual([
    { title: 'Mine', version: 3 },
    { title: 'Mine again', version: 4 },
    { title: 'Mine again', version: 5 },
  ])
})
