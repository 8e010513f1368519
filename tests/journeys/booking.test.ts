// A visitor books in another time zone on a phone, on a page of another website that shows the booking page in a frame, moves the booking
// and cancels it.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { signIn, signUp } from './accounts.ts'
import { findViolations } from './axe.ts'
import { collectConsoleErrors, openBrowserWithoutStorage } from './browser.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
/** Another website, which shows the booking page in a frame. */
let website: Server
let websiteUrl: string
let link: { id: string; slug: string }
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  const context = await browser.newContext()
  await signIn(context.request, url)
  const response = await context.request.post(`${url}/api/booking-links`, {
    data: { title: 'Site visit', description: 'We look at the room together.' },
    headers: { origin: url },
  })
  link = await response.json()
  website = createServer(({ url: path }, serverResponse) => {
    serverResponse
      .setHeader('content-type', 'text/html')
      .end(
        path === '/script'
          ? `<!doctype html><title>Shop</title><h1>Our shop</h1><script src="${url}/embed/book.js" data-book="${link.slug}"></script>`
          : `<iframe src="${url}/book/${link.slug}" width="380" height="900" sandbox="allow-scripts allow-forms allow-same-origin allow-top-navigation-by-user-activation"></iframe>`,
      )
  })
  await new Promise<void>((resolve) => void website.listen(0, '127.0.0.1', resolve))
  const address = website.address()
  websiteUrl = `http://localhost:${typeof address === 'object' && address ? address.port : 0}/`
})
afterAll(async () => {
  await closeContexts()
  website.close()
})

test('a visitor books in a frame of another website, then moves and cancels', { timeout: 120_000 }, async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, timezoneId: 'America/New_York', locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(websiteUrl)
  const frame = page.frameLocator('iframe')
  await expect.poll(() => frame.locator('#zone-label').textContent()).toMatch(/^New York, E[SD]T/)
  const zones = frame.getByLabel('Time zone')
  expect(await zones.locator('optgroup[label="Americas"] option:checked').textContent()).toBe('New York')
  await frame.getByLabel('Name').fill('Imara Vantongeren')
  await frame.getByLabel('Email').fill('imara@quillstone.example')
  await frame.getByLabel('Time', { exact: true }).selectOption({ index: 1 })
  await frame.getByRole('button', { name: 'Confirm Booking' }).click()
  await frame.getByRole('heading', { name: 'Booking confirmed' }).waitFor()
  expect(await frame.getByLabel('Name').inputValue()).toBe('')
  const moveAddress = await frame.getByRole('link', { name: 'Move it' }).getAttribute('href')
  const cancelAddress = await frame.getByRole('link', { name: 'cancel it' }).getAttribute('href')

  await page.goto(moveAddress ?? '')
  const date = page.getByLabel('Date')
  const today = Date.parse((await date.getAttribute('min')) ?? '')
  await date.fill(new Date(today + 2 * 86_400_000).toISOString().slice(0, 10)) // late in the evening, today has no times
  const timeField = page.getByLabel('Time', { exact: true })
  await timeField.selectOption({ label: '09:00 to 09:30' })
  await page.getByRole('button', { name: 'Move booking' }).click()
  await page.getByRole('heading', { name: 'Booking moved' }).waitFor()
  await page.goto(cancelAddress ?? '')
  await page.getByRole('button', { name: 'Cancel booking' }).click()
  await page.getByRole('heading', { name: 'Booking cancelled' }).waitFor()
})

test(
  'a visitor whose browser blocks cookies and storage books in a frame that is as high as the page, and its links open in the whole window',
  { timeout: 120_000 },
  async () => {
    const context = await openBrowserWithoutStorage()
    try {
      const page = await context.newPage()
      const consoleErrors = collectConsoleErrors(page)
      await page.goto(`${websiteUrl}script`)
      const frame = page.frameLocator('iframe')
      await frame.getByLabel('Name').fill('Imara Vantongeren')
      const hasStorage = await frame.locator('body').evaluate(() => {
        try {
          return [document.cookie, localStorage.length, sessionStorage.length].length > 0
        } catch {
          return false
        }
      })
      expect(hasStorage).toBe(false)
      const readPageHeight = () => frame.locator('.page').evaluate((element) => element.getBoundingClientRect().height)
      await expect.poll(async () => (await page.locator('iframe').boundingBox())?.height).toBeGreaterThan((await readPageHeight()) - 1)
      await frame.getByLabel('Email').fill('imara@quillstone.example')
      await frame.getByLabel('Time', { exact: true }).selectOption({ index: 1 })
      await frame.getByRole('button', { name: 'Confirm Booking' }).click()
      await frame.getByRole('heading', { name: 'Booking confirmed' }).waitFor()
      expect(await context.cookies()).toEqual([])
      await frame.getByRole('link', { name: 'cancel it' }).click()
      await page.waitForURL(/\/booking\/cancel\//)
      await page.getByRole('button', { name: 'Cancel booking' }).click()
      await page.getByRole('heading', { name: 'Booking cancelled' }).waitFor()
      expect(consoleErrors).toEqual([])
    } finally {
      await context.close()
    }
  },
)

test.each([
  ['light', 1280],
  ['dark', 390],
] as const)('the page of a link is accessible and loads less than 20 kB of scripts and styles (%s, %i px)', async (colorScheme, width) => {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 844 } })
  const page = await context.newPage()
  const files = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\.(js|css)$/.test(pathname)) files.add(pathname)
  })
  await page.goto(`${url}/book/${link.slug}`)
  await page.waitForLoadState('networkidle')
  expect(await findViolations(page)).toEqual([])
  const bytes = [...files].map(
    (file) => gzipSync(readFileSync(join(import.meta.dirname, '../../out/public', file)), { level: 9 }).byteLength,
  )
  expect(bytes.length).toBeGreaterThan(1)
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
})
