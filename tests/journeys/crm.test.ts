// The user connects a CRM with the keyboard, syncs, syncs again after changes in the CRM, and deletes the connection. Every state of the
// screen passes axe in both themes and widths.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createContacts, startInsightly, type InsightlyServer } from '#server/testing/insightly-server.ts'
import { signIn, signUp } from './accounts.ts'
import { findViolations, widthsAndThemes } from './axe.ts'
import { collectConsoleErrors } from './browser.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let context: BrowserContext
let crm: InsightlyServer
beforeAll(async () => {
  browser = await getBrowser()
  crm = await startInsightly({ contacts: createContacts(600) })
  await signUp(url)
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await signIn(context.request, url)
})
afterAll(async () => {
  await closeContexts()
  await crm[Symbol.asyncDispose]()
})

const countOf = (page: Page, name: string) => page.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd')

test('the user connects a CRM, syncs, and syncs again after changes in the CRM', async () => {
  const page = await context.newPage()
  const consoleErrors = collectConsoleErrors(page)
  await page.goto(`${url}/dashboard`)
  await page.getByRole('navigation', { name: 'CRM' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByText('No CRM is connected yet.').waitFor()
  const { keyboard } = page
  expect(await page.getByLabel('API URL').inputValue()).toBe('https://api.insightly.com/v3.1')
  await page.getByLabel('API URL').fill(crm.url)
  await page.getByLabel('API Key', { exact: true }).focus()
  await keyboard.type('not-the-right-key')
  await keyboard.press('Enter')
  await page.getByText('Insightly refused the API key. Copy it again from your user settings there.').waitFor()
  await keyboard.press('Control+a')
  await keyboard.type(crm.key)
  await keyboard.press('Enter')
  await page.getByText('CRM connection added').waitFor()
  expect(await page.content()).not.toContain(crm.key)

  await page.getByRole('button', { name: /^Sync with/ }).click()
  await page.getByText('CRM data synced').waitFor()
  await expect.poll(() => countOf(page, 'created').textContent()).toBe('600')
  await page.getByText('600 contacts', { exact: true }).waitFor()

  Object.assign(crm.contacts[0] ?? {}, { TITLE: 'Head of purchasing', DATE_UPDATED_UTC: '2099-01-01 10:00:00' })
  crm.contacts.push(
    { CONTACT_ID: 9001, LAST_NAME: 'Newcomer', DATE_UPDATED_UTC: '2099-01-01 10:00:00' },
    { CONTACT_ID: 9002, DATE_UPDATED_UTC: '2099-01-01 10:00:00' },
  )
  crm.contacts.splice(1, 1)
  await page.getByRole('button', { name: /^Sync with/ }).click()
  await page.getByText('Synced what changed').waitFor()
  expect(await Promise.all(['created', 'updated', 'failed'].map((name) => countOf(page, name).textContent()))).toEqual(['1', '1', '1'])
  await page.getByText('1 contact skipped or failed: why').click()
  await page.getByText('It has no name, no email and no phone number.').waitFor()

  await page.getByRole('button', { name: 'Sync all contacts' }).click()
  await page.getByText('1 contact no longer in Insightly').click()
  await page.getByRole('link', { name: 'First2 Last2' }).waitFor()
  await page.getByText('Earlier syncs').click()
  const earlierSyncs = page.getByRole('group').filter({ hasText: 'Earlier syncs' }) // a toast has the same numbers for some seconds
  await earlierSyncs.getByText('1 created, 1 updated, 1 failed').waitFor()
  await expectNoViolations(page)
  expect(consoleErrors).toEqual([expect.stringContaining('422 (Unprocessable Entity)')]) // the wrong key
  await page.close()
})

test('a running sync shows its progress and can be stopped; a failed one says why', async () => {
  const page = await context.newPage()
  await page.goto(`${url}/crm`)
  crm.setRespond(({ path }) => (path === '/v3.1/Contacts/Search' ? { status: 429, headers: { 'retry-after': '600' } } : undefined))
  await page.getByRole('button', { name: /^Sync with/ }).click()
  await page.getByText('Waiting: Insightly is busy and asks to wait. It continues by itself.').waitFor()
  await expectNoViolations(page)
  await page.getByRole('button', { name: /^Stop the sync/ }).click()
  await page.getByText('The sync was stopped').waitFor()
  crm.setRespond(() => ({ status: 401 }))
  await page.getByRole('button', { name: /^Sync with/ }).click()
  await page.getByText('The sync failed: Insightly refused the API key.').waitFor()
  await expectNoViolations(page)
  crm.setRespond(undefined)
  await page.close()
})

test('a connection is deleted and comes back with Undo', async () => {
  const page = await context.newPage()
  await page.goto(`${url}/crm`)
  await page.getByRole('button', { name: /^Delete the connection/ }).click()
  await page.getByText('CRM connection deleted').waitFor()
  await page.getByText('No CRM is connected yet.').waitFor()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: /^Sync with/ }).waitFor()
  await page.close()
})

/** Waits until the animations have ended, except those that never end. */
const finishAnimations = `Promise.all(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity).map((animation) => animation.finished.catch(() => {})))`

/** Expects no violations of accessibility and no sideways scrolling, in all widths and themes that are tested. */
async function expectNoViolations(page: Page): Promise<void> {
  for (const [width, theme] of widthsAndThemes) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: theme })
    await page.evaluate(finishAnimations) // a toast that is appearing has little contrast
    expect(await findViolations(page), `${width} ${theme}`).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}
