import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { File } from '#contract/files.ts'
import { setElementSize } from '#web/contacts/testing.ts'
import { changeResponse, mockServer, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { accessFile, folderRoutes, quillstone, quillstoneAddress, surveyFile, wallFile } from '../testing.ts'

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

const archive: File = { ...surveyFile, file_name: 'drawings.zip', file_type: 'zip', text_state: 'failed', text_reason: 'unsupported' }

/** Serves these files, and a text as the content of each. */
function serve(files: readonly File[], text: string | Uint8Array<ArrayBuffer> = 'Ring the bell twice.') {
  return mockServer({
    ...folderRoutes,
    'GET /api/files': { rows: files, next: null },
    'GET /api/files/{id}': ({ params }) => files.find(({ id }) => id === params['id']) ?? problemResponse('not_found'),
    'GET /api/files/{id}/content': () => new Response(text, { status: 206 }),
  })
}

const addressOf = ({ id }: File): string => `/files/file/${id}`
const press = (key: string) => fireEvent.keyDown(document.body, { key })

test('the tags of an HTML file are shown as text, and only the first bytes of the file are requested', async () => {
  const server = serve([{ ...accessFile, file_type: 'html', file_name: 'page.html' }], '<h1>Hi</h1><script>alert(1)</script>')
  await renderApp(addressOf(accessFile))
  expect(await screen.findByText('<h1>Hi</h1><script>alert(1)</script>')).toBeTruthy()
  expect(document.querySelector('main script')).toBeNull()
  const [request] = server.requestsTo('GET /api/files/{id}/content')
  expect(request?.headers.get('range')).toBe('bytes=0-1048575') // the first megabyte
  expect(document.title).toBe('page.html - Foyer')
})

test('the text has the focus, so that Page Down scrolls it', async () => {
  serve([accessFile])
  await renderApp(addressOf(accessFile))
  await screen.findByText('Ring the bell twice.')
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Text' }))
})

test('only the first megabyte of a long text is shown, and Show more loads more', async () => {
  const server = serve([{ ...accessFile, file_size: 1_500_000 }])
  await renderApp(addressOf(accessFile))
  expect(await screen.findByText('First 1.0 MB of 1.4 MB')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  // the size in the bar above the text; the size in the details has a title
  expect(await screen.findByText('1.4 MB', { selector: 'span:not([title])' })).toBeTruthy()
  expect(server.requestsTo('GET /api/files/{id}/content').at(-1)?.headers.get('range')).toBe('bytes=0-2097151') // two megabytes
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('while more of a text is loaded, the page still says that only the beginning is shown', async () => {
  const server = serve([{ ...accessFile, file_size: 1_500_000 }])
  await renderApp(addressOf(accessFile))
  expect(await screen.findByText('First 1.0 MB of 1.4 MB')).toBeTruthy()
  const { promise, resolve } = Promise.withResolvers<Response>()
  server.setHandlers({ 'GET /api/files/{id}/content': () => promise })
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(server.requestsTo('GET /api/files/{id}/content')).toHaveLength(2))
  expect(screen.getByText('First 1.0 MB of 1.4 MB')).toBeTruthy()
  resolve(new Response('The whole text', { status: 206 }))
  expect(await screen.findByText('The whole text')).toBeTruthy()
  expect(screen.queryByText('First 1.0 MB of 1.4 MB')).toBeNull()
})

test('when more of a text cannot be loaded, the loaded text stays, a toast shows the error, and Show more tries again', async () => {
  const server = serve([{ ...accessFile, file_size: 1_500_000 }])
  await renderApp(addressOf(accessFile))
  const text = await screen.findByText('Ring the bell twice.')
  server.setHandlers({ 'GET /api/files/{id}/content': () => problemResponse('not_ready') })
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Error loading text')
  expect(text.isConnected).toBe(true)
  expect(screen.getByText('First 1.0 MB of 1.4 MB')).toBeTruthy()
  server.setHandlers({ 'GET /api/files/{id}/content': () => new Response('The whole text', { status: 206 }) })
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  expect(await screen.findByText('The whole text')).toBeTruthy()
  expect(server.requestsTo('GET /api/files/{id}/content').at(-1)?.headers.get('range')).toBe('bytes=0-2097151') // two megabytes
})

test('for an empty file the page says so, without a request for its content', async () => {
  const server = serve([{ ...accessFile, file_size: 0 }])
  await renderApp(addressOf(accessFile))
  expect(await screen.findByText('This file is empty.')).toBeTruthy()
  expect(server.requestsTo('GET /api/files/{id}/content')).toEqual([])
})

test('a text file with binary content has no preview', async () => {
  serve([accessFile], Uint8Array.from([0x50, 0x4b, 0, 0])) // the zero bytes show that the content is no text
  await renderApp(addressOf(accessFile))
  expect(await screen.findByRole('heading', { name: 'No preview for this type' })).toBeTruthy()
})

test('a file without a preview shows its name, its size and the download', async () => {
  serve([archive])
  await renderApp(addressOf(archive))
  const preview = within(await screen.findByRole('region', { name: 'Preview' }))
  expect(preview.getByRole('heading', { name: 'No preview for this type' })).toBeTruthy()
  expect(preview.getByText('drawings.zip')).toBeTruthy()
  expect(preview.getByText('1.8 MB')).toBeTruthy()
  expect(preview.getByRole('button', { name: 'Download' })).toBeTruthy()
})

test('when a text cannot be loaded, Try again loads it', async () => {
  const server = serve([accessFile])
  server.setHandlers({ 'GET /api/files/{id}/content': () => problemResponse('not_ready') })
  await renderApp(addressOf(accessFile))
  expect(await screen.findByRole('heading', { name: 'The text could not be loaded' })).toBeTruthy()
  server.setHandlers({ 'GET /api/files/{id}/content': () => new Response('Ring the bell', { status: 206 }) })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Ring the bell')).toBeTruthy()
})

test('a CSV file is shown as a table, and a click on the pressed button shows its text', async () => {
  serve([{ ...accessFile, file_name: 'prices.csv', file_type: 'csv' }], 'Part,Price\nDesk,7900\n')
  await renderApp(addressOf(accessFile))
  expect(await screen.findByRole('columnheader', { name: 'Price' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Show as a table' }))
  expect(await screen.findByText(/Part,Price/)).toBeTruthy()
})

test.each([
  [1000, false],
  [1001, true],
])('for a CSV file with %d rows the page says that only the first rows are shown: %s', async (count, hasMore) => {
  const rows = Array.from({ length: count }, (_, index) => `${index}\n`)
  serve([{ ...accessFile, file_name: 'parts.csv', file_type: 'csv' }], `number\n${rows.join('')}`)
  await renderApp(addressOf(accessFile))
  expect(await screen.findByRole('cell', { name: '999' })).toBeTruthy()
  expect(screen.queryByRole('cell', { name: '1000' })).toBeNull()
  expect(screen.queryByText('The table shows the first 1,000 rows.') !== null).toBe(hasMore)
})

test('J opens the next file and the left arrow key the previous file of the list where the file was opened, and Escape returns to the list', async () => {
  const files = [{ ...accessFile, id: surveyFile.id, file_name: 'first.txt' }, accessFile, { ...archive, id: wallFile.id }]
  serve(files)
  const { router } = await renderApp(quillstoneAddress)
  fireEvent.click(await screen.findByRole('link', { name: 'first.txt' }))
  await screen.findByRole('heading', { name: 'first.txt' })
  press('j')
  await screen.findByRole('heading', { name: accessFile.file_name })
  press('j')
  await screen.findByRole('heading', { name: 'drawings.zip' })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next file' }).disabled).toBe(true)
  press('ArrowLeft')
  await screen.findByRole('heading', { name: accessFile.file_name })
  press('Escape')
  await waitFor(() => expect(router.state.location.pathname).toBe(quillstoneAddress))
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Site access and alarm.txt'))
})

test('J opens the next file of the recent files, which ignore a sort in the address and cannot be sorted', async () => {
  const files = [accessFile, { ...accessFile, id: surveyFile.id, file_name: 'older.txt' }]
  const server = serve(files)
  server.setHandlers({ 'GET /api/files': ({ query }) => ({ rows: query['sort'] === 'newest' ? files : files.toReversed(), next: null }) })
  await renderApp('/files/recent?sort=file_name')
  const link = await screen.findByRole('link', { name: accessFile.file_name })
  expect(screen.queryByRole('button', { name: 'Size' })).toBeNull()
  fireEvent.click(link)
  await screen.findByRole('heading', { name: accessFile.file_name })
  press('j')
  await screen.findByRole('heading', { name: 'older.txt' })
})

test('the neighbours of a file that is opened by its address are in its folder, and Escape opens the folder', async () => {
  const server = serve([{ ...accessFile, id: surveyFile.id, file_name: 'first.txt' }, accessFile])
  const { router } = await renderApp(addressOf(accessFile))
  fireEvent.click(await screen.findByRole('button', { name: 'Previous file' }))
  await screen.findByRole('heading', { name: 'first.txt' })
  expect(JSON.parse(server.requestsTo('GET /api/files')[0]?.query['filter'] ?? '')).toEqual([
    { field: 'folder_id', is: [accessFile.folder_id] },
  ])
  press('Escape')
  await waitFor(() => expect(router.state.location.pathname).toBe(quillstoneAddress))
})

/** The text that the server has read from a file. `pages` has the index in the text where each page begins. */
const deskText = { state: 'ready', reason: null, text: 'The oak desk. The oak door. The end.', is_cut: false, pages: [0, 14, 28] }
const offer: File = { ...accessFile, file_name: 'offer.docx', file_type: 'docx' }

test('a search lists the places in the text with their pages, and marks the words in the text', async () => {
  const server = serve([offer])
  server.setHandlers({ 'GET /api/files/{id}/text': deskText })
  const { router } = await renderApp(`${addressOf(offer)}?find=oak`)
  const places = async () => (await within(await findPanel()).findAllByRole('listitem')).map((item) => item.textContent)
  expect(await places()).toEqual(['Page 1The oak desk. ', 'Page 2The oak door. '])
  expect([...document.querySelectorAll('pre mark')].map((mark) => [mark.textContent, mark.matches('[data-active]')])).toEqual([
    ['oak', true],
    ['oak', false],
  ])
  press('n')
  await waitFor(() => expect(document.querySelectorAll('pre mark')[1]?.matches('[data-active]')).toBe(true))
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search in this file' }), { target: { value: 'birch' } })
  expect(await screen.findByText('“birch” is not in this file.')).toBeTruthy()
  expect(router.state.location.search).toEqual({ find: 'birch' })
})

const findPanel = () => screen.findByRole('complementary', { name: 'In this file' })

test.each([
  ['encrypted', 'The file is protected with a password, so its text cannot be searched.'],
  ['no_text', 'The file has no text.'],
] as const)('when a file has no text because of %s, a sentence says so in place of the list', async (reason, sentence) => {
  const server = serve([{ ...accessFile, text_state: 'failed', text_reason: reason }])
  server.setHandlers({ 'GET /api/files/{id}/text': { state: 'failed', reason, text: '', is_cut: false, pages: null } })
  await renderApp(`${addressOf(accessFile)}?find=oak`)
  expect(await within(await findPanel()).findByText(sentence)).toBeTruthy()
})

test('the details have the type, the size, the place and the SHA-256', async () => {
  const server = serve([accessFile])
  server.setHandlers({ 'GET /api/files/{id}/checksum': { sha256: 'c44f76' } })
  await renderApp(addressOf(accessFile))
  const panel = within(await findPanel())
  expect(await panel.findByText('c44f76')).toBeTruthy()
  for (const text of ['TXT', '912 B', 'Can be searched']) expect(panel.getByText(text)).toBeTruthy()
  expect(panel.getByRole('link', { name: 'Quillstone Dental' }).getAttribute('href')).toBe(quillstoneAddress)
})

test('in a narrow window the panel is closed until a tab is clicked', async () => {
  setWindowWidth(390)
  serve([accessFile])
  await renderApp(addressOf(accessFile))
  const panel = within(await findPanel())
  expect(panel.queryByRole('tabpanel')).toBeNull()
  fireEvent.click(panel.getByRole('tab', { name: 'Details' }))
  expect(await panel.findByText('912 B')).toBeTruthy()
  fireEvent.click(panel.getByRole('tab', { name: 'Details' }))
  await waitFor(() => expect(panel.queryByRole('tabpanel')).toBeNull())
  expect(screen.getByRole('button', { name: 'Back to Quillstone Dental' })).toBeTruthy()
})

test('deleting the file returns to its folder and says that the file was deleted', async () => {
  const server = serve([accessFile])
  server.setHandlers({ 'DELETE /api/files/{id}': () => changeResponse('01930000-0000-7000-8000-0000000000e1') })
  const { router } = await renderApp(addressOf(accessFile))
  fireEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: /Delete/ }))
  expect(await screen.findByText('File deleted')).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe(quillstoneAddress))
})

test('the menu offers Move for a file in a folder, and Move to Files for an attachment of a contact', async () => {
  const attachment: File = { ...accessFile, id: wallFile.id, folder_id: null, contact_id: quillstone.id }
  serve([accessFile, attachment])
  const { router } = await renderApp(addressOf(accessFile))
  fireEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: /Move/ }))
  expect(await screen.findByRole('dialog', { name: /Move/ })).toBeTruthy()
  await router.navigate({ href: addressOf(attachment) })
  fireEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  expect(await screen.findByRole('menuitem', { name: /^Move to Files/ })).toBeTruthy()
})

