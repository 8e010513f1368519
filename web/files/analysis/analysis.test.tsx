import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { setElementSize } from '#web/contacts/testing.ts'
import { everyTable, queries, refreshTables } from '#web/lib/queries.ts'
import { mockServer, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { folderRoutes, quillstoneAddress, surveyFile } from '../testing.ts'

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

const analyze = 'POST /functions/v1/analyze-file'
const analysis = {
  fileName: surveyFile.file_name,
  analysis: 'A **survey** of the waiting room.\n- The east wall is not straight.',
  passages: [
    { text: 'The east wall is 14 mm out of plumb', marks: [], page: 3 },
    { text: 'A very long passage about the wall '.repeat(6).trim(), marks: [], page: null },
  ],
  isCut: false,
}
const routes = { ...folderRoutes, [analyze]: analysis }

async function startAnalysis(): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: `Analyze ${surveyFile.file_name} with AI` }))
}
const findDialog = () => screen.findByRole('dialog', { name: surveyFile.file_name })

test('the analysis of a file is shown in a dialog with the passages on which it is based', async () => {
  const server = mockServer(routes)
  await renderApp(quillstoneAddress)
  await startAnalysis()
  const dialog = await findDialog()
  expect((await within(dialog).findByText('survey')).tagName).toBe('STRONG')
  expect(server.requestsTo(analyze)[0]?.body).toEqual({ fileId: surveyFile.id })
  expect(await screen.findByText('Analysis complete')).toBeTruthy()
  expect(screen.getByText('quillstone-survey-v3.pdf has been analyzed by AI')).toBeTruthy()
  const passages = within(dialog).getByRole('region', { name: 'Based on these passages' })
  expect(within(passages).getAllByRole('button')[0]?.textContent).toBe('Page 3The east wall is 14 mm out of plumb')
  expect(within(dialog).queryByText(/only its beginning/)).toBeNull()
  expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Done' }))
})

test('a passage opens the preview, which searches for its first words', async () => {
  mockServer(routes)
  const { router } = await renderApp(quillstoneAddress)
  await startAnalysis()
  fireEvent.click(await within(await findDialog()).findByRole('button', { name: /^A very long passage/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/files/file/${surveyFile.id}`))
  const find = new URLSearchParams(router.state.location.searchStr).get('find')
  expect(find).toMatch(/^A very long passage .* A very long$/)
  expect(find?.length).toBeLessThanOrEqual(120)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a refresh of all data, as at midnight, does not analyze the file again', async () => {
  const server = mockServer(routes)
  await renderApp(quillstoneAddress)
  await startAnalysis()
  await within(await findDialog()).findByText('survey')
  await act(() => refreshTables([everyTable]))
  expect(server.requestsTo(analyze)).toHaveLength(1)
})

test('opening the dialog again shows the same analysis without a request, and Analyze again requests a new one', async () => {
  const server = mockServer(routes)
  await renderApp(quillstoneAddress)
  await startAnalysis()
  fireEvent.click(await within(await findDialog()).findByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await startAnalysis()
  const again = await within(await findDialog()).findByRole('button', { name: 'Analyze again' })
  expect(server.requestsTo(analyze)).toHaveLength(1)
  server.setHandlers({ [analyze]: { ...analysis, analysis: 'Another text', isCut: true } })
  fireEvent.click(again)
  expect(await screen.findByText('Another text')).toBeTruthy()
  expect(screen.getByText(/only its beginning was analyzed/)).toBeTruthy()
})

test('while the AI reads the file the dialog says so, and Stop ends the request', async () => {
  const waiting = Promise.withResolvers<object>()
  mockServer({ ...routes, [analyze]: () => waiting.promise })
  await renderApp(quillstoneAddress)
  await startAnalysis()
  const dialog = await findDialog()
  expect(within(dialog).getByRole('status').textContent).toContain('The AI is reading the file')
  expect(queries.isFetching({ predicate: ({ queryKey }) => queryKey.includes('analysis') })).toBe(1)
  fireEvent.click(within(dialog).getByRole('button', { name: 'Stop' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(queries.isFetching({ predicate: ({ queryKey }) => queryKey.includes('analysis') })).toBe(0)
  await act(async () => waiting.resolve(analysis))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a failure closes the dialog and is shown in a toast with its reason', async () => {
  const sentence = 'The file is protected with a password, so it cannot be analyzed.'
  mockServer({ ...routes, [analyze]: () => problemResponse('invalid', { fields: { fileId: sentence }, detail: sentence }) })
  await renderApp(quillstoneAddress)
  await startAnalysis()
  const toast = await screen.findByRole('alert')
  expect(toast.textContent).toContain('Error analyzing file')
  expect(toast.textContent).toContain(sentence)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('without an AI the dialog says in one sentence how to turn it on', async () => {
  mockServer({ ...routes, [analyze]: () => problemResponse('ai_off') })
  await renderApp(quillstoneAddress)
  await startAnalysis()
  expect((await within(await findDialog()).findByRole('note')).textContent).toContain('No AI is connected. Connect one on the account page')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the menu of a file and the page of the file offer the analysis, and the menu of a folder does not', async () => {
  mockServer({
    ...routes,
    'GET /api/files/{id}': surveyFile,
    'GET /api/files/{id}/text': { state: 'ready', reason: null, text: 'A', is_cut: false, pages: null },
  })
  const { router } = await renderApp(quillstoneAddress)
  fireEvent.click(await screen.findByRole('button', { name: 'More for Drawings' }))
  await screen.findByRole('menuitem', { name: /^Rename/ })
  expect(screen.queryByRole('menuitem', { name: 'Analyze with AI' })).toBeNull()
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  fireEvent.click(screen.getByRole('button', { name: `More for ${surveyFile.file_name}` }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Analyze with AI' }))
  fireEvent.click(await within(await findDialog()).findByRole('button', { name: 'Done' }))
  await act(() => router.navigate({ to: '/files/file/$fileId', params: { fileId: surveyFile.id } }))
  fireEvent.click(await screen.findByRole('button', { name: 'Analyze with AI' }))
  expect(await findDialog()).toBeTruthy()
})

test('a file that the AI has made has a label', async () => {
  const picture = { ...surveyFile, file_name: 'ai-generated-1.png', file_type: 'png', is_ai_generated: true }
  mockServer({ ...routes, 'GET /api/files': { rows: [picture], next: null } })
  await renderApp(quillstoneAddress)
  expect(await screen.findByTitle('Made by AI')).toBeTruthy()
})
