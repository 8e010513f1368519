import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { asksBeforeClose, changeResponse, nora, problemResponse, mockServer } from '#web/testing.ts'
import { NotesCount } from './NotesTab.tsx'
import { imara, makeList, makeNote, oak, openContact, routes, survey } from './testing.ts'

const create = 'POST /api/notes'
const update = 'PATCH /api/notes/{id}'
const findNewNoteField = (): Promise<HTMLTextAreaElement> => screen.findByLabelText<HTMLTextAreaElement>('New note')
const write = (field: HTMLElement, text: string): void => void fireEvent.change(field, { target: { value: text } })
const getNoteTexts = (): (string | null)[] =>
  within(screen.getByRole('region', { name: 'Notes' }))
    .getAllByRole('listitem')
    .map((item) => item.querySelector('p')?.textContent ?? null)
/** Opens the form of a note and returns its text field. */
const editNote = async (text: string): Promise<HTMLTextAreaElement> => {
  const item = (await screen.findByText(text)).closest('li')
  if (!item) throw new Error(`No list item with the text ${text}`)
  fireEvent.click(within(item).getByRole('button', { name: 'Edit note' }))
  return within(item).findByLabelText<HTMLTextAreaElement>('Note')
}

test('the notes are sorted newest first, and the tab shows their number', async () => {
  const server = mockServer(routes)
  await openContact()
  await screen.findByText('Wants the oak sample')
  expect(getNoteTexts()).toEqual(['Wants the oak sample', 'Survey done.\nThe wall is not straight.'])
  expect((await screen.findByRole('link', { name: 'Notes 2' })).getAttribute('aria-current')).toBe('page')
  expect(server.requestsTo('GET /api/notes')[0]?.query).toEqual({ contact_id: imara.id, limit: '20' })
})

test('the links and lists in a note are shown as such, and its form shows the text as it was typed', async () => {
  const content = 'Wants **oak**:\n- a door\n- a desk\nSee https://quillstone.example/offer'
  mockServer({ ...routes, 'GET /api/notes': makeList(makeNote(12, content)) })
  await openContact()
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'https://quillstone.example/offer' })
  expect([link.href, link.target, link.rel]).toEqual(['https://quillstone.example/offer', '_blank', 'noopener noreferrer nofollow'])
  const [note] = within(screen.getByRole('region', { name: 'Notes' })).getAllByRole('listitem')
  expect(
    within(note ?? document.body)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['a door', 'a desk'])
  fireEvent.click(screen.getByRole('button', { name: 'Edit note' }))
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Note')).value).toBe(content)
})

test('Ctrl+Enter adds no blank note; it adds any other note, and then the field is empty and has the focus', async () => {
  const server = mockServer({
    ...routes,
    [create]: () => {
      server.setHandlers({ 'GET /api/notes': makeList(makeNote(13, 'Called back'), oak, survey) })
      return changeResponse('c-1', makeNote(13, 'Called back'), 201)
    },
  })
  await openContact()
  const field = await findNewNoteField()
  const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Add note' })
  expect(add.disabled).toBe(true)
  write(field, '   \n')
  expect(add.disabled).toBe(true)
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
  write(field, 'Called back')
  fireEvent.keyDown(field, { key: 'Enter' }) // adds a line
  expect(server.requestsTo(create)).toEqual([])
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
  expect(await screen.findByText('Called back', { selector: 'p' })).toBeTruthy()
  expect(await screen.findByText('Note created')).toBeTruthy()
  expect(server.requestsTo(create)[0]?.body).toMatchObject({ contact_id: imara.id, content: 'Called back' })
  const next = await findNewNoteField()
  expect(next.value).toBe('')
  expect(document.activeElement).toBe(next)
  expect(screen.getByRole('link', { name: 'Notes 3' })).toBeTruthy()
})

test('a new note that is still being saved does not take the focus from a note that the user edits meanwhile', async () => {
  const reload = Promise.withResolvers<void>()
  const server = mockServer({
    ...routes,
    [create]: () => {
      server.setHandlers({ 'GET /api/notes': () => reload.promise.then(() => makeList(makeNote(13, 'Called back'), oak, survey)) })
      return changeResponse('c-1', makeNote(13, 'Called back'), 201)
    },
  })
  await openContact()
  const field = await findNewNoteField()
  write(field, 'Called back')
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
  await screen.findByText('Note created')
  const edited = await editNote('Wants the oak sample')
  reload.resolve()
  await waitFor(async () => expect((await findNewNoteField()).value).toBe(''))
  expect(document.activeElement).toBe(edited)
})

