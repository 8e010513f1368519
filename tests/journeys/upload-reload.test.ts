// Uploads after a reload of the page: a failed upload still shows its reason, and an upload that another browser began can be finished. A
// browser that does not allow IndexedDB can still upload files.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { partBytes } from '#contract/uploads.ts'
import { collectConsoleErrors } from './browser.ts'
import { chooseFiles } from './drop.ts'
import { openWorkspaces, type Workspaces } from './workspace.ts'

let workspaces: Workspaces
beforeAll(async () => {
  workspaces = await openWorkspaces()
})
afterAll(() => workspaces?.[Symbol.asyncDispose]())

const makeFile = (name: string, bytes: number, value = 1) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.alloc(bytes, value),
})
const panelOf = (page: Page) => page.getByRole('region', { name: 'Uploads' })

async function openFiles() {
  const workspace = await workspaces.openForNewUser()
  const { page, open } = workspace
  const openPage = async (): Promise<void> => {
    await open('/files')
    await page.getByText('choose from this computer').waitFor()
  }
  await openPage()
  return { ...workspace, openPage, panel: panelOf(page) }
}

test('the panel shows after a reload why a file was refused, and the user can discard the file', async () => {
  const { page, panel, failRequests, stopFailing } = await openFiles()
  await failRequests('POST', '/api/uploads', 'storage_full')
  await chooseFiles(page.getByRole('button', { name: /^Drop files here/ }), makeFile('offer.pdf', 1000))
  const reason = panel.getByText('The server has no space left for files')
  await reason.waitFor()
  await stopFailing()
  await page.reload()
  await reason.waitFor()
  expect(await panel.getByText('Not finished', { exact: true }).count()).toBe(0)
  await panel.getByRole('button', { name: 'Discard offer.pdf' }).click()
  await expect.poll(() => panel.count()).toBe(0)
})

test('an upload that another browser began can be finished by choosing a file, and all its bytes are those of the chosen file', async () => {
  const { page, panel, openPage, callApi } = await openFiles()
  const bytes = partBytes + 1000
  const id = String((await callApi('POST', '/api/uploads', { file_name: 'from the phone.mp4', file_size: bytes }))['id'])
  const headers = { origin: new URL(page.url()).origin, 'content-type': 'application/octet-stream' }
  // the part has other bytes than the file that is chosen below
  await page.request.put(new URL(`/api/uploads/${id}/parts/0`, page.url()).href, { headers, data: Buffer.alloc(partBytes, 9) })
  await openPage()
  await panel.getByText('1 upload from another browser or an earlier visit').waitFor()
  await panel.getByText(/To finish it here, drop or choose the same file/).waitFor()
  await chooseFiles(panel.getByRole('button', { name: 'Choose the file' }), makeFile('from the phone.mp4', bytes))
  await panel.getByText('1 file uploaded').waitFor()
  const { rows } = await callApi('GET', '/api/files')
  const [file]: { id: string; file_size: number }[] = Array.isArray(rows) ? rows : []
  expect(file?.file_size).toBe(bytes)
  const content = await (await page.request.get(new URL(`/api/files/${file?.id}/content`, page.url()).href)).body()
  expect(content.equals(makeFile('', bytes).buffer)).toBe(true)
})

test('files are uploaded also in a browser that does not allow IndexedDB', async () => {
  const { page, openPage, panel } = await openFiles()
  const consoleErrors = collectConsoleErrors(page)
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The database is refused', 'SecurityError')
    }
  })
  await openPage()
  await chooseFiles(page.getByRole('button', { name: /^Drop files here/ }), makeFile('offer.pdf', 1000))
  await panel.getByText('1 file uploaded').waitFor()
  expect(consoleErrors).toEqual([])
})
