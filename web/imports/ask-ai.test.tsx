// The AI that is asked about the unsure columns of a file.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { AiConnection } from '#contract/ai.ts'
import type { ImportColumn, ImportDetails } from '#contract/imports.ts'
import { noAi } from '#web/ai/testing.ts'
import { setElementSize } from '#web/contacts/testing.ts'
import { mockServer, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { importId, importHandlers, withTable } from './testing.ts'

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

const connected: AiConnection = { ...noAi, source: 'operator', model: 'small' }
const askAi = 'POST /api/imports/{id}/ask-ai'
const sentence = 'Sends the names of these columns and five masked values each, never the file.'
const askName = /^Ask AI about/
const button = (name: string | RegExp): HTMLButtonElement => screen.getByRole('button', { name })

/** Returns the import with other certainties and reasons of its columns. */
function withColumns(changes: readonly Partial<ImportColumn>[]): ImportDetails {
  const details = withTable()
  const columns = details.table.columns.map((column, index) => ({ ...column, ...changes[index] }))
  return { ...details, table: { ...details.table, columns } }
}
const suggested = withColumns([{}, { reason: 'ai' }, { field: 'description', reason: 'ai' }])

async function openColumns(handlers: Parameters<typeof mockServer>[0] = {}) {
  const server = mockServer({ ...importHandlers, 'GET /api/ai': connected, ...handlers })
  const app = await renderApp(`/crm/imports/${importId}`)
  await screen.findByRole('combobox', { name: 'Field for Vorname' })
  await waitFor(() => expect(server.requestsTo('GET /api/ai').length).toBeGreaterThan(0))
  return { ...app, ...server }
}

test('the AI is asked about the unsure columns, and its suggestions are shown, so that the user can check and correct them', async () => {
  const { requestsTo, setHandlers } = await openColumns({ [askAi]: suggested })
  expect(await screen.findByText(sentence)).toBeTruthy()
  setHandlers({ 'GET /api/imports/{id}': suggested })
  const ask = button('Ask AI about 2 unsure columns')
  ask.focus()
  fireEvent.click(ask)
  expect(await screen.findByText('2 columns have a field that the AI suggests. Please check.')).toBeTruthy()
  expect(requestsTo(askAi)).toHaveLength(1)
  const rows = within(screen.getByRole('list', { name: 'Columns in the file' })).getAllByRole('listitem')
  expect(rows.map((row) => row.querySelector('p:last-of-type')?.textContent)).toEqual(['By its name', 'Suggested by AI', 'Suggested by AI'])
  expect(screen.getByText('3 of 3 columns matched · 2 to check')).toBeTruthy()
  expect(screen.queryByRole('button', { name: askName })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Columns' }))

  setHandlers({ 'PATCH /api/imports/{id}': suggested })
  const field = screen.getByRole('combobox', { name: 'Field for Favourite wood' })
  fireEvent.change(field, { target: { value: '' } })
  await waitFor(() => expect(requestsTo('PATCH /api/imports/{id}')[0]?.body).toEqual({ fields: ['first_name', 'email', null] }))
})

test('a column for which the AI found no field shows this', async () => {
  const none = withColumns([{}, { certainty: 'sure', reason: 'chosen' }, { reason: 'ai' }])
  await openColumns({ [askAi]: none })
  fireEvent.click(await screen.findByRole('button', { name: askName }))
  expect(await screen.findByText('The AI found no fields for these columns.')).toBeTruthy()
  expect(screen.getByText('The AI found no field')).toBeTruthy()
})

test('while the AI is asked, nothing else can be changed, and the user can stop the request', async () => {
  const response = Promise.withResolvers<object>()
  const { requestsTo } = await openColumns({ [askAi]: () => response.promise })
  fireEvent.click(await screen.findByRole('button', { name: askName }))
  await waitFor(() => expect(button('Start import').disabled).toBe(true))
  expect(screen.getByRole('group', { name: 'Fields of the columns' }).matches(':disabled')).toBe(true)
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Cells are separated by' }).disabled).toBe(true)
  const reads = requestsTo('GET /api/imports/{id}').length
  fireEvent.click(button('Stop asking'))
  await act(async () => response.resolve(suggested))
  await waitFor(() => expect(button('Ask AI about 2 unsure columns')).toBeTruthy())
  await waitFor(() => expect(requestsTo('GET /api/imports/{id}').length).toBeGreaterThan(reads)) // the AI may have answered before the stop
  expect(screen.queryByText('Suggested by AI')).toBeNull()
  expect(button('Start import').disabled).toBe(false)
})

test('a failure of the AI is shown with its message, and the columns do not change', async () => {
  const failure = problemResponse('ai_failed', { detail: 'The AI service gave an answer that could not be used.' })
  await openColumns({ [askAi]: failure })
  fireEvent.click(await screen.findByRole('button', { name: askName }))
  expect(await screen.findByText('The AI service gave an answer that could not be used.')).toBeTruthy()
  expect(screen.getByText('No field like it')).toBeTruthy()
  await waitFor(() => expect(button('Ask AI about 2 unsure columns').disabled).toBe(false))
})

test.each([
  ['without an AI connection', { 'GET /api/ai': noAi }],
  ['without unsure columns', { 'GET /api/imports/{id}': withColumns([{}, { certainty: 'sure' }, { certainty: 'sure' }]) }],
])('%s nothing about AI is shown', async (_name, handlers) => {
  await openColumns(handlers)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.queryByRole('button', { name: askName })).toBeNull()
  expect(screen.queryByText(sentence)).toBeNull()
})

test('a notice is shown if the key of the AI connection is lost', async () => {
  await openColumns({ 'GET /api/ai': { ...connected, source: 'own', key_state: 'lost' } })
  expect(await screen.findByText(/The key of your AI connection can no longer be read/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: askName })).toBeNull()
})
