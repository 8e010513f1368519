// A new user signs up, signs in and works with contacts, also in several tabs and after the session has ended.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { collectConsoleErrors } from './browser.ts'
import { nora } from './accounts.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let context: BrowserContext
let page: Page
let consoleErrors: string[]
beforeAll(async () => {
  browser = await getBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  page = await context.newPage()
  consoleErrors = collectConsoleErrors(page)
})
afterAll(closeContexts)

const toast = (text: string) => page.getByText(text, { exact: true }).first()

test('the user signs up, and sees the sign-in form', async () => {
  await page.goto(url)
  await page.getByRole('link', { name: 'Start Free' }).click()
  await page.getByRole('heading', { name: 'Create Account' }).waitFor()
  await page.getByText('Already have an account?').waitFor()
  await page.getByLabel('Full Name').fill(nora.name)
  await page.getByLabel('Email').fill(nora.email)
  await page.getByLabel('Password', { exact: true }).fill(nora.password)
  await page.keyboard.press('Enter')
  await page.getByText('Account created successfully. You can now sign in.').waitFor()
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  await page.getByText("Don't have an account?").waitFor()
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(nora.email)
})

test('the user gets an error for a wrong password, then signs in', async () => {
  await page.getByLabel('Email').fill(nora.email)
  await page.getByLabel('Password', { exact: true }).fill('something else')
  await page.keyboard.press('Enter')
  await toast('Invalid login credentials').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(nora.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
  await page.getByText('You have been signed in successfully.').waitFor()
  await page.getByRole('heading', { name: /Welcome, Nora/ }).waitFor()
  consoleErrors.splice(0) // the browser logs the refused sign-in as a failed request
})

test('the user adds three contacts, the first with the keyboard only', async () => {
  await page.goto(`${url}/crm/contacts`)
  await page.getByRole('heading', { name: 'Contacts' }).waitFor()
  await page.keyboard.press('n')
  await page.waitForURL('**/crm/contacts/new')
  await page.getByLabel('First name').waitFor()
  await page.getByLabel('First name').focus()
  await page.keyboard.type('Imara')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Vantongeren')
  await page.keyboard.press('Tab')
  await page.keyboard.type('imara@quillstone.example')
  await page.keyboard.press('Tab')
  await page.keyboard.type('+44 20 7946 0118')
  await page.keyboard.press('Control+Enter')
  await toast('Contact created').waitFor()
  for (const [first, last] of [
    ['Bastian', 'Ollerquist'],
    ['Sunniva', 'Thackerly'],
  ] as const) {
    await page.goto(`${url}/crm/contacts/new`)
    await page.getByLabel('First name').fill(first)
    await page.getByLabel('Last name').fill(last)
    await page.getByRole('button', { name: 'Save contact' }).click()
    await toast('Contact created').waitFor()
  }
})

test('the user finds a contact by a part of its phone number in another format', async () => {
  await page.goto(`${url}/crm/contacts`)
  await page.getByRole('link', { name: 'Sunniva Thackerly' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('(20) 7946-01')
  await expect.poll(() => page.url()).toContain('search=')
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Thackerly' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Vantongeren' }).count()).toBe(1)
  await page.reload()
  await page.getByRole('link', { name: 'Imara Vantongeren' }).waitFor()
})

test('the user edits a contact in two tabs: edits of different fields are merged, edits of the same field show a conflict', async () => {
  await page.getByRole('link', { name: 'Imara Vantongeren' }).click()
  await page.getByRole('heading', { name: 'Imara Vantongeren' }).waitFor()
  const editUrl = page.url().replace('/crm/contacts/', '/crm/contacts/edit/')
  const otherTab = await context.newPage()
  await Promise.all([page.goto(editUrl), otherTab.goto(editUrl)])
  await page.getByLabel(/^Title/).fill('Practice manager')
  await otherTab.getByLabel(/^Department/).fill('Front desk')
  await otherTab.getByRole('button', { name: 'Save contact' }).click()
  await otherTab.getByText('Contact updated').first().waitFor()
  await page.bringToFront() // a tab in the background draws one frame a second, so a click in it takes two seconds
  await page.getByRole('button', { name: 'Save contact' }).click()
  await toast('Contact updated').waitFor()

  await Promise.all([page.goto(editUrl), otherTab.goto(editUrl)])
  await expect.poll(() => page.getByLabel(/^Department/).inputValue()).toBe('Front desk')
  await expect.poll(() => otherTab.getByLabel(/^Title/).inputValue()).toBe('Practice manager')
  await page.getByLabel(/^Phone/).fill('+44 20 7946 0181')
  await otherTab.bringToFront()
  await otherTab.getByLabel(/^Phone/).fill('+44 20 7946 0119')
  await otherTab.getByRole('button', { name: 'Save contact' }).click()
  await otherTab.getByText('Contact updated').first().waitFor()
  await page.bringToFront()
  await page.getByRole('button', { name: 'Save contact' }).click()
  await page.getByText('was changed somewhere else while you were editing').first().waitFor()
  const choices = page.getByRole('radio')
  await expect.poll(() => choices.count()).toBe(2)
  await page.getByText('+44 20 7946 0181').first().click()
  await page.getByRole('button', { name: 'Save contact' }).click()
  await toast('Contact updated').waitFor()
  await otherTab.close()
  await page.getByRole('link', { name: '+44 20 7946 0181' }).first().waitFor()
  consoleErrors.splice(0) // the browser logs the conflict as a failed request
})

