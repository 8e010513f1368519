// A file of 2,000 contacts is imported, its broken rows are corrected and imported again, and the import is undone from the history.
// Another file is imported with the keyboard on a phone.
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Page } from 'playwright-core'
import { signIn, signUp } from './accounts.ts'
import { collectConsoleErrors, tabTo } from './browser.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

beforeAll(() => signUp(url))
afterAll(closeContexts)

async function openContext(options: { viewport: { width: number; height: number } }) {
  const browser = await getBrowser()
  const context = await browser.newContext({ ...options, acceptDownloads: true })
  onTestFinished(() => context.close())
  await signIn(context.request, url)
  return context
}

type Summary = { id: string; status: string; rows_done: number; created: number; updated: number; skipped: number; failed: number }

/** Reads the imports through the API, the newest first. */
async function readImports(page: Page): Promise<Summary[]> {
  const { rows }: { rows: Summary[] } = await (await page.request.get(`${url}/api/imports`)).json()
  return rows
}

const countContacts = async (page: Page, search: string): Promise<number> => {
  const response = await page.request.get(`${url}/api/contacts/count?${new URLSearchParams({ search }).toString()}`)
  return (await response.json()).count
}

const firstNames = ['Anneke', 'Tobias', 'Imara', 'Bastian', 'Sunniva', 'Liesel', 'Rufus', 'Mirembe', 'Anselm', 'Dagny']
const lastNames = ['Vossmaker', 'Quillfeather', 'Vantongeren', 'Ollerquist', 'Thackerly', 'Abernethwaite', 'Delacombe', 'Strickmoor']
const rowCount = 2000
const isBroken = (row: number): boolean => row % 10 === 3

/** A file as HubSpot exports it. Every tenth row has no name and an invalid email. */
function makeHubSpotExport(): string {
  const header = 'Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Lifecycle Stage,Company Name,Job Title'
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const names = isBroken(row) ? ',' : `${firstNames[row % 10]},${lastNames[row % 8]}`
    const email = isBroken(row) ? `person${row} at tidewick` : `person${row}@tidewick.example`
    return `${4000 + row},${names},${email},,Nora Ellisande,Customer,Tidewick Bakery,Owner`
  })
  return [header, ...rows].join('\n')
}

/** Chooses a file in the open dialog and waits for the page with its columns. */
async function chooseFile(page: Page, name: string, content: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Import Contacts' })
  await dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
  await page.getByRole('list', { name: 'Columns in the file' }).waitFor()
}

test('2,000 contacts with broken rows are imported, corrected and undone', async () => {
  const context = await openContext({ viewport: { width: 1280, height: 800 } })
  let page = await context.newPage()
  await page.goto(`${url}/crm/contacts`)
  await page.getByRole('button', { name: 'Import contacts' }).click()
  await chooseFile(page, 'hubspot-crm-exports.csv', makeHubSpotExport())
  await page.getByText('6 of 9 columns matched · 3 kept as additional data').waitFor()
  expect(await page.getByRole('combobox', { name: 'Field for Contact owner' }).inputValue()).toBe('')
  await page.getByRole('button', { name: /^First rows \(\d with a problem\)$/ }).click()
  await page.getByText('This row would fail. “person3 at tidewick” is not an email.').waitFor()
  const startResponse = page.waitForResponse((response) => response.url().endsWith('/start'))
  await page.getByRole('button', { name: 'Start import' }).click()
  await startResponse
  const address = page.url()

  await page.close() // in the middle of the import
  page = await context.newPage()
  const consoleErrors = collectConsoleErrors(page)
  await page.goto(address)
  const heading = page.getByRole('heading', { name: /^(Importing|[\d,]+ of 2,000 rows are in)/ })
  await heading.waitFor()
  const shownCount = /^Importing ([\d,]+)/.exec(await heading.innerText())?.[1]
  const [storedImport] = await readImports(page)
  // the stored count is read later, so it is at least the shown one; a heading without "Importing" shows that all rows are done
  expect(Number(shownCount?.replace(',', '') ?? rowCount)).toBeLessThanOrEqual(storedImport?.rows_done ?? 0)
  await page.getByRole('heading', { name: '1,800 of 2,000 rows are in' }).waitFor()
  expect(await readImports(page)).toMatchObject([{ status: 'finished', created: 1800, updated: 0, skipped: 0, failed: 200 }])
  await page.getByText('Import Successful', { exact: true }).waitFor()
  await page.getByText('Imported 1,800 contacts. 200 rows failed.', { exact: true }).waitFor()
  const report = page.getByRole('region', { name: 'Why 200 rows failed' })
  await report.getByText('Line 5', { exact: true }).waitFor()
  await report.getByText('“person3 at tidewick” is not an email.').waitFor()

  const downloading = page.waitForEvent('download')
  await report.getByRole('button', { name: 'Download failed rows' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('hubspot-crm-exports failed rows.csv')
  const corrected = (await text(await download.createReadStream())).replaceAll(' at tidewick', '@mended.example')
  await report.getByRole('button', { name: 'Import the corrected file' }).click()
  await chooseFile(page, 'corrected.csv', corrected)
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByRole('heading', { name: '200 of 200 rows are in' }).waitFor()
  expect(await countContacts(page, 'mended.example')).toBe(200)

  await page.getByRole('link', { name: /^Show contacts added since/ }).click()
  await page
    .getByRole('link', { name: /person\d+@mended/ })
    .first()
    .waitFor()
  await page.goto(`${url}/crm/imports`)
  await page.getByRole('button', { name: 'Undo import of hubspot-crm-exports.csv' }).click()
  await page.getByText('Undone: Imported 1,800 contacts').waitFor()
  await page.getByText(/Undone, 1,800 rows taken back, 200 failed/).waitFor()
  expect([await countContacts(page, 'tidewick.example'), await countContacts(page, 'mended.example')]).toEqual([0, 200])
  expect(consoleErrors).toEqual([])
})

test('a file is imported with the keyboard on a phone, and the contact shows the value of a column without a field', async () => {
  const context = await openContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  page.on('filechooser', () => undefined) // Playwright begins to report dialogs for files only a while after the first listener is added
  await page.goto(`${url}/crm/contacts`)
  await tabTo(page, page.getByRole('button', { name: 'Import contacts' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: /^Choose a file or drop it here/ }))
  const choosing = page.waitForEvent('filechooser')
  await page.keyboard.press('Enter')
  const wood = 'Oiled oak with a long grain, '.repeat(8)
  const content = `Vorname;Nachname;E-Mail;Lieblingsholz\nYevanna;Rostwick;yevanna@almondsbury.example;${wood}\n`
  await (await choosing).setFiles({ name: 'Kontakte.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await tabTo(page, page.locator('summary', { hasText: 'Create and update' }))
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: 'Create only' }).waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Start import' }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '1 of 1 row is in' }).waitFor()
  await page.goto(`${url}/crm/contacts?search=yevanna`)
  await page.getByRole('link', { name: 'Yevanna Rostwick' }).click()
  await page.getByRole('heading', { name: 'Additional data' }).waitFor()
  await page.getByText(wood.trim(), { exact: true }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})
