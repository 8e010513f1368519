// A user signs in, edits, deletes, undoes and restores with the keyboard only.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { addContacts, nora, signUp } from './accounts.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  page = await context.newPage()
})
afterAll(closeContexts)

const expectText = (text: string) => page.getByText(text, { exact: true }).first().waitFor()
/** Reads the text or the label of the element with the focus. */
const readFocusedName = () =>
  page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute('aria-label') || '')

/** Presses Tab until the element with this name has the focus. */
async function tabTo(name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const focusedName = await readFocusedName()
    const isFound = typeof name === 'string' ? focusedName === name : name.test(focusedName)
    if (isFound) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${String(name)} cannot be reached with Tab`)
}

test('the user signs in', async () => {
  await page.goto(`${url}/auth`)
  await page.getByLabel('Email').waitFor()
  for (let presses = 0; presses < 10 && (await page.evaluate(() => document.activeElement?.getAttribute('type'))) !== 'email'; presses++) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type(nora.email)
  await page.keyboard.press('Tab')
  if ((await page.evaluate(() => document.activeElement?.tagName)) !== 'INPUT') await page.keyboard.press('Tab') // passes the link "Forgot password?"
  await page.keyboard.type(nora.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
  await addContacts(page, url, [
    { first_name: 'Imara', last_name: 'Vantongeren' },
    { first_name: 'Bastian', last_name: 'Ollerquist' },
    { first_name: 'Sunniva', last_name: 'Thackerly' },
  ])
})

test('the user opens a contact from the list, edits it and saves', async () => {
  await tabTo('Contacts')
  await page.keyboard.press('Enter')
  await page.getByRole('row').getByRole('link', { name: 'Sunniva Thackerly' }).waitFor() // only in a table row, because the dashboard also has a link with this name
  await page.keyboard.press('/')
  await page.keyboard.type('imara')
  await expect.poll(() => page.getByRole('link', { name: 'Sunniva Thackerly' }).count()).toBe(0)
  await page.keyboard.press('Tab')
  await tabTo('Imara Vantongeren')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Imara Vantongeren' }).waitFor()
  await page.keyboard.press('e')
  await page.waitForURL('**/crm/contacts/edit/**')
  await page.getByLabel('First name').waitFor()
  for (
    let presses = 0;
    presses < 40 && !(await page.getByLabel(/^Title/).evaluate((field) => field === document.activeElement));
    presses++
  ) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type('Practice manager')
  await page.keyboard.press('Control+Enter')
  await expectText('Contact updated')
})

test('the user deletes two selected contacts and undoes the deletion, then deletes one contact and restores it from the trash', async () => {
  await page.goto(`${url}/crm/contacts`)
  await page.getByRole('link', { name: 'Sunniva Thackerly' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('x')
  await page.getByText('2 selected').first().waitFor()
  await page.keyboard.press('#')
  await expectText('2 contacts deleted')
  await expect.poll(() => page.getByRole('link', { name: 'Sunniva Thackerly', exact: true }).count()).toBe(0)
  await page.keyboard.press('Control+z')
  await page.getByRole('link', { name: 'Sunniva Thackerly', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Bastian Ollerquist', exact: true }).waitFor()

  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('#')
  await expectText('Contact deleted')
  await tabTo('Trash')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/trash')
  await page
    .getByRole('button', { name: /^Restore/ })
    .first()
    .waitFor()
  await tabTo(/^Restore/)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('button', { name: /^Restore/ }).count()).toBe(0)
})

test('the user types into the palette before its code is loaded', async () => {
  const release = Promise.withResolvers<void>()
  await page.route('**/assets/Palette-*.js', async (route) => {
    await release.promise
    await route.continue()
  })
  await page.reload()
  await page.getByRole('button', { name: 'Search' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('nor')
  release.resolve()
  await page.getByRole('listbox', { name: 'Results' }).waitFor()
  await page.keyboard.type('a')
  await expect.poll(() => page.getByLabel('Search and commands').getByRole('combobox').inputValue()).toBe('nora')
  expect(page.url()).toMatch(/\/trash$/)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.unroute('**/assets/Palette-*.js')
})

test('the user opens and closes the help, and signs out', async () => {
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await tabTo('Sign Out')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/auth**')
  await expectText('Signed out')
})