test('F2 renames the file', async () => {
  const server = serve([accessFile])
  server.setHandlers({
    'PATCH /api/files/{id}': ({ body }) =>
      changeResponse('01930000-0000-7000-8000-0000000000e1', { ...accessFile, ...Object(body), version: 2 }),
  })
  await renderApp(addressOf(accessFile))
  await screen.findByText('Ring the bell twice.')
  press('F2')
  const name = await screen.findByRole('textbox', { name: 'Name' })
  fireEvent.change(name, { target: { value: 'Alarm.txt' } })
  fireEvent.click(screen.getByRole('button', { name: 'Rename' }))
  expect(await screen.findByText('File renamed')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/files/{id}')[0]?.body).toEqual({ file_name: 'Alarm.txt', version: 1 })
})

test('the page of a file that does not exist says so', async () => {
  serve([])
  await renderApp(addressOf(accessFile))
  expect(await screen.findByText('This file is not here')).toBeTruthy()
})

test('for an image that cannot be shown the page says so, and Try again loads it again', async () => {
  serve([wallFile])
  await renderApp(addressOf(wallFile))
  const image = await screen.findByRole('img', { name: wallFile.file_name })
  expect(image.getAttribute('src')).toBe(`/api/files/${wallFile.id}/content?disposition=inline`)
  fireEvent.error(image)
  expect(await screen.findByRole('heading', { name: 'This image cannot be shown' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('img', { name: wallFile.file_name })).toBeTruthy()
})

test('for an audio file that cannot be played the page says that the browser cannot play it', async () => {
  serve([{ ...wallFile, file_name: 'memo.wav', file_type: 'wav' }])
  await renderApp(addressOf(wallFile))
  const player = await screen.findByLabelText('memo.wav')
  expect(player.getAttribute('src')).toBe(`/api/files/${wallFile.id}/content`)
  fireEvent.error(player)
  expect(await screen.findByRole('heading', { name: 'This browser cannot play the file' })).toBeTruthy()
})
