import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refreshTables } from '#web/lib/queries.ts'
import { changeResponse, mockServer, problemResponse } from '#web/testing.ts'
import { makeList, oak, openContact, routes, survey } from '../testing.ts'

const improve = 'POST /functions/v1/improve-note'
const update = 'PATCH /api/notes/{id}'
const improvedContent = 'Wants **two** oak samples by Friday'

const findNewNote = () => screen.findByLabelText<HTMLTextAreaElement>('New note')
const getImproveButton = (name = 'Improve with AI') => screen.getByRole<HTMLButtonElement>('button', { name })
/** Opens the form of the note about oak, and asks the AI for better wording. */
async function improveNote(): Promise<void> {
  fireEvent.click((await screen.findAllByRole('button', { name: 'Edit note' }))[0] ?? document.body)
  const form = (await screen.findByLabelText('Note')).closest('form') ?? document.body
  fireEvent.click(within(form).getByRole('button', { name: 'Improve with AI' }))
}
const findSuggestion = () => screen.findByRole('region', { name: 'Suggested changes' })
const readParts = (suggestion: HTMLElement) =>
  [...suggestion.querySelectorAll('del, ins')].map(({ tagName, textContent }) => [tagName, textContent])

test('a blank note cannot be improved', async () => {
  mockServer(routes)
  await openContact()
  const field = await findNewNote()
  expect(getImproveButton().disabled).toBe(true)
  fireEvent.change(field, { target: { value: ' \n ' } })
  expect(getImproveButton().disabled).toBe(true)
  fireEvent.change(field, { target: { value: 'oak' } })
  expect(getImproveButton().disabled).toBe(false)
})

