// Layout on a phone, and in some tests on the desktop: scrolling, overlaps and alignment.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Locator, Page } from 'playwright-core'
import { collectConsoleErrors } from './browser.ts'
import { signIn, signUp } from './accounts.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let page: Page
let consoleErrors: string[]
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' })
  consoleErrors = collectConsoleErrors(page)
  await signIn(page.request, url)
  for (const first_name of ['Ada', 'Ann']) {
    const data = { first_name, last_name: 'Lee', tags: ['VIP'] }
    await page.request.post(`${url}/api/contacts`, { data, headers: { origin: url } })
  }
})
afterAll(closeContexts)

const open = (path: string) => page.goto(`${url}${path}`)

/** Adds a record through the API. Returns its id. */
async function add(path: string, fields: object): Promise<string> {
  const response = await page.request.post(`${url}/api/${path}`, { data: fields, headers: { origin: url } })
  const { id }: { id: string } = await response.json()
  return id
}

const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true })

/** Reads the position of an element on the screen, in px. */
async function readPosition(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not on the screen')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height, middle: box.y + box.height / 2 }
}

/** Whether two elements overlap. */
async function doOverlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await readPosition(one), await readPosition(other)]
  return a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom
}

test('the list of fields to filter by scrolls to its end within the sheet', async () => {
  await open('/crm/contacts')
  await button('Filter').click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  const last = sheet.getByRole('button', { name: 'Added' })
  await last.scrollIntoViewIfNeeded()
  await expect.poll(async () => (await readPosition(last)).bottom).toBeLessThanOrEqual((await readPosition(sheet)).bottom)
  await last.click()
  expect((await readPosition(sheet.getByRole('button', { name: 'Done' }))).bottom).toBeLessThanOrEqual(844)
})

test('in the form of a contact, the field for the company is as wide as the field for the email', async () => {
  await open('/crm/contacts/new')
  const company = await readPosition(page.locator('input[name=company]'))
  expect(company.width).toBe((await readPosition(page.locator('input[name=email]'))).width)
})

test('a tag and its remove button are on one line', async () => {
  await open('/crm/contacts')
  await page.getByRole('link', { name: /Ada Lee/ }).click()
  await button('Edit tags').click()
  const tag = page.locator('.mantine-Pill-root').first()
  const label = await readPosition(tag.getByText('VIP'))
  const remove = await readPosition(tag.locator('button'))
  expect(Math.abs(label.middle - remove.middle)).toBeLessThan(1)
})

test('notifications cover neither the bar of selected rows nor the buttons of a dialog', async () => {
  await open('/crm/contacts')
  await page.getByRole('button', { name: 'More for Ada Lee' }).click()
  await page.getByRole('menuitem', { name: /Select/ }).click()
  await button('Edit').click()
  const dialog = page.getByRole('dialog', { name: 'Edit 1 contact' })
  await dialog.getByRole('combobox', { name: 'Field' }).selectOption('title')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Bursar')
  await dialog.getByRole('button', { name: 'Update 1 contact' }).click()
  const toast = page.locator('[data-toast]').first()
  await toast.waitFor()
  await expect.poll(() => doOverlap(toast, page.getByRole('region', { name: 'Selection' }))).toBe(false)
  await button('Edit').click()
  for (const name of ['Close', 'Cancel', 'Update 1 contact']) {
    await expect.poll(() => doOverlap(toast, dialog.getByRole('button', { name }))).toBe(false)
  }
})

test('notifications are below the edited field, and only the newest two are visible', async () => {
  const deal = await add('deals', { title: 'Waiting room' })
  await open(`/crm/deals/${deal}`)
  const panel = page.getByRole('complementary', { name: 'Deal' })
  for (const name of ['Qualified', 'Proposal', 'Negotiation']) {
    await panel.getByRole('button', { name: /^Stage:/ }).click()
    await page.getByRole('menuitemradio', { name }).click()
    await page.getByText(`Moved to ${name}:`).waitFor()
  }
  const visibleToasts = page.locator('[data-toast]:visible')
  await expect.poll(() => page.locator('[data-toast]').count()).toBe(3)
  await expect.poll(() => visibleToasts.count()).toBe(2)
  await expect.poll(() => visibleToasts.last().textContent()).toContain('Negotiation')
  expect((await readPosition(visibleToasts.first())).y).toBeGreaterThan(
    (await readPosition(panel.getByRole('button', { name: /^Stage:/ }))).bottom,
  )
  await expect.poll(async () => (await readPosition(visibleToasts.last())).bottom).toBe(836) // 8 px above the end of the screen
})