test('the draft of a new note is restored when the user returns to the page', async () => {
  mockServer({ ...routes, 'GET /api/trash': { rows: [], next: null } })
  const { router } = await openContact()
  write(await findNewNoteField(), 'Not finished')
  await act(() => router.navigate({ to: '/trash' }))
  await screen.findByText('The trash is empty')
  await act(() => router.navigate({ to: '/crm/contacts/$id', params: { id: imara.id }, search: { tab: 'notes' } }))
  expect((await findNewNoteField()).value).toBe('Not finished')
})

test('while a new note is not added, the browser asks before it closes the page', async () => {
  mockServer(routes)
  await openContact()
  const field = await findNewNoteField()
  expect(asksBeforeClose()).toBe(false)
  write(field, 'Not finished')
  expect(asksBeforeClose()).toBe(true)
  write(field, '')
  expect(asksBeforeClose()).toBe(false)
})

test('when a note cannot be added, its text stays in the field', async () => {
  mockServer({ ...routes, [create]: () => problemResponse('not_ready') })
  await openContact()
  const field = await findNewNoteField()
  write(field, 'Called back')
  fireEvent.click(screen.getByRole('button', { name: 'Add note' }))
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy')
  expect((await findNewNoteField()).value).toBe('Called back')
})

test('a note is edited in the list, and the request contains the version that was loaded', async () => {
  const saved = { ...oak, content: 'Wants the ash sample', version: 2 }
  const server = mockServer({
    ...routes,
    [update]: () => {
      server.setHandlers({ 'GET /api/notes': makeList(saved, survey) })
      return changeResponse('c-2', saved)
    },
  })
  await openContact()
  const field = await editNote('Wants the oak sample')
  expect(document.activeElement).toBe(field)
  expect(field.selectionStart).toBe('Wants the oak sample'.length)
  write(field, 'Wants the ash sample')
  fireEvent.keyDown(field, { key: 'Enter', metaKey: true })
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true }) // sends nothing, because the first save is still running
  await waitFor(() => expect(getNoteTexts()[0]).toBe('Wants the ash sample'))
  expect(server.requestsTo(update).map(({ params, body }) => [params['id'], body])).toEqual([
    [oak.id, { content: 'Wants the ash sample', version: 1 }],
  ])
  expect(await screen.findByText('Note updated')).toBeTruthy()
})

test('the caret stays where it is when the form of a note gets the focus again', async () => {
  mockServer(routes)
  await openContact()
  const field = await editNote('Wants the oak sample')
  write(field, 'Wants the ash sample')
  field.setSelectionRange(5, 5)
  act(() => field.blur())
  act(() => field.focus())
  expect(field.selectionStart).toBe(5)
})

test('an edited note that is still being saved does not take the focus from a note that the user writes meanwhile', async () => {
  const reload = Promise.withResolvers<void>()
  const saved = { ...oak, content: 'Wants the ash sample', version: 2 }
  const server = mockServer({
    ...routes,
    [update]: () => {
      server.setHandlers({ 'GET /api/notes': () => reload.promise.then(() => makeList(saved, survey)) })
      return changeResponse('c-2', saved)
    },
  })
  await openContact()
  const field = await editNote('Wants the oak sample')
  write(field, 'Wants the ash sample')
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
  await screen.findByText('Note updated')
  const newNote = await findNewNoteField()
  act(() => newNote.focus())
  reload.resolve()
  await waitFor(() => expect(screen.queryByLabelText('Note')).toBeNull())
  expect(document.activeElement).toBe(newNote)
})

test('Escape closes the form of a note, and asks for confirmation first when there are changes', async () => {
  mockServer(routes)
  await openContact()
  const unchanged = await editNote('Wants the oak sample')
  fireEvent.keyDown(unchanged, { key: 'Escape', isComposing: true }) // ends the composition of a word
  expect(screen.getByLabelText('Note')).toBe(unchanged)
  fireEvent.keyDown(unchanged, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByLabelText('Note')).toBeNull())
  const field = await editNote('Wants the oak sample')
  write(field, 'Wants nothing')
  fireEvent.keyDown(field, { key: 'Escape' })
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(getNoteTexts()[0]).toBe('Wants the oak sample'))
})

