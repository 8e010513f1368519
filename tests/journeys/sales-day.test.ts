// A working day in the CRM: a company and its deal, a task, a note, a bulk edit of 500 contacts, an export, two tabs.
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, CDPSession, Locator, Page } from 'playwright-core'
import { collectConsoleErrors } from './browser.ts'
import { signIn, signUp } from './accounts.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let context: BrowserContext
let page: Page
let consoleErrors: string[]
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, hasTouch: true, acceptDownloads: true })
  page = await context.newPage()
  consoleErrors = collectConsoleErrors(page)
  await signIn(page.request, url)
})
afterAll(closeContexts)

const toast = (title: string): Locator => page.getByText(title, { exact: true }).first()
const open = (path: string) => page.goto(`${url}${path}`)

/** Sends a request to the API with the session of the page. Returns the body of the response. */
async function callApi(method: 'GET' | 'POST', path: string, data?: object): Promise<Record<string, unknown>> {
  const response = await page.request.fetch(`${url}${path}`, { method, ...(data && { data }), headers: { origin: url } })
  if (!response.ok()) throw new Error(await response.text())
  return response.json()
}

test('the user adds a company, and a deal for it', async () => {
  await open('/crm/companies')
  await page.getByRole('link', { name: 'Add company' }).first().click()
  const company = page.getByRole('dialog', { name: 'Add company' })
  await company.getByLabel('Name').fill('Quillstone Dental')
  await company.getByLabel('Website').fill('https://quillstone.example')
  await company.getByRole('button', { name: 'Save company' }).click()
  await toast('Company created').waitFor()
  await open('/crm/deals/new')
  const deal = page.getByRole('dialog', { name: 'Add deal' })
  await deal.getByLabel('Title').fill('Waiting room')
  await deal.getByLabel('Value').fill('26400')
  await deal.getByLabel('Company').fill('quill')
  await page.getByRole('option', { name: /Quillstone Dental/ }).click()
  await deal.getByRole('button', { name: 'Save deal' }).click()
  await toast('Deal created').waitFor()
  await column('Lead')
    .getByRole('link', { name: /Waiting room/ })
    .waitFor()
  await expect.poll(() => card().textContent()).toContain('Quillstone Dental')
})

const column = (label: string): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: label, exact: true, level: 2 }) })
const card = (): Locator => page.getByRole('link', { name: /^Waiting room/ })
/** Waits until the deal is in this column and in no other one. */
async function expectInColumn(label: string): Promise<void> {
  await column(label)
    .getByRole('link', { name: /^Waiting room/ })
    .waitFor()
  await expect.poll(() => card().count()).toBe(1) // the old column shows the card until it is fetched again
}

/** Returns the point in the middle of an element; of a high element a point near its top, which is on the screen. */
async function middleOf(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not on the screen')
  return { x: box.x + box.width / 2, y: box.y + Math.min(60, box.height / 2) }
}

test('the user drags the deal from Lead to Closed Won with the mouse, and undoes it', async () => {
  const [from, to] = [await middleOf(card()), await middleOf(column('Closed Won'))]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, from.y, { steps: 4 })
  await page.mouse.move(to.x, to.y, { steps: 12 })
  await page.mouse.up()
  await toast('Deal updated').waitFor()
  await expectInColumn('Closed Won')
  await page.keyboard.press('Control+z')
  await expectInColumn('Lead')
})

test('the user moves the deal from Lead to Closed Won with the keyboard, and undoes it', async () => {
  await card().focus()
  await page.keyboard.press('Space')
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expectInColumn('Closed Won')
  await expect.poll(() => callApi('GET', '/api/deals').then(({ rows }) => rows)).toMatchObject([{ stage: 'closed-won' }])
  await page.keyboard.press('Control+z')
  await expectInColumn('Lead')
})

test('the user drags the deal from Lead to Closed Won by touch after a short hold, and undoes it', async () => {
  const devTools = await context.newCDPSession(page)
  await dragByTouch(devTools, await middleOf(card()), await middleOf(column('Closed Won')))
  await expectInColumn('Closed Won')
  await expect.poll(() => callApi('GET', '/api/deals').then(({ rows }) => rows)).toMatchObject([{ stage: 'closed-won' }])
  await page.keyboard.press('Control+z')
  await expectInColumn('Lead')
})

async function dragByTouch(devTools: CDPSession, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await devTools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] })
  await page.locator('a[data-dragging]').waitFor() // the card was held long enough
  for (let step = 1; step <= 12; step++) {
    const at = { x: from.x + ((to.x - from.x) * step) / 12, y: from.y + ((to.y - from.y) * step) / 12 }
    await devTools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at] })
  }
  await devTools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('the user completes a task that is due today', async () => {
  // this locale writes dates as YYYY-MM-DD
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format(new Date())
  await callApi('POST', '/api/tasks', { title: 'Send the drawings', due_date: today })
  await open('/crm/tasks')
  await page
    .getByRole('link', { name: /^Today/ })
    .or(page.getByRole('tab', { name: /^Today/ }))
    .click()
  const row = page.getByRole('row').filter({ hasText: 'Send the drawings' })
  await row.getByRole('checkbox', { name: 'Complete: Send the drawings' }).click()
  await toast('Task marked as completed').waitFor()
  await expect.poll(() => row.count()).toBe(0)
})