test('on the desktop a disabled Previous button has no background', async () => {
  await page.setViewportSize({ width: 1280, height: 844 })
  await open('/crm/contacts')
  await page.getByRole('link', { name: 'Ann Lee' }).click()
  const previous = button('Previous contact')
  await expect.poll(() => previous.isDisabled()).toBe(true)
  const backgroundColor = await previous.evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(backgroundColor).toBe('rgba(0, 0, 0, 0)')
})

test('on the desktop a list of one checkbox has no scroll bar', async () => {
  await page.setViewportSize({ width: 1280, height: 844 })
  await open('/account')
  const list = page.getByRole('group', { name: 'First steps' })
  expect(await list.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0)
})

test.each([1280, 390])('at %i px a long title of a deal is cut off, and the value of the deal is fully visible', async (width) => {
  await page.setViewportSize({ width, height: 844 })
  const title = 'Refurbishment of the complete reception, waiting room, corridor and staff kitchen at the Millgate branch'
  const company_id = await add('companies', { name: 'Quillstone' })
  const contact_id = await add('contacts', { first_name: 'Imara', last_name: 'Vantongeren' })
  await add('deals', { title, value: 1_234_567, company_id, contact_id })
  for (const path of [`/crm/contacts/${contact_id}?tab=deals`, `/crm/companies/${company_id}`]) {
    await open(path)
    const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }), hasText: '£1,234,567' })
    const [name, value] = [await readPosition(row.getByRole('link')), await readPosition(row.getByText('£1,234,567'))]
    expect(name.right).toBeLessThanOrEqual(value.x)
    expect(value.right).toBeLessThanOrEqual((await readPosition(row)).right)
    expect((await readPosition(row)).width).toBeLessThanOrEqual(656) // px: on a wide screen the row does not get wider
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})

test('the middle of the sidebar scrolls in a low window and in the drawer, and its top and bottom stay', async () => {
  const expectScrolling = async (sidebar: Locator, height: number): Promise<void> => {
    const [top, bottom] = [sidebar.getByRole('button', { name: /^Search/ }), sidebar.getByRole('button', { name: 'Sign Out' })]
    await bottom.waitFor()
    const before = await Promise.all([readPosition(top), readPosition(bottom)])
    expect(before[0].y).toBeGreaterThanOrEqual(0)
    expect(before[1].bottom).toBeLessThanOrEqual(height)
    const last = sidebar.getByRole('navigation', { name: 'CRM' }).getByRole('link').last()
    await last.scrollIntoViewIfNeeded()
    expect((await readPosition(last)).bottom).toBeLessThanOrEqual(before[1].y)
    expect(await last.evaluate((link) => link.parentElement?.parentElement?.scrollTop)).toBeGreaterThan(0)
    expect(await Promise.all([readPosition(top), readPosition(bottom)])).toEqual(before)
  }
  await page.setViewportSize({ width: 1280, height: 340 })
  await open('/dashboard')
  await page.waitForLoadState('networkidle') // the code of tooltips is loaded late, and replaces the buttons
  await expectScrolling(page.getByRole('complementary', { name: 'Sidebar' }), 340)
  await page.setViewportSize({ width: 390, height: 500 })
  await button('Open navigation').click()
  await expectScrolling(page.getByRole('dialog', { name: 'Navigation' }), 500)
  await page.keyboard.press('Escape')
})

test('the console has no errors and no warnings', () => {
  expect(consoleErrors).toEqual([])
})
