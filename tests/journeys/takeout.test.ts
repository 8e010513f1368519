// The user downloads everything and opens the zip.
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { parseCsv } from '#server/testing/csv.ts'
import { unzip } from '#server/testing/zip.ts'
import { addContacts, nora, signIn, signUp } from './accounts.ts'
import { findViolations, wcagTags } from './axe.ts'
import { collectConsoleErrors } from './browser.ts'
import { uploadFile } from './files.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let page: Page
let consoleErrors: string[]
beforeAll(async () => {
  browser = await getBrowser()
  page = await (await browser.newContext({ viewport: { width: 390, height: 844 }, acceptDownloads: true })).newPage()
  consoleErrors = collectConsoleErrors(page)
  await signUp(url)
  await signIn(page.request, url)
})
afterAll(closeContexts)

test('the user downloads everything and opens it', async () => {
  const [contact = ''] = await addContacts(page, url, [{ first_name: 'Imara', last_name: 'Vantongeren', email: 'imara@example.org' }])
  await uploadFile(page.request, url, { file_name: 'Terms.txt', contact_id: contact }, Buffer.from('The terms, as agreed.'))
  await page.goto(`${url}/account`)
  await page.getByRole('button', { name: 'Download everything' }).click()
  const dialog = page.getByRole('dialog', { name: 'Download everything?' })
  await dialog.getByText('The zip has your records and 1 file (21 B).').waitFor()
  const password = dialog.getByLabel('Type your password to go on')
  await expect.poll(() => password.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await findViolations(page, { within: '[role=dialog]', tags: [...wcagTags, 'best-practice'] })).toEqual([])
  await page.keyboard.type('not my password')
  await page.keyboard.press('Enter')
  await dialog.getByText('That is not your current password.').waitFor()
  await expect.poll(() => password.evaluate((field) => field === document.activeElement)).toBe(true)
  consoleErrors.splice(0) // the browser logs the refused password as a failed request
  await password.fill(nora.password)
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  await page.getByText('Download started', { exact: true }).waitFor()
  expect(download.suggestedFilename()).toMatch(/^Foyer \d{4}-\d\d-\d\d\.zip$/)

  const zip = await unzip(await buffer(await download.createReadStream()))
  expect(String(zip.get('attachments/Imara Vantongeren/Terms.txt'))).toBe('The terms, as agreed.')
  expect(parseCsv(String(zip.get('contacts.csv')))).toMatchObject([{ id: contact, first_name: 'Imara', email: 'imara@example.org' }])
  expect(JSON.parse(String(zip.get('account.json')))).toMatchObject([{ email: nora.email }])
  expect(String(zip.get('README.txt'))).toContain('Everything from your Foyer workspace')
  expect(consoleErrors).toEqual([])
})
