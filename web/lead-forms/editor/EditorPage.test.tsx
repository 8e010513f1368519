import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { LeadForm } from '#contract/leadForms.ts'
import { makeChangeSet } from '#web/contacts/testing.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { storeForUndo } from '#web/lib/undo.ts'
import { changeResponse, problemResponse, renderApp } from '#web/testing.ts'
import { form, formPath, mockForms } from '../testing.ts'

const click = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }))
const type = (field: HTMLElement, value: string): void => void fireEvent.change(field, { target: { value } })

test('a new field, and the first field with an error, have the focus at once, so that the next key types there', async () => {
  mockForms([form])
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
  const server = mockForms([form], { [`PATCH ${formPath}`]: () => changeResponse('c3', form) })
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
  const body = server.requestsTo(`PATCH ${formPath}`)[0]?.body
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
  const server = mockForms([form], { [`PATCH ${formPath}`]: () => saved.promise })
  const { router } = await renderApp(`/lead-forms/${form.id}/edit`)
  type(await screen.findByLabelText('Title'), ' Offer ')
  click('Save Fields')
  await waitFor(() => expect(server.requestsTo(`PATCH ${formPath}`)).toHaveLength(1))
  type(screen.getByLabelText('Description'), 'Tell us more.')
  saved.resolve(changeResponse('c3', { ...form, title: 'Offer', version: 4 }))
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Offer'))
  expect(router.state.location.pathname).toBe(`/lead-forms/${form.id}/edit`)
  expect(screen.getByLabelText<HTMLTextAreaElement>('Description').value).toBe('Tell us more.')
  server.setHandlers({ [`PATCH ${formPath}`]: () => changeResponse('c4', form) })
  click('Save Fields')
  await waitFor(() => expect(router.state.location.pathname).toBe('/lead-forms'))
  expect(server.requestsTo(`PATCH ${formPath}`)[1]?.body).toEqual({ description: 'Tell us more.', version: 4 })
})

test('Ctrl+Z in the editor takes back unsaved changes one by one, and undoes a saved change only when there are none', async () => {
  const undoRoute = 'POST /api/changes/{id}/undo'
  const server = mockForms([form], { [undoRoute]: problemResponse('not_ready') })
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
  const server = mockForms([form])
  const { router } = await renderApp(`/lead-forms/${form.id}/edit`)
  Object.defineProperty(await screen.findByLabelText(label), 'validity', { value: { badInput: true } })
  click('Save Fields')
  await screen.findByText(error)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)))
  expect([router.state.location.pathname, server.requestsTo(`PATCH ${formPath}`)]).toEqual([`/lead-forms/${form.id}/edit`, []])
})

test('a year with five digits shows an error', async () => {
  const server = mockForms([form])
  await renderApp(`/lead-forms/${form.id}/edit`)
  const field = await screen.findByLabelText('Closes at')
  field.setAttribute('type', 'text') // unlike browsers, happy-dom takes no such year in a field for a time
  type(field, '20266-12-01T10:00')
  click('Save Fields')
  await screen.findByText('The year can have at most four digits')
  expect(server.requestsTo(`PATCH ${formPath}`)).toEqual([])
})

test('when the user discards the changes, a text that the browser cannot read is discarded too', async () => {
  const server = mockForms([form], { [`PATCH ${formPath}`]: problemResponse('conflict') })
  const { router } = await renderApp(`/lead-forms/${form.id}/edit`)
  type(await screen.findByLabelText('Title'), 'Mine')
  server.setHandlers({ [`GET ${formPath}`]: { ...form, version: 4, title: 'Theirs' } })
  click('Save Fields')
  await screen.findByText('This form was changed somewhere else while you were editing')
  Object.defineProperty(screen.getByLabelText('Closes at'), 'validity', { value: { badInput: true } })
  await waitFor(() => expect(server.requestsTo(`GET ${formPath}`)).toHaveLength(2)) // the editor has read version 4
  click('Discard mine and show the other changes')
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Theirs'))
  click('Save Fields') // there is nothing to save
  await waitFor(() => expect(router.state.location.pathname).toBe('/lead-forms'))
})

