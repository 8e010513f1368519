// Deals are moved on the board by mouse and by touch; moves by keyboard are tested in web/deals. The page marks a card with `data-deal`, a
// column with `data-stage`, the column below a dragged card with `data-over`, and the copy of a card at the finger with `data-overlay`.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { collectConsoleErrors } from './browser.ts'
import { signIn, signUp } from './accounts.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let session: Awaited<ReturnType<BrowserContext['storageState']>>
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  const context = await browser.newContext()
  await signIn(context.request, url)
  session = await context.storageState()
  await context.close()
})
afterAll(closeContexts)

const cardOf = (page: Page, title: string) => page.locator('[data-deal]', { hasText: title })
/** Reads the stage of the column that shows the card. */
const readStage = (page: Page, title: string) => cardOf(page, title).evaluate((card) => card.closest('section')?.dataset['stage'])
const reloadAndReadStage = async (page: Page, title: string) => {
  await page.reload()
  await cardOf(page, title).waitFor()
  return readStage(page, title)
}

/** Reads the stage of the column that is at the left edge of the screen, after the board's margin of 16 px. */
const readLeftmostStage = (page: Page) =>
  page.evaluate(() => {
    const columns = [...document.querySelectorAll<HTMLElement>('section[data-stage]')]
    return columns.find((column) => Math.abs(column.getBoundingClientRect().left - 16) < 2)?.dataset['stage']
  })

async function addDeals(page: Page, titles: string[]): Promise<void> {
  for (const title of titles) {
    const response = await page.request.post(`${url}/api/deals`, { data: { title, value: 1200 }, headers: { origin: url } })
    if (!response.ok()) throw new Error(await response.text())
  }
}

test('the mouse drags a card to another column, Ctrl+Z moves the card back, and a click opens a card', async () => {
  const page = await browser.newPage({ storageState: session, viewport: { width: 1600, height: 800 } })
  const consoleErrors = collectConsoleErrors(page)
  await addDeals(page, ['Bar refit', 'Key wall'])
  await page.goto(`${url}/crm/deals`)
  const card = await cardOf(page, 'Bar refit').boundingBox()
  const column = await page.locator('[data-stage="proposal"]').boundingBox()
  if (!card || !column) throw new Error('The board is not on the screen')
  await page.mouse.move(card.x + 40, card.y + 20)
  await page.mouse.down()
  await page.mouse.move(card.x + 60, card.y + 30, { steps: 3 })
  await page.mouse.move(column.x + 80, column.y + 300, { steps: 6 })
  await page.locator('[data-stage="proposal"][data-over]').waitFor()
  await page.mouse.up()
  await expect.poll(() => readStage(page, 'Bar refit')).toBe('proposal')
  await page.getByText('Deal updated', { exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/crm/deals')
  expect(await reloadAndReadStage(page, 'Bar refit')).toBe('proposal')
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: Deal updated').waitFor()
  await expect.poll(() => readStage(page, 'Bar refit')).toBe('lead')

  await cardOf(page, 'Key wall').click()
  await page.getByRole('complementary', { name: 'Deal' }).getByRole('heading', { name: 'Key wall' }).waitFor()
  expect(consoleErrors).toEqual([])
  await page.context().close()
})

test('Escape cancels a drag, and the card stays in its column', async () => {
  const page = await browser.newPage({ storageState: session, viewport: { width: 1600, height: 800 } })
  await page.goto(`${url}/crm/deals`)
  const card = await cardOf(page, 'Key wall').boundingBox()
  if (!card) throw new Error('The card is not on the screen')
  await page.mouse.move(card.x + 40, card.y + 20)
  await page.mouse.down()
  await page.mouse.move(card.x + 400, card.y + 60, { steps: 6 })
  await page.locator('[data-over]').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('[data-over]').count()).toBe(0)
  await page.mouse.up()
  expect(await reloadAndReadStage(page, 'Key wall')).toBe('lead')
  await page.context().close()
})

test('on a phone a swipe scrolls a column, and the board scrolls to the column on which a dragged card is dropped', async () => {
  const page = await browser.newPage({ storageState: session, viewport: { width: 390, height: 600 }, hasTouch: true, isMobile: true })
  await addDeals(
    page,
    Array.from({ length: 12 }, (_, number) => `Shelf ${number + 1}.`),
  )
  await page.goto(`${url}/crm/deals`)
  const card = await cardOf(page, 'Shelf 12.').boundingBox()
  if (!card) throw new Error('The card is not on the screen')
  const devTools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    devTools.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })

  await touch('touchStart', 150, card.y + 200)
  for (let step = 1; step <= 8; step++) await touch('touchMove', 150, card.y + 200 - step * 20)
  await touch('touchEnd')
  const readScrollTop = () => page.locator('[data-stage="lead"] ol').evaluate((list) => list.parentElement?.scrollTop ?? 0)
  await expect.poll(readScrollTop).toBeGreaterThan(50)
  expect(new URL(page.url()).pathname).toBe('/crm/deals')

  await page.reload()
  await cardOf(page, 'Shelf 12.').waitFor()
  const dragTo = async (title: string, x: number, stage: string) => {
    const { y = 0 } = (await cardOf(page, title).boundingBox()) ?? {}
    await touch('touchStart', 150, y + 30)
    await page.locator('[data-overlay]').waitFor()
    await touch('touchMove', x, y + 40)
    await page.locator(`[data-stage="${stage}"][data-over]`).waitFor()
    const saveResponse = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await touch('touchEnd')
    await saveResponse
    await page.getByText(`: “${title}”`).last().waitFor()
    return readStage(page, title)
  }
  // the card is dropped on the visible part of the next column, before the board scrolls
  expect(await dragTo('Shelf 12.', 328, 'qualified')).toBe('qualified')
  await expect.poll(() => readLeftmostStage(page)).toBe('qualified')
  // the board scrolls while the card is held at its edge
  const stage = await dragTo('Shelf 12.', 384, 'proposal')
  expect(['proposal', 'negotiation', 'closed-won', 'closed-lost']).toContain(stage)
  await expect.poll(() => readLeftmostStage(page)).toBe(stage)
  expect(await reloadAndReadStage(page, 'Shelf 12.')).toBe(stage)
  await page.context().close()
})

