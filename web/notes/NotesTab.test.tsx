import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { emptyContact } from '#contract/contacts.ts'
import type { Note } from '#contract/notes.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { changeResponse, nora, problemResponse, renderApp, mockServer } from '#web/testing.ts'

const makeId = (number: number): string => `01930000-0000-7000-8000-${String(number).padStart(12, '0')}`
const systemFields = { created_at: '2026-11-01T09:00:00.000Z', updated_at: '2026-11-01T09:00:00.000Z', version: 1 }
const imara = {
  ...emptyContact,
  ...systemFields,
  id: makeId(1),
  first_name: 'Imara',
  last_name: 'Vantongeren',
  reports_to_name: '',
  external_id: '',
  crm_connection_id: null,
  raw_data: null,
}
const note = (number: number, content: string): Note => ({ ...systemFields, id: makeId(number), contact_id: imara.id, content })
const oak = note(12, 'Wants the oak sample')
const survey = note(11, 'Survey done.\nThe wall is not straight.')
const list = (...rows: Note[]) => ({ rows, next: null, count: rows.length })
const none = { count: 0, more: false }
const routes = {
  'GET /api/session': nora,
  'GET /api/contacts/{id}': imara,
  'GET /api/deals/count': none,
  'GET /api/tasks/count': none,
  'GET /api/changes': { rows: [], next: null },
  'GET /api/notes': list(oak, survey),
}
const create = 'POST /api/notes'
const update = 'PATCH /api/notes/{id}'
const open = () => renderApp(`/crm/contacts/${imara.id}`)
const newNote = (): Promise<HTMLTextAreaElement> => screen.findByLabelText<HTMLTextAreaElement>('New note')
const write = (field: HTMLElement, text: string): void => void fireEvent.change(field, { target: { value: text } })
const notes = (): (string | null)[] =>
  within(screen.getByRole('region', { name: 'Notes' }))
    .getAllByRole('listitem')
    .map((line) => line.querySelector('p')?.textContent ?? null)
const editing = async (text: string): Promise<HTMLTextAreaElement> => {
  const line = (await screen.findByText(text)).closest('li')
  if (!line) throw new Error(`${text} is in no list`)
  fireEvent.click(within(line).getByRole('button', { name: 'Edit note' }))
  return within(line).findByLabelText<HTMLTextAreaElement>('Note')
}

test('the notes are sorted newest first, and the tab shows their number', async () => {
  const server = mockServer(routes)
  await open()
  await screen.findByText('Wants the oak sample')
  expect(notes()).toEqual(['Wants the oak sample', 'Survey done.\nThe wall is not straight.'])
  expect((await screen.findByRole('link', { name: 'Notes 2' })).getAttribute('aria-current')).toBe('page')
  expect(server.requestsTo('GET /api/notes')[0]?.query).toEqual({ contact_id: imara.id, limit: '20' })
})

test('a note is added by its button or Ctrl+Enter, but not when blank, and the next one can be typed at once', async () => {
  const server = mockServer({
    ...routes,
    [create]: () => {
      server.setHandlers({ 'GET /api/notes': list(note(13, 'Called back'), oak, survey) })
      return changeResponse('c-1', note(13, 'Called back'), 201)
    },
  })
  await open()
  const field = await newNote()
  const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Add note' })
  expect(add.disabled).toBe(true)
  write(field, '   \n')
  expect(add.disabled).toBe(true)
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
  write(field, 'Called back')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(server.requestsTo(create)).toEqual([])
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
  expect(await screen.findByText('Called back', { selector: 'p' })).toBeTruthy()
  expect(await screen.findByText('Note created')).toBeTruthy()
  expect(server.requestsTo(create)[0]?.body).toMatchObject({ contact_id: imara.id, content: 'Called back' })
  const next = await newNote()
  expect(next.value).toBe('')
  expect(document.activeElement).toBe(next)
  expect(screen.getByRole('link', { name: 'Notes 3' })).toBeTruthy()
})

test('a draft is restored after the page was left', async () => {
  mockServer({ ...routes, 'GET /api/trash': { rows: [], next: null } })
  const { router } = await open()
  write(await newNote(), 'Half a thou')
  await act(() => router.navigate({ to: '/trash' }))
  await screen.findByText('The trash is empty')
  await act(() => router.navigate({ to: '/crm/contacts/$id', params: { id: imara.id } }))
  expect((await newNote()).value).toBe('Half a thou')
})

test('a refused note stays in its field', async () => {
  mockServer({ ...routes, [create]: () => problemResponse('not_ready') })
  await open()
  const field = await newNote()
  write(field, 'Called back')
  fireEvent.click(screen.getByRole('button', { name: 'Add note' }))
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy')
  expect((await newNote()).value).toBe('Called back')
})

