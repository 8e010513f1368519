// Rows, files and folders are selected with a finger.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, CDPSession, Locator, Page } from 'playwright-core'
import { signIn, signUp } from './accounts.ts'
import { collectConsoleErrors } from './browser.ts'
import { uploadFile } from './files.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let page: Page
let devTools: CDPSession
let consoleErrors: string[]
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' })
  page.setDefaultTimeout(10_000)
  consoleErrors = collectConsoleErrors(page)
  devTools = await page.context().newCDPSession(page)
  await signIn(page.request, url)
  const add = (path: string, data: object) => page.request.post(`${url}/api/${path}`, { data, headers: { origin: url } })
  for (let number = 10; number < 40; number += 1) await add('contacts', { first_name: 'Person', last_name: String(number) })
  for (const name of ['Drawings', 'Photos']) await add('folders', { name, parent_folder_id: null })
  for (const file_name of ['Desk.txt', 'Door.txt', 'Wall.txt'])
    await uploadFile(page.request, url, { file_name, folder_id: null }, Buffer.from(file_name))
})
afterAll(closeContexts)

type Point = { x: number; y: number }

const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: Point) =>
  devTools.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] })
const link = (name: string): Locator => page.getByRole('link', { name })
const checkbox = (name: string): Locator => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const selectedCount = (count: number): Locator => page.getByText(`${count} selected`, { exact: true })
async function getMiddle(element: Locator): Promise<Point> {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not on the screen')
  return { x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 }
}
/** Holds a finger on an element until something is selected, and lifts it. */
async function hold(element: Locator): Promise<void> {
  await touch('touchStart', await getMiddle(element))
  await selectedCount(1).waitFor()
  await touch('touchEnd')
}

const open = async (path: string, name: string): Promise<void> => {
  await page.goto(url + path)
  await link(name).waitFor()
  await page.waitForLoadState('networkidle') // the code of the long press is loaded after the list
}
const getPath = (): string => new URL(page.url()).pathname

test.each([
  ['/crm/contacts', 'Person 39', '30 selected'],
  ['/files', 'Desk.txt', '5 selected'],
])('after one entry is selected in %s, a button in the bar of the selection selects all entries', async (path, name, all) => {
  await open(path, name)
  await hold(link(name))
  const bar = page.getByRole('region', { name: 'Selection' })
  const selectAll = bar.getByRole('button', { name: 'Select all', exact: true })
  const middles = await Promise.all((await bar.getByRole('button').all()).map(getMiddle))
  expect(new Set(middles.map(({ y }) => Math.round(y))).size).toBe(1) // the buttons are in one row
  await selectAll.tap()
  await page.getByText(all, { exact: true }).waitFor()
  expect(await selectAll.count()).toBe(0)
})

test('a long press selects a contact without opening it or a menu, and then taps select and deselect', async () => {
  await open('/crm/contacts', 'Person 39')
  await hold(link('Person 39'))
  expect(await checkbox('Person 39').isChecked()).toBe(true)
  await link('Person 38').tap()
  await selectedCount(2).waitFor()
  await link('Person 39').tap()
  await selectedCount(1).waitFor()
  await link('Person 38').tap()
  await expect.poll(() => page.getByRole('region', { name: 'Selection' }).count()).toBe(0)
  expect(getPath()).toBe('/crm/contacts')
  expect(await page.getByRole('menu').count()).toBe(0)
  await link('Person 38').tap()
  await page.getByRole('heading', { name: 'Person 38' }).first().waitFor()
})

test('a finger that moves scrolls the list and selects nothing', async () => {
  await open('/crm/contacts', 'Person 39')
  const { x, y } = await getMiddle(link('Person 33'))
  await touch('touchStart', { x, y })
  for (let step = 1; step <= 8; step += 1) await touch('touchMove', { x, y: y - step * 25 })
  await touch('touchEnd')
  const readScrollTop = () => page.locator('[data-scroll-restoration-id="contacts"]').evaluate((list) => list.scrollTop)
  await expect.poll(readScrollTop).toBeGreaterThan(50)
  expect(await page.getByRole('region', { name: 'Selection' }).count()).toBe(0)
  expect(getPath()).toBe('/crm/contacts')
})

test('a long press selects a folder or a file, and then taps select both', async () => {
  await open('/files', 'Wall.txt')
  await hold(link('Wall.txt'))
  expect(await checkbox('Wall.txt').isChecked()).toBe(true)
  await link('Drawings').tap()
  await selectedCount(2).waitFor()
  await link('Wall.txt').tap()
  await selectedCount(1).waitFor()
  await link('Drawings').tap()
  await expect.poll(() => page.getByRole('region', { name: 'Selection' }).count()).toBe(0)
  await hold(link('Photos'))
  expect(await checkbox('Photos').isChecked()).toBe(true)
  expect(getPath()).toBe('/files')
  expect(await page.getByRole('menu').count()).toBe(0)
})

test('a file that is held until it is selected, and then moved, is dragged into a folder', async () => {
  await open('/files', 'Wall.txt')
  await touch('touchStart', await getMiddle(link('Door.txt')))
  await selectedCount(1).waitFor()
  await touch('touchMove', await getMiddle(link('Photos')))
  await page.getByText('to Photos', { exact: true }).waitFor()
  await touch('touchEnd')
  await page.getByText('File moved to Photos', { exact: true }).first().waitFor()
  await expect.poll(() => link('Door.txt').count()).toBe(0)
  expect(getPath()).toBe('/files')
})

test('the console has no errors', () => {
  expect(consoleErrors).toEqual([])
})