test('when the note was changed elsewhere while its form was open, both texts are shown and the user selects one', async () => {
  const conflict = {
    version: 5,
    actor: `user:${nora.user.id}`,
    actor_name: null,
    at: new Date().toISOString(),
    fields: [{ field: 'content', yours: 'Mine', theirs: 'Theirs' }],
  }
  const server = mockServer({ ...routes, [update]: () => problemResponse('conflict', { conflict }) })
  await openContact()
  write(await editNote('Wants the oak sample'), 'Mine')
  fireEvent.click(screen.getByRole('button', { name: 'Save note' }))
  expect(await screen.findByText('Note was changed somewhere else while you were editing')).toBeTruthy()
  const group = screen.getByRole('group', { name: 'Note' })
  expect(within(group).getByText('Theirs')).toBeTruthy()
  fireEvent.click(within(group).getByRole('radio', { name: /Mine/ }))
  server.setHandlers({ [update]: changeResponse('c-3', { ...oak, content: 'Mine', version: 6 }) })
  fireEvent.click(screen.getByRole('button', { name: 'Save note' }))
  await waitFor(() => expect(server.requestsTo(update).at(-1)?.body).toEqual({ content: 'Mine', version: 5 }))
})

test('when a note is deleted during an edit, the typed text stays, and the form offers to restore the note', async () => {
  const server = mockServer({ ...routes, [update]: () => problemResponse('not_found') })
  await openContact()
  write(await editNote('Wants the oak sample'), 'Still wanted')
  server.setHandlers({ 'GET /api/notes': makeList(survey) })
  await act(() => refreshTables(['notes'])) // as after a live event of another tab
  await waitFor(() => expect(screen.getByRole('link', { name: 'Notes 1' })).toBeTruthy())
  expect(screen.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('Still wanted')
  fireEvent.click(screen.getByRole('button', { name: 'Save note' }))
  expect(await screen.findByText('This note was deleted while you were editing. Restore it and save?')).toBeTruthy()
})

test('a deleted note disappears at once, a toast offers Undo, and the next note gets the focus', async () => {
  const server = mockServer({
    ...routes,
    'DELETE /api/notes/{id}': () => {
      server.setHandlers({ 'GET /api/notes': makeList(survey) })
      return changeResponse('c-4')
    },
  })
  await openContact()
  await screen.findByText('Wants the oak sample')
  const [first] = screen.getAllByRole('button', { name: 'Delete note' })
  if (first) fireEvent.click(first)
  expect(await screen.findByText('Note deleted')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(getNoteTexts()).toEqual(['Survey done.\nThe wall is not straight.'])
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit note' }))
  expect(screen.getByRole('link', { name: 'Notes 1' })).toBeTruthy()
})

test('when a note cannot be deleted, it is shown again', async () => {
  mockServer({ ...routes, 'DELETE /api/notes/{id}': () => problemResponse('not_ready') })
  await openContact()
  await screen.findByText('Wants the oak sample')
  const [first] = screen.getAllByRole('button', { name: 'Delete note' })
  if (first) fireEvent.click(first)
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy')
  await waitFor(() => expect(getNoteTexts()[0]).toBe('Wants the oak sample'))
})

test('the button "Load older notes" loads the next page', async () => {
  const server = mockServer({
    ...routes,
    'GET /api/notes': ({ query }) => (query['after'] ? { ...makeList(survey), count: 2 } : { rows: [oak], next: 'more', count: 2 }),
  })
  await openContact()
  fireEvent.click(await screen.findByRole('button', { name: 'Load older notes' }))
  await waitFor(() => expect(getNoteTexts()).toHaveLength(2))
  expect(server.requestsTo('GET /api/notes').at(-1)?.query['after']).toBe('more')
  expect(screen.queryByRole('button', { name: 'Load older notes' })).toBeNull()
})

test('when the notes cannot be loaded, the tab shows the reason and a button that tries again', async () => {
  const server = mockServer({ ...routes, 'GET /api/notes': () => problemResponse('not_ready') })
  await openContact()
  const failed = await screen.findByRole('alert')
  expect(failed.textContent).toContain('The notes could not be loaded')
  server.setHandlers({ 'GET /api/notes': makeList(oak) })
  fireEvent.click(within(failed).getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Wants the oak sample')).toBeTruthy()
})

test('when the notes could not be loaded, the number on the tab does not request them again', async () => {
  const server = mockServer({ ...routes, 'GET /api/notes': () => problemResponse('not_ready') })
  await openContact()
  await screen.findByText('The notes could not be loaded')
  await screen.findByRole('link', { name: 'Tasks 0' })
  const requestCount = server.requestsTo('GET /api/notes').length
  const { unmount } = render(
    <QueryClientProvider client={queries}>
      <NotesCount contactId={imara.id} />
    </QueryClientProvider>,
  )
  unmount()
  expect(server.requestsTo('GET /api/notes')).toHaveLength(requestCount)
})
