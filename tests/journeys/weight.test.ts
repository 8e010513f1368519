// The size of the scripts and styles of a first visit, gzipped, and the size of the picture of the landing page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { signIn, signUp } from './accounts.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
})
afterAll(closeContexts)

test.each([
  ['/', 20, false],
  ['/auth', 210, false],
  ['/crm/contacts', 268, true],
  ['/assistant', 320, true],
])('%s loads less than %i kB of scripts and styles', async (path, limitKilobytes, signedIn) => {
  const context = await browser.newContext()
  if (signedIn) await signIn(context.request, url)
  const page = await context.newPage()
  await page.addInitScript(skipLateTimers)
  const files = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    // without the files that the landing page prefetches while idle
    if (/\.(js|css)$/.test(pathname) && request.headers()['sec-purpose'] !== 'prefetch') files.add(pathname)
  })
  await page.goto(url + path)
  await page.getByRole('heading').first().waitFor()
  await page.waitForLoadState('networkidle')
  const bytes = [...files].map((file) => gzipSync(readBuilt(file), { level: 9 }).byteLength)
  const kilobytes = bytes.reduce((sum, size) => sum + size, 0) / 1000
  console.log(`${path}: ${kilobytes.toFixed(1)} kB in ${files.size} files`)
  expect(files.size).toBeGreaterThan(0)
  expect(kilobytes).toBeLessThan(limitKilobytes)
  await context.close()
})

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)('the landing page loads one picture of less than 100 kB (%s, %i px)', async (colorScheme, width) => {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 }, javaScriptEnabled: false })
  const page = await context.newPage()
  const pictures: { path: string; bytes: Promise<number> }[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'image')
      pictures.push({ path: new URL(response.url()).pathname, bytes: response.body().then(({ byteLength }) => byteLength) })
  })
  await page.goto(url)
  await expect
    .poll(() => page.locator('picture img').evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBeTruthy()
  expect(pictures).toHaveLength(1)
  expect(pictures[0]?.path).toMatch(new RegExp(`board-${width < 768 ? 'phone-' : ''}${colorScheme}`))
  expect(await pictures[0]?.bytes).toBeLessThan(100_000)
  await context.close()
})

/** Runs in the page. Skips timers of 4 s or more: with them the application loads files that do not belong to the first visit. */
function skipLateTimers(): void {
  const { setTimeout } = globalThis
  const set = (callback: (...values: unknown[]) => void, delayMs = 0, ...values: unknown[]): unknown =>
    delayMs >= 4000 ? 0 : setTimeout(callback, delayMs, ...values)
  Object.assign(globalThis, { setTimeout: set })
}

function readBuilt(file: string): Buffer {
  for (const folder of ['out/app', 'out/public']) {
    try {
      return readFileSync(join(folder, file))
    } catch {
      // the file is in the other folder
    }
  }
  throw new Error(`${file} is not in the build`)
}
