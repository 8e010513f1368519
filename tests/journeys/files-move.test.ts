// Files and folders are moved: dragged onto the card of a folder or onto the path above the list, and by the dialog with the keyboard
// alone.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { signIn, signUp } from './accounts.ts'
import { collectConsoleErrors } from './browser.ts'
import { uploadFile } from './files.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let context: BrowserContext
let page: Page
let consoleErrors: string[]
let projects: string
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
  consoleErrors = collectConsoleErrors(page)
  await signIn(page.request, url)
  const addFolder = async (name: string, parent_folder_id: string | null): Promise<string> => {
    const response = await page.request.post(`${url}/api/folders`, { headers: { origin: url }, data: { name, parent_folder_id } })
    return (await response.json()).id
  }
  projects = await addFolder('Projects', null)
  await addFolder('Drawings', projects)
  await addFolder('Photos', projects)
  for (const file_name of ['Desk.txt', 'Door.txt', 'Wall.txt'])
    await uploadFile(page.request, url, { file_name, folder_id: projects }, Buffer.from(file_name))
})
afterAll(closeContexts)

const link = (name: string): Locator => page.getByRole('link', { name, exact: true })
const card = (name: string): Locator => page.getByRole('listitem').filter({ has: link(name) })
const toast = (title: string): Locator => page.getByRole('region', { name: 'Notifications' }).getByText(title, { exact: true }).last()
const openProjects = async (): Promise<void> => {
  await page.goto(`${url}/files/folder/${projects}`)
  await link('Wall.txt').waitFor()
}
/** Presses the mouse on an element and moves it onto another element. */
async function drag(from: Locator, to: Locator): Promise<void> {
  const [start, end] = await Promise.all([from.boundingBox(), to.boundingBox()])
  if (!start || !end) throw new Error('The elements are not visible')
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(start.x + start.width / 2 + 10, start.y + start.height / 2)
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 4 })
}

test('a file is dragged onto the card of a folder, and Ctrl+Z brings it back', async () => {
  await openProjects()
  await drag(link('Wall.txt'), card('Photos'))
  await expect.poll(() => card('Photos').getAttribute('data-drop-over')).toBe('')
  await page.getByText('to Photos', { exact: true }).waitFor()
  await page.mouse.up()
  await toast('File moved to Photos').waitFor()
  await expect.poll(() => link('Wall.txt').count()).toBe(0)
  await card('Photos').getByText('1 file').waitFor()
  expect(page.url()).toBe(`${url}/files/folder/${projects}`) // the drop does not open the folder
  await page.keyboard.press('Control+z')
  await toast('Undone: File moved to Photos').waitFor()
  await link('Wall.txt').waitFor()
})

test('Escape cancels a drag', async () => {
  await openProjects()
  await drag(link('Wall.txt'), card('Photos'))
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect.poll(() => card('Photos').getAttribute('data-drop-over')).toBe(null)
  await link('Wall.txt').waitFor()
})

test('dragging a selected file onto a folder in the path above the list moves the whole selection into that folder', async () => {
  await openProjects()
  await link('Drawings').click({ modifiers: ['Control'] })
  await link('Desk.txt').click({ modifiers: ['Control'] })
  await drag(link('Desk.txt'), page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Files' }))
  await page.mouse.up()
  await toast('1 folder and 1 file moved to Files').waitFor()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Files' }).click()
  await link('Drawings').waitFor()
  await link('Desk.txt').waitFor()
})

test('a file is moved with the keyboard alone', async () => {
  await openProjects()
  await link('Door.txt').focus()
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog', { name: 'Move file' })
  await dialog.getByRole('treeitem', { name: 'Photos' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search folders')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Files')
  // the test above has moved Drawings from Projects to the root folder; Photos is still in Projects
  for (const name of ['Drawings', 'Projects', 'Photos']) {
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(name)
  }
  await page.keyboard.press('Enter')
  await toast('File moved to Photos').waitFor()
  await expect.poll(() => link('Door.txt').count()).toBe(0)
})

test('no console errors occurred', () => expect(consoleErrors).toEqual([]))
