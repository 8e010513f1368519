// The owner builds a form with eight types of fields, a visitor fills it in on another website, the owner changes the form, and still reads
// the old submission with its old fields. The screens pass axe, and the public page is small and works without scripts.
import { createServer, type Server } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { signIn, signUp } from './accounts.ts'
import { findViolations } from './axe.ts'
import { collectConsoleErrors } from './browser.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let owner: BrowserContext
let website: Server
let websiteUrl: string
let websiteHtml = ''
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  owner = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  await signIn(owner.request, url)
  website = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(websiteHtml))
  const port = await new Promise<number>((resolve) => {
    website.listen(0, '127.0.0.1', () => {
      const address = website.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  websiteUrl = `http://localhost:${port}` // another site than the product, whose address is 127.0.0.1
})
afterAll(async () => {
  await closeContexts()
  website.close()
})

const fields = [
  ['Email', 'Email'],
  ['Phone', 'Phone'],
  ['Your project', 'Heading'],
  ['Which wood?', 'Dropdown', 'Oak\nAsh'],
  ['Extras', 'Several choices', 'Delivery\nAssembly'],
  ['Details', 'Long text'],
  ['Wanted by', 'Date'],
  ['I agree', 'Consent'],
] as const

let slug: string

test('the owner builds a form with eight types of fields, with keyboard and mouse', async () => {
  const page = await owner.newPage()
  const consoleErrors = collectConsoleErrors(page)
  await page.goto(`${url}/lead-forms`)
  await page.getByText('No forms yet.').waitFor()
  await page.getByText('Create your first form to start capturing leads.').waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'Create form' })
  await dialog.getByLabel('Title').fill(`Table offer ${Date.now()}`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Fields', exact: true }).waitFor()
  for (const [label, type, options] of fields) {
    await page.getByRole('button', { name: 'Add Field' }).click()
    await page.keyboard.type(label) // the label of the new field has the focus
    const card = page.getByRole('listitem', { name: label, exact: true })
    await card.getByLabel('Type').selectOption({ label: type })
    if (options) await card.getByLabel('Options').fill(options)
    if (type === 'Email' || type === 'Consent') await card.getByRole('switch', { name: 'Required' }).press('Space')
  }
  await page.getByRole('button', { name: 'Move Phone', exact: true }).press('ArrowUp')
  await page.getByText('Phone is now number 1 of 8.').waitFor()
  const labels = page.getByRole('list', { name: 'Custom fields' }).getByLabel('Label')
  expect(await labels.nth(0).inputValue()).toBe('Phone')
  const handle = await page.getByRole('button', { name: 'Move Phone', exact: true }).boundingBox()
  const below = await page.getByRole('button', { name: 'Move Email', exact: true }).boundingBox()
  if (!handle || !below) throw new Error('The handles are not shown')
  await page.mouse.move(handle.x + 10, handle.y + 10)
  await page.mouse.down()
  await page.mouse.move(handle.x + 10, below.y + 10, { steps: 5 })
  await page.mouse.move(handle.x + 10, below.y + 160, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => labels.nth(0).inputValue()).toBe('Email')
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save Fields' }).click()
  await page.getByText('Form saved').waitFor()
  slug = (await page.getByRole('link', { name: /^\/form\// }).textContent())?.replace('/form/', '') ?? ''
  expect(await findViolations(page)).toEqual([])
  expect(consoleErrors).toEqual([])
  await page.close()
})

test('a visitor fills in the form on another website without cookies, and the page then opens the redirect address', async () => {
  const forms: { rows: { id: string }[] } = await (await owner.request.get(`${url}/api/lead-forms`)).json()
  const thanks = `${websiteUrl}/thanks`
  await owner.request.patch(`${url}/api/lead-forms/${forms.rows[0]?.id}`, { headers: { origin: url }, data: { redirect_url: thanks } })
  websiteHtml = `<!doctype html><title>Shop</title><h1>Our shop</h1><script src="${url}/embed/form.js" data-form="${slug}"></script>`
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const consoleErrors = collectConsoleErrors(page)
  await page.goto(`${websiteUrl}/?utm_source=fair`)
  const frame = page.frameLocator('iframe')
  await frame.getByRole('button', { name: 'Submit' }).waitFor()
  const readHeight = async (): Promise<number> => (await page.locator('iframe').boundingBox())?.height ?? 0
  await expect.poll(readHeight).toBeGreaterThan(800)
  const height = await readHeight()
  await page.setViewportSize({ width: 320, height: 800 })
  await expect.poll(readHeight).toBeGreaterThan(height)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(readHeight).toBe(height) // the frame becomes smaller too
  await frame.getByRole('button', { name: 'Submit' }).click()
  await frame.getByText('Email is required').waitFor()
  expect(await frame.getByText('First name and last name are required').count()).toBe(2) // at both fields
  await page.emulateMedia({ colorScheme: 'dark' }) // the website stays light, so the form in it does too
  expect(await frame.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)).toBe('rgb(255, 255, 255)')
  await frame.getByLabel('First Name').fill('Imara')
  await frame.getByLabel('Last Name').fill('Vantongeren')
  await frame.getByLabel('Email').fill('imara@quillstone.example')
  await frame.getByLabel('Which wood?').selectOption('Oak')
  await frame.getByLabel('Assembly').check()
  await frame.getByLabel('Details').fill('<b>Twelve seats</b>')
  await frame.getByLabel('I agree').check()
  await frame.getByRole('button', { name: 'Submit' }).click()
  await page.waitForURL(thanks)
  expect(await context.cookies()).toEqual([])
  expect(consoleErrors).toEqual([])
  await context.close()
})

test('the owner changes the form, and reads the old submission with its old fields, and opens its contact', async () => {
  const page = await owner.newPage()
  const consoleErrors = collectConsoleErrors(page)
  await page.goto(`${url}/lead-forms`)
  await page.getByRole('link', { name: 'Edit Fields' }).click()
  const card = page.getByRole('listitem', { name: 'Which wood?' })
  await card.getByRole('button', { name: 'Remove Which wood?' }).click()
  await page.getByRole('button', { name: 'Save Fields' }).click()
  await page.getByText('Form saved').first().waitFor()
  await page.getByRole('link', { name: /^1 submission/ }).click()
  await page.getByRole('button', { name: /Imara Vantongeren/ }).click()
  await page.getByRole('definition').filter({ hasText: 'Oak' }).waitFor()
  await page.getByText('<b>Twelve seats</b>').last().waitFor()
  await page.getByText('fair', { exact: true }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Mark as spam' }).click()
  await page.getByText('No submissions yet').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByRole('button', { name: /Imara Vantongeren/ }).click()
  await page.getByRole('link', { name: 'Contact: Imara Vantongeren' }).click()
  await page.getByRole('heading', { name: 'Imara Vantongeren' }).waitFor()
  expect(consoleErrors).toEqual([])
  await page.close()
})

test.each([
  [1280, 'light'],
  [390, 'dark'],
] as const)('the public page at %i px in the %s theme is accessible and small, and works without scripts', async (width, colorScheme) => {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme })
  const page = await context.newPage()
  const files: Promise<number>[] = []
  page.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname))
      files.push(response.body().then((body) => gzipSync(body, { level: 9 }).byteLength))
  })
  await page.goto(`${url}/form/${slug}`)
  await page.waitForLoadState('networkidle')
  const bytes = await Promise.all(files)
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000)
  expect(await findViolations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await context.close()
  const plain = await browser.newContext({ viewport: { width, height: 800 }, javaScriptEnabled: false })
  await sendWithoutScripts(await plain.newPage())
  await plain.close()
})

async function sendWithoutScripts(page: Page): Promise<void> {
  await page.goto(`${url}/form/nothing-here`)
  await page.getByText('Form not found or inactive').waitFor()
  await page.goto(`${url}/form/${slug}`)
  await page.getByLabel('First Name').fill('Bastian')
  await page.getByLabel('Last Name').fill('Ollerquist')
  await page.getByLabel('Email').fill('bastian@example') // the browser accepts it, the server does not
  await page.getByLabel('I agree').check()
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Email must be an email like name@example.com').waitFor()
  expect(await page.getByLabel('Last Name').inputValue()).toBe('Ollerquist')
}
