// npm run pictures: takes the pictures of the README and of the landing page from the product with the demo records, so that they show what
// the product is today. A new installation in a temporary folder is used; its records are always the same, with dates relative to today.
import { join } from 'node:path'
import sharp from 'sharp'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../tests/journeys/browser.ts'
import { startProduct } from '../tests/product.ts'

/** The size of the page in CSS pixels. A picture has `scale` times as many pixels in each direction. */
type View = { width: number; height: number; scale?: number; colorScheme?: 'light' | 'dark' }

const root = join(import.meta.dirname, '..')
const landingPictures = join(root, 'web/public/landing/pictures')
const readmePictures = join(root, 'docs/pictures')
const readmeView: View = { width: 1280, height: 800 }
/** The size in which `web/public/landing/BoardPicture.tsx` shows the board, on a computer and on a phone. */
const wide: View = { width: 1280, height: 712, scale: 1.75 }
const narrow: View = { width: 358, height: 470, scale: 2 }

await using product = await startProduct()
const demo = product.run('scripts/demo.ts')
const [, email = '', password = ''] = /\n {2}(\S+)\n {2}(\S+)/.exec(demo.output) ?? [] // two indented lines: the email and the password
if (!email) throw new Error(`The demo records could not be added:\n${demo.output}`)
const browser = await openBrowser()
try {
  await takeReadmePictures(browser)
  for (const colorScheme of ['light', 'dark'] as const) {
    await takeBoard(browser, { ...wide, colorScheme }, `board-${colorScheme}.avif`)
    await takeBoard(browser, { ...narrow, colorScheme }, `board-phone-${colorScheme}.avif`)
  }
} finally {
  await browser.close()
}

async function takeReadmePictures(openedBrowser: Browser): Promise<void> {
  await using page = await openPage(openedBrowser, readmeView)
  await page.goto(`${product.url}/crm/contacts`)
  await page.locator('tr[data-index="12"]').waitFor() // the rows fill the screen
  await page.screenshot({ path: join(readmePictures, 'contacts.png') })
  await page.goto(`${product.url}/files`)
  await page.getByRole('link', { name: 'Samples', exact: true }).click()
  await page.getByRole('button', { name: 'Grid', exact: true }).click()
  await waitForImages(page)
  await page.screenshot({ path: join(readmePictures, 'files.png') })
}

/** Takes a picture of the board. In the wide view the sidebar is folded (Control+b), so that all stages are visible. */
async function takeBoard(openedBrowser: Browser, view: View, name: string): Promise<void> {
  await using page = await openPage(openedBrowser, view)
  await page.goto(`${product.url}/crm/deals`)
  await page.locator('[data-deal]').first().waitFor()
  if (view.width > 1000) await page.keyboard.press('Control+b')
  await page.evaluate(() => document.fonts.ready)
  const screenshot = await page.screenshot({ animations: 'disabled' })
  const { size } = await sharp(screenshot).avif({ quality: 58 }).toFile(join(landingPictures, name))
  console.log(`${name}: ${(size / 1000).toFixed(1)} kB`)
}

async function openPage(
  openedBrowser: Browser,
  { width, height, scale = 1, colorScheme = 'light' }: View,
): Promise<Page & AsyncDisposable> {
  const context = await openedBrowser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  })
  const signIn = await context.request.post(`${product.url}/api/session`, {
    data: { email, password },
    headers: { origin: product.url },
  })
  if (!signIn.ok()) throw new Error(await signIn.text())
  const page = await context.newPage()
  return Object.assign(page, { [Symbol.asyncDispose]: () => context.close() })
}

async function waitForImages(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const images = [...document.querySelectorAll<HTMLImageElement>('main img')]
    // the demo folder Samples has four pictures
    return images.length >= 4 && images.every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
  })
}