test('a note is edited in the list, and the edit sends the version it started from', async () => {
  const saved = { ...oak, content: 'Wants the ash sample', version: 2 }
  const server = mockServer({
    ...routes,
    [update]: () => {
      server.setHandlers({ 'GET /api/notes': list(saved, survey) })
      return changeResponse('c-2', saved)
    },
  })
  await open()
  const field = await editing('Wants the oak sample')
  expect(document.activeElement).toBe(field)
  expect(field.selectionStart).toBe('Wants the oak sample'.length)
  write(field, 'Wants the ash sample')
  fireEvent.keyDown(field, { key: 'Enter', metaKey: true })
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
  await waitFor(() => expect(notes()[0]).toBe('Wants the ash sample'))
  expect(server.requestsTo(update).map(({ params, body }) => [params['id'], body])).toEqual([
    [oak.id, { content: 'Wants the ash sample', version: 1 }],
  ])
  expect(await screen.findByText('Note updated')).toBeTruthy()
})

test('Escape closes an edit, and asks first when there are changes', async () => {
  mockServer(routes)
  await open()
  fireEvent.keyDown(await editing('Wants the oak sample'), { key: 'Escape' })
  await waitFor(() => expect(screen.queryByLabelText('Note')).toBeNull())
  const field = await editing('Wants the oak sample')
  write(field, 'Wants nothing')
  fireEvent.keyDown(field, { key: 'Escape' })
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(notes()[0]).toBe('Wants the oak sample'))
})

test('when another person changed the note meanwhile, both texts are shown and one is chosen', async () => {
  const conflict = {
    version: 5,
    actor: `user:${nora.user.id}`,
    at: new Date().toISOString(),
    fields: [{ field: 'content', yours: 'Mine', theirs: 'Theirs' }],
  }
  const server = mockServer({ ...routes, [update]: () => problemResponse('conflict', { conflict }) })
  await open()
  write(await editing('Wants the oak sample'), 'Mine')
  fireEvent.click(screen.getByRole('button', { name: 'Save note' }))
  expect(await screen.findByText('Note was changed somewhere else while you were editing')).toBeTruthy()
  const group = screen.getByRole('group', { name: 'Note' })
  expect(within(group).getByText('Theirs')).toBeTruthy()
  fireEvent.click(within(group).getByRole('radio', { name: /Mine/ }))
  server.setHandlers({ [update]: changeResponse('c-3', { ...oak, content: 'Mine', version: 6 }) })
  fireEvent.click(screen.getByRole('button', { name: 'Save note' }))
  await waitFor(() => expect(server.requestsTo(update).at(-1)?.body).toEqual({ content: 'Mine', version: 5 }))
})

test('a note that was deleted during its edit stays with the typed text, and can be restored', async () => {
  const server = mockServer({ ...routes, [update]: () => problemResponse('not_found') })
  await open()
  write(await editing('Wants the oak sample'), 'Still wanted')
  server.setHandlers({ 'GET /api/notes': list(survey) })
  await act(() => refreshTables(['notes']))
  await waitFor(() => expect(screen.getByRole('link', { name: 'Notes 1' })).toBeTruthy())
  expect(screen.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('Still wanted')
  fireEvent.click(screen.getByRole('button', { name: 'Save note' }))
  expect(await screen.findByText('This note was deleted while you were editing. Restore it and save?')).toBeTruthy()
})

test('a deleted note disappears at once, can be restored, and its neighbour takes the focus', async () => {
  const server = mockServer({
    ...routes,
    'DELETE /api/notes/{id}': () => {
      server.setHandlers({ 'GET /api/notes': list(survey) })
      return changeResponse('c-4')
    },
  })
  await open()
  await screen.findByText('Wants the oak sample')
  const [first] = screen.getAllByRole('button', { name: 'Delete note' })
  if (first) fireEvent.click(first)
  expect(await screen.findByText('Note deleted')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(notes()).toEqual(['Survey done.\nThe wall is not straight.'])
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit note' }))
  expect(screen.getByRole('link', { name: 'Notes 1' })).toBeTruthy()
})

test('a refused deletion shows the note again', async () => {
  mockServer({ ...routes, 'DELETE /api/notes/{id}': () => problemResponse('not_ready') })
  await open()
  await screen.findByText('Wants the oak sample')
  const [first] = screen.getAllByRole('button', { name: 'Delete note' })
  if (first) fireEvent.click(first)
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy')
  await waitFor(() => expect(notes()[0]).toBe('Wants the oak sample'))
})

test('older notes are loaded page by page', async () => {
  const server = mockServer({
    ...routes,
    'GET /api/notes': ({ query }) => (query['after'] ? { ...list(survey), count: 2 } : { rows: [oak], next: 'more', count: 2 }),
  })
  await open()
  fireEvent.click(await screen.findByRole('button', { name: 'Load older notes' }))
  await waitFor(() => expect(notes()).toHaveLength(2))
  expect(server.requestsTo('GET /api/notes').at(-1)?.query['after']).toBe('more')
  expect(screen.queryByRole('button', { name: 'Load older notes' })).toBeNull()
})

test('notes that could not be loaded show the reason and can be retried', async () => {
  const server = mockServer({ ...routes, 'GET /api/notes': () => problemResponse('not_ready') })
  await open()
  const failed = await screen.findByRole('alert')
  expect(failed.textContent).toContain('The notes could not be loaded')
  server.setHandlers({ 'GET /api/notes': list(oak) })
  fireEvent.click(within(failed).getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Wants the oak sample')).toBeTruthy()
})