test('the difference is shown word by word, and Accept saves the note with Undo', async () => {
  const server = mockServer({
    ...routes,
    [improve]: { improvedContent },
    [update]: () => {
      server.setHandlers({ 'GET /api/notes': makeList({ ...oak, content: improvedContent, version: 2 }, survey) })
      return changeResponse('c-1', { ...oak, content: improvedContent, version: 2 })
    },
  })
  await openContact()
  await improveNote()
  const suggestion = await findSuggestion()
  expect(readParts(suggestion)).toEqual([
    ['DEL', ' [removed: the] '],
    ['INS', ' [added: **two**] '],
    ['DEL', ' [removed: sample] '],
    ['INS', ' [added: samples by Friday] '],
  ])
  expect(suggestion.textContent).toContain('2 words removed, 4 words added')
  expect(server.requestsTo(improve)[0]?.body).toEqual({ content: oak.content })
  const accept = within(suggestion).getByRole('button', { name: 'Accept' })
  expect(document.activeElement).toBe(accept)
  expect(server.requestsTo(update)).toEqual([])
  fireEvent.click(accept)
  expect(await screen.findByText('Note updated')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(server.requestsTo(update)[0]?.body).toEqual({ content: improvedContent, version: 1 })
  expect(await screen.findByText('two', { selector: 'strong' })).toBeTruthy()
})

test('Escape leaves the note as it is: the form stays open and nothing is saved', async () => {
  const server = mockServer({ ...routes, [improve]: { improvedContent } })
  await openContact()
  await improveNote()
  fireEvent.keyDown(within(await findSuggestion()).getByRole('button', { name: 'Accept' }), { key: 'Escape' })
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Note')
  expect(field.value).toBe(oak.content)
  expect(document.activeElement).toBe(field)
  expect(server.requestsTo(update)).toEqual([])
})

test('while the accepted text is being saved the difference stays, and after a failure the field has the text', async () => {
  const response = Promise.withResolvers<Response>()
  mockServer({ ...routes, [improve]: { improvedContent }, [update]: () => response.promise })
  await openContact()
  await improveNote()
  const suggestion = await findSuggestion()
  fireEvent.click(within(suggestion).getByRole('button', { name: 'Accept' }))
  await waitFor(() => expect(within(suggestion).getByRole<HTMLButtonElement>('button', { name: 'Leave as it is' }).disabled).toBe(true))
  expect(screen.queryByLabelText('Note')).toBeNull()
  response.resolve(problemResponse('not_found'))
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Note')).value).toBe(improvedContent)
  expect(screen.getByText('This note was deleted while you were editing. Restore it and save?')).toBeTruthy()
})

test('in a new note, Accept replaces only the draft', async () => {
  const server = mockServer({ ...routes, [improve]: { improvedContent: 'Called back.' } })
  await openContact()
  fireEvent.change(await findNewNote(), { target: { value: 'caled back' } })
  fireEvent.click(getImproveButton())
  fireEvent.click(within(await findSuggestion()).getByRole('button', { name: 'Accept' }))
  const field = await findNewNote()
  expect(field.value).toBe('Called back.')
  expect(document.activeElement).toBe(field)
  expect(server.requestsTo('POST /api/notes')).toEqual([])
})

test('while the AI works, the note cannot be typed in or saved, and the request can be stopped', async () => {
  const response = Promise.withResolvers<object>()
  const server = mockServer({ ...routes, [improve]: () => response.promise })
  await openContact()
  const field = await findNewNote()
  fireEvent.change(field, { target: { value: 'caled back' } })
  fireEvent.click(getImproveButton())
  expect(field.readOnly).toBe(true)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add note' }).disabled).toBe(true)
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
  expect(server.requestsTo('POST /api/notes')).toEqual([])
  fireEvent.click(getImproveButton('Stop improving'))
  expect(field.readOnly).toBe(false)
  await act(async () => response.resolve({ improvedContent: 'Called back.' }))
  expect(screen.queryByRole('region', { name: 'Suggested changes' })).toBeNull()
  expect(field.value).toBe('caled back')
})

test('when no AI is connected, a notice says how to connect one; other errors are shown in a toast', async () => {
  const server = mockServer({ ...routes, [improve]: () => problemResponse('ai_off') })
  await openContact()
  fireEvent.change(await findNewNote(), { target: { value: 'oak' } })
  fireEvent.click(getImproveButton())
  expect((await screen.findByRole('note')).textContent).toContain('No AI is connected. Connect one on the account page')
  expect(screen.getByRole('link', { name: 'Open account' }).getAttribute('href')).toBe('/account#ai')
  server.setHandlers({ [improve]: () => problemResponse('ai_failed', { detail: 'No improved content received' }) })
  fireEvent.click(getImproveButton())
  expect((await screen.findByRole('alert')).textContent).toContain('No improved content received')
  expect(screen.queryByRole('note')).toBeNull()
})

test('when the AI returns the same text, a toast says so, and no suggestion is shown', async () => {
  mockServer({ ...routes, [improve]: { improvedContent: 'oak' } })
  await openContact()
  fireEvent.change(await findNewNote(), { target: { value: 'oak' } })
  fireEvent.click(getImproveButton())
  expect(await screen.findByText('The AI suggests no changes to this note.')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Suggested changes' })).toBeNull()
})

test('when the note was changed somewhere else after the suggestion, Accept saves nothing', async () => {
  const server = mockServer({ ...routes, [improve]: { improvedContent } })
  await openContact()
  await improveNote()
  await findSuggestion()
  const changed = { ...oak, content: 'Wants ash now', version: 2 }
  // the wrong count is shown in the tab, so that the test sees when the list was loaded again
  server.setHandlers({ 'GET /api/notes': { ...makeList(changed, survey), count: 3 } })
  await act(() => refreshTables(['notes'])) // as after a live event of another tab
  expect(await screen.findByRole('link', { name: 'Notes 3' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Accept' }))
  expect(await screen.findByText('The note has changed')).toBeTruthy()
  await waitFor(async () => expect((await screen.findByLabelText<HTMLTextAreaElement>('Note')).value).toBe('Wants ash now'))
  expect(server.requestsTo(update)).toEqual([])
})

test('a long note that was rewritten completely is compared as one removed and one added text', async () => {
  const { compareWords } = await import('./wordDifference.ts')
  const makeText = (letter: string) => Array.from({ length: 20_000 }, (_, index) => `${letter}${index}`).join(' ')
  const parts = compareWords(makeText('a'), makeText('b'))
  expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added'])
})
