// The list of likely duplicates: two contacts are merged, the merge is undone from the list of merges, and a pair of different persons is
// dismissed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { addContacts, signIn, signUp } from './accounts.ts'
import { findViolations } from './axe.ts'
import { collectConsoleErrors } from './browser.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

const address = {
  mailing_street: '14 Chandler’s Row',
  mailing_city: 'Millgate',
  mailing_postal_code: 'MG4 2QT',
}
const email = 'imara@quillstone.example'
const contacts = [
  {
    first_name: 'Imara',
    last_name: 'Vantongeren',
    email,
    phone: '+44 20 7946 0118',
    title: 'Practice manager',
    company: 'Quillstone Dental',
    tags: ['Newsletter'],
    ...address,
  },
  {
    first_name: 'I.',
    last_name: 'Van Tongeren',
    email,
    phone: '+44 20 7946 0100',
    mobile_phone: '+44 7700 900274',
    title: 'Reception',
    company: 'Quillstone Dental',
    tags: ['Dental', 'Showroom 2025'],
    allow_duplicate: true,
  },
  { first_name: 'Ottoline', last_name: 'Freyberg', phone: '+44 20 7946 0119' },
  { first_name: 'Ottoline', last_name: 'Freyburg', phone: '+44 20 7946 0119', email: 'ottoline@freyburg.example' },
  { first_name: 'Anselm', last_name: 'Pickersgate', company: 'Rostwick' },
  { first_name: 'Pickersgate', last_name: 'Anselm', email: 'anselm@rostwick.example' },
]

let browser: Browser
let session: Awaited<ReturnType<BrowserContext['storageState']>>
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page.request, url)
  const [, other] = await addContacts(page, url, contacts)
  for (const title of ['Waiting room and reception desk', 'Staff lockers', 'Sign at the door'])
    await page.request.post(`${url}/api/deals`, { headers: { origin: url }, data: { title, contact_id: other } })
  await page.request.post(`${url}/api/notes`, {
    headers: { origin: url },
    data: { contact_id: other, content: 'Prefers to be called before nine' },
  })
  session = await context.storageState()
  await context.close()
})
afterAll(closeContexts)

const pairLinks = (page: Page) => page.getByRole('navigation', { name: 'Likely pairs' }).getByRole('link')

test('the user merges two contacts, undoes the merge, and dismisses a pair of different persons', async () => {
  const page = await browser.newPage({ storageState: session, viewport: { width: 1280, height: 800 } })
  const consoleErrors = collectConsoleErrors(page)
  await page.goto(`${url}/crm/contacts`)
  await page.getByRole('link', { name: 'Find duplicates' }).click()
  await page.getByRole('heading', { name: 'Merge into one contact' }).waitFor()
  expect(await pairLinks(page).count()).toBe(3)
  expect(await findViolations(page)).toEqual([])

  // the value of the other contact is chosen with the keyboard
  await page.getByRole('radio', { name: 'Practice manager' }).focus()
  await page.keyboard.press('ArrowDown')
  expect(await page.getByRole('radio', { name: 'Reception' }).isChecked()).toBe(true)
  await page.getByText('Moves to Imara Vantongeren').waitFor()
  await page.getByRole('button', { name: 'Merge 2 contacts' }).click()
  await page.getByText('Contacts merged').waitFor()
  await page.getByRole('link', { name: 'Imara Vantongeren' }).click()
  await page.getByText('Reception').first().waitFor()
  await page.getByText('+44 7700 900274').first().waitFor()
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Deals/ })
    .click()
  await page.getByText('Staff lockers').first().waitFor()

  await page.goBack()
  await page.getByRole('button', { name: 'Un-merge Imara Vantongeren' }).click()
  await page.getByText('Undone: Contacts merged').waitFor()
  await page.getByRole('link', { name: /I\. Van Tongeren/ }).waitFor()

  await page.getByRole('link', { name: /Pickersgate Anselm/ }).click()
  await page.getByRole('button', { name: 'Not the same person' }).click()
  await page.getByText('Kept as two contacts').waitFor()
  const secondResponse = page.waitForResponse(`${url}/api/contacts/duplicates`)
  await page.getByRole('button', { name: 'Look again' }).click()
  await secondResponse
  expect(await pairLinks(page).count()).toBe(2)
  // the timeline of a moved deal requests the title of its earlier contact, which is deleted
  expect(consoleErrors.filter((error) => !/404.*\/api\/contacts\/[\w-]+$/.test(error))).toEqual([])
})

test('on a phone the user opens a pair from the list and merges it, and the list then has one pair less', async () => {
  const page = await browser.newPage({ storageState: session, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await page.goto(`${url}/crm/contacts/duplicates`)
  await page.getByRole('link', { name: /Ottoline Freyberg/ }).click()
  await page.getByRole('heading', { name: 'Merge into one contact' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Merge 2 contacts' }).click()
  await page.getByText('Contacts merged').waitFor()
  await page.getByRole('link', { name: 'Duplicates' }).click()
  expect(await pairLinks(page).count()).toBe(1)
})