test('the user adds a note to a contact and edits the note', async () => {
  const { id } = await callApi('POST', '/api/contacts', { first_name: 'Imara', last_name: 'Vantongeren', mailing_city: 'Millgate' })
  await open(`/crm/contacts/${String(id)}?tab=notes`)
  await page.getByRole('textbox', { name: 'New note' }).fill('Twelve seats, two of them high.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByText('Twelve seats, two of them high.').first().waitFor()
  await page.getByRole('button', { name: 'Edit note' }).click()
  const editedText = 'Thirteen seats, two of them high.'
  const editor = page.getByRole('textbox', { name: /^Edit|^Note/ }).last()
  // when the editor opens, it moves the cursor to the end of the text; if `fill` has just selected the text, the new text is appended to it
  const fill = async (): Promise<string> => {
    await editor.fill(editedText)
    return editor.inputValue()
  }
  await expect.poll(fill).toBe(editedText)
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect
    .poll(() => callApi('GET', `/api/notes?contact_id=${String(id)}`))
    .toMatchObject({
      count: 1,
      rows: [{ content: editedText }],
    })
  await page.getByRole('link', { name: 'Notes 1' }).waitFor()
})

test('the user filters contacts by tag and city, saves the view and finds it after a reload', async () => {
  const people = Array.from({ length: 520 }, (_, number) => ({
    first_name: 'Person',
    last_name: String(number + 1).padStart(3, '0'),
    mailing_city: number < 500 ? 'Harrowmere' : 'Millgate',
    tags: ['Fair 2026'],
  }))
  for (let start = 0; start < people.length; start += 20) {
    await Promise.all(people.slice(start, start + 20).map((person) => callApi('POST', '/api/contacts', person)))
  }
  await open('/crm/contacts')
  await filterBy('Tags')
  await page.getByRole('checkbox', { name: 'Fair 2026' }).check()
  await page.keyboard.press('Escape')
  await filterBy('City')
  await page.getByRole('textbox', { name: 'City contains' }).fill('mill')
  await page.keyboard.press('Escape') // discards the typed text
  await page.getByRole('textbox', { name: 'City contains' }).waitFor({ state: 'detached' })
  await filterBy('City')
  expect(await page.getByRole('textbox', { name: 'City contains' }).inputValue()).toBe('')
  await page.getByRole('textbox', { name: 'City contains' }).fill('harrow')
  await page.keyboard.press('Enter')
  await page.getByText('500', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Met at the fair')
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  await toast('View saved').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'View: Met at the fair' }).waitFor()
  await page.getByText('500', { exact: true }).first().waitFor()
})

async function filterBy(field: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('textbox', { name: 'Filter by' }).fill(field)
  await page.keyboard.press('Enter')
  await page.getByRole('form', { name: field }).waitFor()
}

test('the user changes the city of all 500 contacts in one bulk edit, and undoes the edit with Ctrl+Z', async () => {
  await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check()
  await page.getByRole('button', { name: 'Select all 500 contacts' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit 500 contacts' })
  await dialog.getByLabel('Field', { exact: true }).selectOption('mailing_city')
  await dialog.getByRole('textbox', { name: 'City' }).fill('Larkfield')
  await dialog.getByRole('button', { name: 'Update 500 contacts' }).click()
  await toast('500 contacts updated').waitFor()
  await dialog.waitFor({ state: 'hidden' }) // while the dialog is open, Ctrl+Z undoes typing
  const filter = encodeURIComponent(JSON.stringify([{ field: 'mailing_city', is: ['Larkfield'] }]))
  expect(await callApi('GET', `/api/contacts/count?filter=${filter}`)).toEqual({ count: 500, more: false })
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: 500 contacts updated').waitFor()
  expect(await callApi('GET', `/api/contacts/count?filter=${filter}`)).toEqual({ count: 0, more: false })
})

test('the user exports the 500 contacts to a CSV file with the rows in the order of the list', async () => {
  await page.getByRole('button', { name: 'Export' }).first().click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /CSV/ }).first().click()])
  const csv = await text(await download.createReadStream())
  const lines = csv.replace('\u{FEFF}', '').trimEnd().split('\r\n')
  const { rows } = await callApi('GET', `/api/contacts?limit=200&${new URL(page.url()).search.slice(1)}`)
  const names = Array.isArray(rows) ? rows.map((row: { last_name: string }) => row.last_name) : []
  expect(lines[0]?.split(',').slice(0, 2)).toEqual(['first_name', 'last_name'])
  expect(lines).toHaveLength(501)
  expect(lines.slice(1, 201).map((line) => line.split(',')[1])).toEqual(names)
})

test('the board shows a deal in its new column after a move in another tab', async () => {
  await open('/crm/deals')
  await expectInColumn('Lead')
  const otherTab = await context.newPage()
  await otherTab.goto(`${url}/crm/deals`)
  await otherTab.getByRole('link', { name: /^Waiting room/ }).focus()
  await otherTab.keyboard.press('Space')
  await otherTab.keyboard.press('ArrowRight')
  const started = performance.now()
  await otherTab.keyboard.press('Space')
  const movedCard = column('Qualified').getByRole('link', { name: /^Waiting room/ })
  await movedCard.waitFor({ timeout: 5000 })
  console.log(`The other tab showed it after ${Math.round(performance.now() - started)} ms`)
  await expect.poll(() => movedCard.textContent()).toBe(await otherTab.getByRole('link', { name: /^Waiting room/ }).textContent())
  await otherTab.close()
})

test('the console has no errors and no warnings', () => {
  expect(consoleErrors).toEqual([])
})