test('at 1280 px all six columns are visible, also beside the open sidebar; at 1100 px the columns are 186 px wide and the board scrolls', async () => {
  const page = await browser.newPage({ storageState: session, viewport: { width: 1280, height: 800 } })
  await page.goto(`${url}/crm/deals`)
  await cardOf(page, 'Key wall').waitFor()
  const board = page.locator('section[data-stage="lead"]').locator('..')
  const readHiddenWidth = () => board.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  const readColumnWidth = async () => Math.round((await page.locator('section[data-stage="lead"]').boundingBox())?.width ?? 0)
  await expect.poll(readHiddenWidth).toBe(0)
  await expect.poll(readColumnWidth).toBe(191) // px: six columns beside the collapsed sidebar
  await page.getByRole('button', { name: 'Expand sidebar' }).click()
  await expect.poll(() => page.getByRole('navigation').getByRole('link', { name: 'Contacts' }).isVisible()).toBe(true)
  await expect.poll(readHiddenWidth).toBe(0)
  await expect.poll(readColumnWidth).toBe(156) // px: six columns beside the open sidebar
  await page.request.post(`${url}/api/deals`, { data: { title: 'Nave', stage: 'closed-won', value: 1_263_600 }, headers: { origin: url } })
  await page.locator('section[data-stage="closed-won"] > header').getByText('£1,263,600').waitFor()
  const headerHeights = await page
    .locator('section[data-stage] > header')
    .evaluateAll((headers) => headers.map(({ clientHeight }) => clientHeight))
  expect(new Set(headerHeights).size).toBe(1)
  await page.setViewportSize({ width: 1100, height: 800 })
  await expect.poll(readColumnWidth).toBe(186)
  await expect.poll(readHiddenWidth).toBeGreaterThan(0)
  await page.context().close()
})

test('the stage can be selected in the panel with the keyboard, and Undo reverts it', async () => {
  const page = await browser.newPage({ storageState: session, viewport: { width: 1280, height: 800 } })
  await page.goto(`${url}/crm/deals`)
  await cardOf(page, 'Key wall').click()
  const stage = page.getByRole('complementary', { name: 'Deal' }).getByRole('button', { name: /^Stage:/ })
  await stage.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'Lead' }).and(page.locator(':focus')).waitFor()
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  await page.getByText('Moved to Proposal: “Key wall”', { exact: true }).waitFor()
  await expect.poll(() => readStage(page, 'Key wall')).toBe('proposal')
  await expect.poll(() => stage.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => readStage(page, 'Key wall')).toBe('lead')
  await page.context().close()
})