test('the user deletes two contacts, undoes the second deletion with Ctrl+Z after a reload, and restores the first contact from the trash', async () => {
  await page.goto(`${url}/crm/contacts`)
  for (const name of ['Bastian Ollerquist', 'Sunniva Thackerly']) {
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name }).waitFor()
    await page.getByRole('button', { name: /More|actions/i }).click()
    await page.getByRole('menuitem', { name: /Delete/ }).click()
    await toast('Contact deleted').waitFor()
    await page.getByRole('button', { name: 'Dismiss notification' }).click() // otherwise the wait for the next notification would find this one
    await page.waitForURL('**/crm/contacts')
    await expect.poll(() => page.getByRole('link', { name, exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Imara Vantongeren', exact: true }).waitFor()
  }
  await page.reload()
  await page.getByRole('link', { name: 'Imara Vantongeren', exact: true }).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByRole('link', { name: 'Sunniva Thackerly', exact: true }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Bastian Ollerquist', exact: true }).count()).toBe(0)
  await page.goto(`${url}/trash`)
  await page.getByText('Bastian Ollerquist').waitFor()
  await page
    .getByRole('button', { name: /Restore/ })
    .first()
    .click()
  await expect.poll(() => page.getByRole('button', { name: /^Restore/ }).count()).toBe(0)
  await page.goto(`${url}/crm/contacts`)
  await page.getByRole('link', { name: 'Bastian Ollerquist', exact: true }).waitFor()
})

test('the user signs in again after the session ended during an edit, and the typed text is saved', async () => {
  await page.getByRole('link', { name: 'Imara Vantongeren', exact: true }).click()
  await page.getByRole('heading', { name: 'Imara Vantongeren' }).waitFor()
  await page.goto(page.url().replace('/crm/contacts/', '/crm/contacts/edit/'))
  const text = 'Walked the waiting room. Twelve seats; two of them high.'
  await page.getByLabel(/^Description/).fill(text)
  await context.clearCookies()
  await page.getByRole('button', { name: 'Save contact' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(nora.password)
  await page.keyboard.press('Enter')
  await toast('Contact updated').waitFor()
  await page.getByText(text).first().waitFor()
  consoleErrors.splice(0) // the browser logs the ended session as a failed request
})

test('seven open tabs, more than a browser has connections to a server, all load and all show a change', async () => {
  const tabs = await Promise.all(Array.from({ length: 6 }, () => context.newPage())) // and `page`, the seventh
  await Promise.all(tabs.map((tab) => tab.goto(`${url}/crm/contacts`)))
  await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'Imara Vantongeren', exact: true }).waitFor()))
  const response = await page.request.post(`${url}/api/contacts`, {
    data: { first_name: 'Kwabena', last_name: 'Strickmoor' },
    headers: { origin: url },
  })
  expect(response.status()).toBe(201)
  await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'Kwabena Strickmoor', exact: true }).waitFor()))
  await Promise.all(tabs.map((tab) => tab.close()))
})

test('signing out in one tab also signs out the other tab', async () => {
  const otherTab = await context.newPage()
  await otherTab.goto(`${url}/crm/contacts`)
  await otherTab.getByRole('link', { name: 'Imara Vantongeren', exact: true }).waitFor()
  await page.bringToFront()
  await page.goto(`${url}/dashboard`)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page.waitForURL('**/auth**')
  await page.getByText('Signed out').first().waitFor()
  await otherTab.waitForURL('**/auth**')
  await otherTab.goto(`${url}/crm/contacts`)
  expect(otherTab.url()).toContain('/auth?next=')
  // the browser logs a request of the dashboard as failed if the session ended before the response
  expect(consoleErrors.splice(0).filter((message) => !message.includes('401 (Unauthorized)'))).toEqual([])
})

test('the console has no errors and no warnings', () => {
  expect(consoleErrors).toEqual([])
})
