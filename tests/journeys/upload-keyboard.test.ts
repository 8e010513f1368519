// Files are uploaded with the keyboard only, and screen readers announce the progress.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { holdFilesAfter, holdParts } from './drop.ts'
import { openWorkspaces, type Workspaces } from './workspace.ts'

let workspaces: Workspaces
beforeAll(async () => {
  workspaces = await openWorkspaces()
})
afterAll(() => workspaces?.[Symbol.asyncDispose]())

const megabyte = 1024 * 1024
const makeFile = (name: string, bytes: number) => ({ name, mimeType: 'application/octet-stream', buffer: randomBytes(bytes) })

/** Returns the name of the element with the focus. */
const readFocusedName = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '')
const expectFocus = (page: Page, name: string) => expect.poll(() => readFocusedName(page)).toBe(name)

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    if ((await readFocusedName(page)) === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${name} cannot be reached with Tab`)
}

async function openFiles() {
  const workspace = await workspaces.openForNewUser()
  const { page, open } = workspace
  await open('/files')
  await page.getByRole('heading', { name: 'Your files, in one place' }).waitFor() // until this heading is shown, the list is loading, and its elements are replaced
  const panel = page.getByRole('region', { name: 'Uploads' })
  /** Opens the browser's dialog with the keyboard, and chooses files in it. */
  const choose = async (...files: ReturnType<typeof makeFile>[]): Promise<void> => {
    const dialog = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: /^Drop files here/ }).focus()
    await page.keyboard.press('Enter')
    await (await dialog).setFiles(files)
  }
  return { ...workspace, panel, choose, announcement: panel.getByRole('status') }
}

test('an upload is paused, continued, hidden and cancelled, and the focus never leaves the panel', async () => {
  const { page, panel, choose, announcement } = await openFiles()
  await holdParts(page, 0) // holds back all parts, so that the uploads stay in progress
  await choose(makeFile('walkthrough.mp4', 9 * megabyte), makeFile('plan.pdf', 9 * megabyte))
  await expect.poll(() => announcement.textContent()).toBe('Uploading 2 files')
  await page.keyboard.press('Shift+U')
  await expectFocus(page, 'Pause all uploads')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Continue all uploads')
  await expect.poll(() => announcement.textContent()).toBe('Uploads paused')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Pause all uploads')

  await tabTo(page, 'Pause walkthrough.mp4')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Continue walkthrough.mp4')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Pause walkthrough.mp4')
  await tabTo(page, 'Cancel walkthrough.mp4')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Pause plan.pdf')

  await page.keyboard.press('Shift+U')
  await tabTo(page, 'Hide uploads')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Show uploads')
  expect(await panel.getByRole('listitem').count()).toBe(0)
  await page.keyboard.press('Enter')
  await tabTo(page, 'Close uploads')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Keep uploading')
  await page.keyboard.press('Escape')
  await expectFocus(page, 'Close uploads')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Stop 1 upload')
  await page.keyboard.press('Enter')
  await expect.poll(() => panel.count()).toBe(0)
})

test('with the keyboard, both files are kept when one is uploaded while the user chooses another one of the same name', async () => {
  const { page, panel, callApi } = await openFiles()
  const release = await holdFilesAfter(page, 0) // holds back every file
  const area = page.getByRole('button', { name: /^Drop files here/ })
  const firstDialog = page.waitForEvent('filechooser')
  await area.press('Enter')
  await (await firstDialog).setFiles(makeFile('offer.pdf', 1000))
  await panel.getByText('Uploading 1 file').first().waitFor()
  const secondDialog = page.waitForEvent('filechooser')
  await page.keyboard.press('u')
  const dialog = await secondDialog
  release()
  await page.getByRole('table').getByRole('link', { name: 'offer.pdf' }).waitFor()
  await dialog.setFiles(makeFile('offer.pdf', 1000))
  await page.getByRole('dialog', { name: '“offer.pdf” is already here' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('table').getByRole('link', { name: 'offer (2).pdf' }).waitFor()
  expect(await callApi('GET', '/api/files')).toMatchObject({ rows: [{}, {}] })
})

test('with the keyboard, a failed upload is tried again, and the focus stays in the panel of uploads', async () => {
  const { page, panel, choose, failRequests, stopFailing } = await openFiles()
  await failRequests('POST', '/api/uploads', 'storage_full')
  await choose(makeFile('offer.pdf', 1000))
  await panel.getByText('The server has no space left for files').waitFor()
  await stopFailing()
  await page.keyboard.press('Shift+U')
  await tabTo(page, 'Retry offer.pdf')
  await page.keyboard.press('Enter')
  await panel.getByText('1 file uploaded').waitFor()
  await expect.poll(() => panel.evaluate((element) => element.contains(document.activeElement))).toBe(true)
})
