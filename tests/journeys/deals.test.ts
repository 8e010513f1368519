// Deals on the board, moved as people move them: by mouse and by finger. The keys are tested beside the board.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { startProduct, type Product } from '../product.ts'
import { complaints, openBrowser } from './browser.ts'
import { signIn, signUp } from './people.ts'

let browser: Browser
let product: Product
beforeAll(async () => {
  ;[browser, product] = await Promise.all([openBrowser(), startProduct()])
  await signUp(product.url)
})
afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

const cardOf = (page: Page, title: string) => page.locator('[data-deal]', { hasText: title })
const stageOf = (page: Page, title: string) => cardOf(page, title).evaluate((card) => card.closest('section')?.dataset['stage'])
const reloaded = async (page: Page, title: string) => {
  await page.reload()
  await cardOf(page, title).waitFor()
  return stageOf(page, title)
}

const addDeals = (page: Page, titles: string[]) =>
  page.evaluate(async (all) => {
    for (const title of all) {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch('/api/deals', { method: 'POST', headers, body: JSON.stringify({ title, value: 1200 }) })
      if (!response.ok) throw new Error(await response.text())
    }
  }, titles)

test('a card is dragged to another column by mouse; Undo brings it back; a click opens it', async () => {
  const page = await browser.newPage({ viewport: { width: 1600, height: 800 } })
  const said = complaints(page)
  await signIn(page, product.url)
  await addDeals(page, ['Bar refit', 'Key wall'])
  await page.goto(`${product.url}/crm/deals`)
  const card = await cardOf(page, 'Bar refit').boundingBox()
  const column = await page.locator('[data-stage="proposal"]').boundingBox()
  if (!card || !column) throw new Error('The board is not there')
  await page.mouse.move(card.x + 40, card.y + 20)
  await page.mouse.down()
  await page.mouse.move(card.x + 60, card.y + 30, { steps: 3 })
  await page.mouse.move(column.x + 80, column.y + 300, { steps: 6 })
  await page.locator('[data-stage="proposal"][data-over]').waitFor()
  await page.mouse.up()
  expect(await stageOf(page, 'Bar refit')).toBe('proposal')
  await page.getByText('Deal updated', { exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/crm/deals')
  expect(await reloaded(page, 'Bar refit')).toBe('proposal')
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: Deal updated').waitFor()
  await expect.poll(() => stageOf(page, 'Bar refit')).toBe('lead')

  await cardOf(page, 'Key wall').click()
  await page.getByRole('complementary', { name: 'Deal' }).getByRole('heading', { name: 'Key wall' }).waitFor()
  expect(said).toEqual([])
  await page.context().close()
})

test('Escape lets go of a card that is dragged', async () => {
  const page = await browser.newPage({ viewport: { width: 1600, height: 800 } })
  await signIn(page, product.url)
  await page.goto(`${product.url}/crm/deals`)
  const card = await cardOf(page, 'Key wall').boundingBox()
  if (!card) throw new Error('The card is not there')
  await page.mouse.move(card.x + 40, card.y + 20)
  await page.mouse.down()
  await page.mouse.move(card.x + 400, card.y + 60, { steps: 6 })
  await page.locator('[data-over]').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('[data-over]').count()).toBe(0)
  await page.mouse.up()
  expect(await reloaded(page, 'Key wall')).toBe('lead')
  await page.context().close()
})

test('on a phone a swipe scrolls, and a held card is carried to the next column', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 600 }, hasTouch: true, isMobile: true })
  await signIn(page, product.url)
  await addDeals(
    page,
    Array.from({ length: 12 }, (_, number) => `Shelf ${number + 1}.`),
  )
  await page.goto(`${product.url}/crm/deals`)
  const card = await cardOf(page, 'Shelf 12.').boundingBox()
  if (!card) throw new Error('The card is not there')
  const finger = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })

  await touch('touchStart', 150, card.y + 200)
  for (let step = 1; step <= 8; step++) await touch('touchMove', 150, card.y + 200 - step * 20)
  await touch('touchEnd')
  const scrolled = () => page.locator('[data-stage="lead"] ol').evaluate((list) => list.parentElement?.scrollTop ?? 0)
  await expect.poll(scrolled).toBeGreaterThan(50)
  expect(new URL(page.url()).pathname).toBe('/crm/deals')

  await page.reload()
  await cardOf(page, 'Shelf 12.').waitFor()
  await touch('touchStart', 150, card.y + 30)
  await page.locator('[data-overlay]').waitFor()
  await touch('touchMove', 384, card.y + 40)
  await page.locator('[data-stage="qualified"][data-over]').waitFor()
  await touch('touchEnd')
  await page.getByText('Deal updated', { exact: true }).waitFor()
  const stage = await stageOf(page, 'Shelf 12.')
  expect(stage).not.toBe('lead')
  expect(await reloaded(page, 'Shelf 12.')).toBe(stage)
  await page.context().close()
})