test('after a change in another tab, the editor discards the changes of the user or saves them over the other change', async () => {
  const server = mockForms([form], { [`PATCH ${formPath}`]: problemResponse('conflict') })
  const { router } = await renderApp(`/lead-forms/${form.id}/edit`)
  const titleField = () => screen.findByLabelText<HTMLInputElement>('Title')
  type(await titleField(), 'Mine')
  server.setHandlers({ [`GET ${formPath}`]: { ...form, version: 4, title: 'Theirs' } })
  click('Save Fields')
  await screen.findByText('This form was changed somewhere else while you were editing')
  click('Discard mine and show the other changes')
  await waitFor(async () => expect((await titleField()).value).toBe('Theirs'))
  expect(screen.queryByText(/^This form was changed somewhere else/)).toBeNull()

  type(await titleField(), 'Mine again')
  server.setHandlers({ [`GET ${formPath}`]: { ...form, version: 5, title: 'Theirs again' } })
  click('Save Fields')
  await screen.findByText('This form was changed somewhere else while you were editing')
  server.setHandlers({ [`PATCH ${formPath}`]: () => changeResponse('c4', form) })
  await waitFor(() => expect(server.requestsTo(`GET ${formPath}`)).toHaveLength(3)) // the editor has read version 5
  click('Save mine')
  await waitFor(() => expect(router.state.location.pathname).toBe('/lead-forms'))
  expect(server.requestsTo(`PATCH ${formPath}`).map(({ body }) => body)).toEqual([
    { title: 'Mine', version: 3 },
    { title: 'Mine again', version: 4 },
    { title: 'Mine again', version: 5 },
  ])
})

test('after a reload the editor has what was typed, based on the version of that time, until it is saved or discarded', async () => {
  const server = mockForms([form], { [`PATCH ${formPath}`]: problemResponse('conflict') })
  await renderApp(`/lead-forms/${form.id}/edit`)
  type(await screen.findByLabelText('Title'), 'Mine')
  click('Add Field') // its label is missing
  cleanup()
  server.setHandlers({ [`GET ${formPath}`]: { ...form, version: 4, title: 'Theirs' } })
  const { router } = await renderApp(`/lead-forms/${form.id}/edit`)
  await screen.findByText(/^What you typed before is back/)
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Mine')
  click('Remove field 2')
  click('Save Fields')
  await screen.findByText('This form was changed somewhere else while you were editing')
  expect(server.requestsTo(`PATCH ${formPath}`).map(({ body }) => body)).toEqual([{ title: 'Mine', version: 3 }])
  server.setHandlers({ [`PATCH ${formPath}`]: () => changeResponse('c4', { ...form, version: 5, title: 'Mine' }) })
  click('Save mine')
  await waitFor(() => expect(router.state.location.pathname).toBe('/lead-forms'))
  cleanup()
  await renderApp(`/lead-forms/${form.id}/edit`)
  expect((await screen.findByLabelText<HTMLInputElement>('Title')).value).toBe('Theirs')
  expect(screen.queryByText(/^What you typed before is back/)).toBeNull()
})

test('the editor takes over a change that was undone or made elsewhere, until the user types', async () => {
  const server = mockForms([form], {
    [`PATCH ${formPath}`]: () => changeResponse('c3', { ...form, title: 'Offer', version: 4 }),
    'POST /api/changes/{id}/undo': () => changeResponse('c4', makeChangeSet({ count: 1 })),
  })
  await renderApp(`/lead-forms/${form.id}/edit`)
  type(await screen.findByLabelText('Title'), 'Offer')
  click('Save Fields')
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.requestsTo('POST /api/changes/{id}/undo')).toHaveLength(1))
  server.setHandlers({ [`GET ${formPath}`]: { ...form, version: 5 } })
  fireEvent.click(await screen.findByRole('link', { name: 'Edit Fields' }))
  const title = await screen.findByLabelText<HTMLInputElement>('Title')
  await waitFor(() => expect(title.value).toBe('Ask for an offer'))

  act(() => title.focus())
  const changeElsewhere = async (change: Partial<LeadForm>): Promise<void> => {
    server.setHandlers({ [`GET ${formPath}`]: { ...form, ...change } })
    await act(() => refreshTables(['lead_forms']))
  }
  await changeElsewhere({ title: 'Theirs', version: 6 })
  await waitFor(() => expect(title.value).toBe('Theirs'))
  expect(document.activeElement).toBe(title)

  type(title, 'Mine')
  await changeElsewhere({ title: 'Theirs again', version: 7 })
  await act(() => new Promise((resolve) => setTimeout(resolve))) // until the screen would show that title
  expect(title.value).toBe('Mine')
  click('Save Fields')
  await waitFor(() => expect(server.requestsTo(`PATCH ${formPath}`)[1]?.body).toEqual({ title: 'Mine', version: 6 }))
})

test('an error stays at its field when another field is removed', async () => {
  mockForms([form])
  await renderApp(`/lead-forms/${form.id}/edit`)
  await screen.findByRole('heading', { name: 'Preview' })
  click('Add Field')
  click('Add Field')
  type(within(screen.getByRole('listitem', { name: 'field 3' })).getByLabelText('Label'), 'Floor')
  click('Save Fields')
  await screen.findByText('Enter a label')
  click('Remove Email')
  expect(within(screen.getByRole('listitem', { name: 'field 1' })).getByText('Enter a label')).toBeTruthy()
  click('Remove field 1')
  expect(screen.queryByText('Enter a label')).toBeNull()
})
