import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { FormField } from '#contract/formFields.ts'
import type { LeadForm } from '#contract/leadForms.ts'
import type { Submission } from '#contract/submissions.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'

// so that few rows are too many
vi.mock('#contract/lists.ts', async (importOriginal) => ({ ...(await importOriginal<object>()), maxSelectedIds: 3 }))

const formId = '01930000-0000-7000-8000-000000000901'
const makeSpam = (number: number): Submission => ({
  id: `01930000-0000-7000-8000-00000000095${number}`,
  created_at: '2026-11-23T10:00:00.000Z',
  updated_at: '2026-11-23T10:00:00.000Z',
  version: 1,
  form_id: formId,
  form_title: 'Ask for an offer',
  contact_id: null,
  contact_name: '',
  name: `Ann ${number}`,
  email: `ann${number}@example.org`,
  summary: 'https://a.example',
  is_spam: true,
  spam_reason: 'many_links',
  submission_data: {},
  source: {},
})
const form: LeadForm = {
  id: formId,
  created_at: '2026-11-23T10:00:00.000Z',
  updated_at: '2026-11-23T10:00:00.000Z',
  version: 3,
  title: 'Ask for an offer',
  slug: 'ask-for-an-offer',
  description: '',
  success_message: 'Thank you!',
  is_active: true,
  redirect_url: '',
  closes_at: null,
  max_submissions: null,
  form_fields: [],
  next_field_number: 0,
  submission_count: 0,
  spam_count: 3,
  last_submission_at: null,
}
const rows = [makeSpam(1), makeSpam(2), makeSpam(3)]

test('in the spam folder, one or all submissions are selected, marked as not spam or deleted, and Undo is offered', async () => {
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/lead-forms/{id}': form,
    'GET /api/submissions': { rows, next: null },
    'POST /api/submissions/bulk/spam': () => changeResponse('c1'),
    'POST /api/submissions/bulk/delete': () => changeResponse('c2'),
  })
  await renderApp(`/lead-forms/${formId}/submissions?spam=true`)
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Ann 2' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Not spam' }))
  expect(await screen.findByText('1 submission')).toBeTruthy()
  expect(server.requestsTo('POST /api/submissions/bulk/spam')[0]?.body).toEqual({ ids: [rows[1]?.id], is_spam: false })
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull())
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  expect(screen.getByText('3 selected')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('3 submissions deleted')).toBeTruthy()
  expect(server.requestsTo('POST /api/submissions/bulk/delete')[0]?.body).toEqual({ ids: rows.map(({ id }) => id) })
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(2)
})

test('when more submissions are selected than a request can have, the buttons are disabled and say how many are possible', async () => {
  mockServer({
    'GET /api/session': nora,
    'GET /api/lead-forms/{id}': form,
    'GET /api/submissions': { rows: [...rows, makeSpam(4)], next: null },
  })
  await renderApp(`/lead-forms/${formId}/submissions?spam=true`)
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }))
  const isDisabled = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled
  expect([isDisabled('Delete at most 3 at once'), isDisabled('Not spam')]).toEqual([true, true])
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Ann 4' }))
  expect([isDisabled('Delete'), isDisabled('Not spam')]).toEqual([false, false])
})

test('the details of a submission show numbers as in the country of the owner and later required fields, and close when it is deleted with others', async () => {
  const field: FormField = {
    id: '01930000-0000-7000-8000-000000000911',
    field_name: 'distance',
    field_label: 'Distance',
    field_type: 'number',
    is_required: true,
    placeholder: '',
    options: [],
  }
  // a new field may have the name of a removed one
  const newField = { ...field, id: '01930000-0000-7000-8000-000000000912', field_label: 'Model' }
  const full = { ...makeSpam(1), submission_data: { distance: '1234.5' }, version_fields: [field], files: [] }
  const server = mockServer({
    'GET /api/session': { ...nora, profile: { ...nora.profile, country: 'DE' } },
    'GET /api/lead-forms/{id}': { ...form, form_fields: [newField] },
    'GET /api/submissions': { rows, next: null },
    'GET /api/submissions/{id}': full,
    'POST /api/submissions/bulk/delete': () => changeResponse('c2'),
  })
  const { router } = await renderApp(`/lead-forms/${formId}/submissions?spam=true&open=${full.id}`)
  expect(await screen.findByText('In the spam folder, because it has many links.')).toBeTruthy()
  expect(screen.getByText('Distance').nextSibling?.textContent).toBe('1234,5')
  expect(await screen.findByText(/^The form got these required fields .*: Model\.$/)).toBeTruthy()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Ann 1' }))
  server.setHandlers({
    'GET /api/submissions': { rows: rows.slice(1), next: null },
    'GET /api/submissions/{id}': problemResponse('not_found'),
  })
  fireEvent.click((await screen.findAllByRole('button', { name: 'Delete' })).at(-1) ?? document.body)
  expect(await screen.findByText('1 submission deleted')).toBeTruthy()
  await waitFor(() => expect(router.state.location.search).toEqual({ spam: true }))
  expect(screen.queryByText('The submission could not be loaded')).toBeNull()
})

/** Opens the page with the first submission open, and deletes it. `respond` sends the response, and waits until the page has used it. */
async function deleteSlowly() {
  const { promise, resolve } = Promise.withResolvers<Response>()
  mockServer({
    'GET /api/session': nora,
    'GET /api/lead-forms': { rows: [form], next: null },
    'GET /api/lead-forms/{id}': form,
    'GET /api/submissions': { rows, next: null },
    'GET /api/submissions/{id}': ({ params }) => ({ ...rows.find(({ id }) => id === params['id']), version_fields: [], files: [] }),
    'DELETE /api/submissions/{id}': () => promise,
  })
  const { router } = await renderApp(`/lead-forms/${formId}/submissions?spam=true&open=${rows[0]?.id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  const respond = async (): Promise<void> => {
    resolve(changeResponse('c2'))
    await screen.findByText('Submission deleted')
    await act(() => new Promise<void>((done) => setTimeout(done, 50)))
  }
  return { router, respond }
}

test('the details of a submission close when it is deleted', async () => {
  const { router, respond } = await deleteSlowly()
  await respond()
  expect(router.state.location.search).toEqual({ spam: true })
})

test.each(['Delete', 'Not spam'])('after "%s" in the details of a submission, the focus is on the next submission', async (name) => {
  const full = { ...makeSpam(1), version_fields: [], files: [] }
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/lead-forms/{id}': form,
    'GET /api/submissions': { rows, next: null },
    'GET /api/submissions/{id}': full,
    'DELETE /api/submissions/{id}': () => changeResponse('c2'),
    'POST /api/submissions/{id}/spam': () => changeResponse('c2', full),
  })
  await renderApp(`/lead-forms/${formId}/submissions?spam=true&open=${rows[0]?.id}`)
  const button = await screen.findByRole('button', { name })
  server.setHandlers({ 'GET /api/submissions': { rows: rows.slice(1), next: null } })
  act(() => button.focus())
  fireEvent.click(button)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Select Ann 2' })))
})

test('a submission that is deleted after the user has opened another one does not close that one', async () => {
  const { router, respond } = await deleteSlowly()
  fireEvent.click(screen.getByRole('button', { name: /^Ann 2/ }))
  await waitFor(() => expect(router.state.location.search).toEqual({ spam: true, open: rows[1]?.id }))
  await respond()
  expect(router.state.location.search).toEqual({ spam: true, open: rows[1]?.id })
})

test('a submission that is deleted after the user has left the page does not open the page again', async () => {
  const { router, respond } = await deleteSlowly()
  await act(() => router.navigate({ to: '/lead-forms' }))
  await respond()
  expect(router.state.location.href).toBe('/lead-forms')
})

test('the details of a submission show a date as other dates of the product', async () => {
  const base = { field_type: 'date' as const, is_required: false, placeholder: '', options: [] }
  const fields = ['Wanted by', 'Call me on'].map((field_label, index) => ({
    ...base,
    id: `${formId.slice(0, -1)}${index}`,
    field_name: `field_${index}`,
    field_label,
  }))
  const full = { ...makeSpam(1), submission_data: { field_0: '2027-02-01' }, version_fields: fields, files: [] }
  mockServer({
    'GET /api/session': nora,
    'GET /api/lead-forms/{id}': form,
    'GET /api/submissions': { rows, next: null },
    'GET /api/submissions/{id}': full,
  })
  await renderApp(`/lead-forms/${formId}/submissions?spam=true&open=${full.id}`)
  const answerOf = async (label: string) => (await screen.findByText(label)).nextElementSibling?.textContent
  expect([await answerOf('Wanted by'), await answerOf('Call me on')]).toEqual(['Monday, 1 February 2027', '-'])
})
