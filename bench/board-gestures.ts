// The gestures of `npm run bench:board` on the deal board. The board has one column for each stage, and each card in it is a deal.
// The page marks its elements with attributes: `data-stage` is a column, `data-deal` a card, `data-over` the column that is the drop target,
// `data-lifted` the card that the keyboard moves, and `data-overlay` the copy of the card below the mouse or finger.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { stages, type Stage } from '#contract/stages.ts'

type Point = { x: number; y: number }

/** The time between two turns of the mouse wheel. */
const tickMs = 30
/** Scrolling to the end of a column fails after this number of turns of the wheel. */
const maxTicks = 5000
/** A card that is dragged within this distance of the left or right edge of the board scrolls the board sideways. */
const edgePx = 20

/** Drags a card of the column Lead over all columns to the last one, scrolls that column, and drops the card on the column Proposal. */
export async function dragByMouse(page: Page): Promise<void> {
  const { x, y } = await findVisibleCard(page, 'lead')
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (const stage of stages) await moveOver(page, stage)
  await scrollWithHeldCard(page, 'closed-lost')
  await moveOver(page, 'proposal')
  await dropAndCheck(page, 'proposal', () => page.mouse.up())
}

/** Moves the first card of the column Lead over all columns to the last one, and drops it on the column Negotiation. */
export async function dragByKeyboard(page: Page): Promise<void> {
  const lead = page.locator('[data-stage="lead"]')
  await lead.locator('[data-deal]').last().focus()
  await page.keyboard.press('Home')
  await lead.locator('[aria-posinset="1"] > :focus').waitFor() // aria-posinset is the position in the column: the first card has the focus
  await page.keyboard.press('Space')
  for (const stage of stages.slice(1)) await moveTo(page, 'ArrowRight', stage)
  await moveTo(page, 'ArrowLeft', 'closed-won')
  await moveTo(page, 'ArrowLeft', 'negotiation')
  await dropAndCheck(page, 'negotiation', () => page.keyboard.press('Space'))
}

/** Drags a card of the column Lead to the right edge of the screen, and drops it when the board has scrolled to the column Proposal. */
export async function dragByTouch(page: Page): Promise<void> {
  const touchscreen = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    touchscreen.send('Input.dispatchTouchEvent', { type, touchPoints })
  const { x, y } = await findVisibleCard(page, 'lead')
  await touch('touchStart', { x, y })
  await page.locator('[data-overlay]').waitFor()
  const edge = (page.viewportSize()?.width ?? 0) - edgePx / 2
  for (let touchX = x; touchX < edge; touchX += 8) await touch('touchMove', { x: touchX, y })
  await page.locator('[data-stage="proposal"][data-over]').waitFor()
  await dropAndCheck(page, 'proposal', () => touch('touchEnd'))
}

/** Scrolls every column down to its last deal. */
export async function scrollToEnds(page: Page): Promise<void> {
  for (const stage of stages) {
    const column = page.locator(`[data-stage="${stage}"]`)
    await column.hover({ position: { x: 80, y: 300 } })
    const last = column.locator('li').last()
    const deals = await readDealCount(page, stage)
    for (let tick = 0; Number(await last.getAttribute('aria-posinset')) < deals; tick++) {
      if (tick > maxTicks) throw new Error(`The end of ${stage} is not reached`)
      await page.mouse.wheel(0, 6000)
      await sleep(tickMs)
    }
  }
}

/** Returns the number of deals in a column. Its label, such as "Lead, 120 deals", has a comma as soon as the number is known. */
export async function readDealCount(page: Page, stage: Stage): Promise<number> {
  const column = page.locator(`[data-stage="${stage}"][aria-label*=","]`)
  return Number((await column.getAttribute('aria-label'))?.replaceAll(/\D/g, '')) // keeps only the digits
}

/**
 * Moves the mouse to the middle of a column, and waits until the column is the drop target. If the column is outside of the visible board,
 * moves the mouse to the edge of the board instead, so that the board scrolls to the column.
 */
async function moveOver(page: Page, stage: Stage): Promise<void> {
  const column = page.locator(`[data-stage="${stage}"]`)
  const board = await page.locator('[data-stage]').first().locator('..').boundingBox()
  const box = await column.boundingBox()
  if (!box || !board) throw new Error(`There is no column ${stage}`)
  const x = Math.min(Math.max(box.x + box.width / 2, board.x + edgePx), board.x + board.width - edgePx)
  await page.mouse.move(x, box.y + box.height / 2, { steps: 20 })
  await page.locator(`[data-stage="${stage}"][data-over]`).waitFor()
}

/** Scrolls a column down with the wheel and then half of the way up, while a card is held. */
async function scrollWithHeldCard(page: Page, stage: Stage): Promise<void> {
  const first = page.locator(`[data-stage="${stage}"] li`).first()
  const before = await first.getAttribute('data-index')
  for (let tick = 0; tick < 30; tick++) {
    await page.mouse.wheel(0, tick < 20 ? 300 : -300)
    await sleep(tickMs)
  }
  if ((await first.getAttribute('data-index')) === before) throw new Error(`${stage} does not scroll while a card is held`)
}

/** Presses an arrow key, and waits until the lifted card is in the column. */
async function moveTo(page: Page, key: string, stage: Stage): Promise<void> {
  await page.keyboard.press(key)
  await page.locator(`[data-stage="${stage}"] [data-lifted]:focus`).waitFor()
}

/** Drops the card, and throws unless the server has the deal in this stage. */
async function dropAndCheck(page: Page, stage: Stage, drop: () => Promise<unknown>): Promise<void> {
  const [patchResponse] = await Promise.all([page.waitForResponse((response) => response.request().method() === 'PATCH'), drop()])
  const deal: { stage?: string } = await patchResponse.json()
  if (deal.stage !== stage) throw new Error(`The deal is not in ${stage}: ${JSON.stringify(deal)}`)
}

/** Returns the centre of a card that is near the middle of its column. */
async function findVisibleCard(page: Page, stage: Stage): Promise<Point> {
  const column = page.locator(`[data-stage="${stage}"]`)
  await column.scrollIntoViewIfNeeded()
  const centre = await column.locator('[data-deal]').evaluateAll((cards) => {
    const boxes = cards.map((card) => card.getBoundingClientRect())
    const box = boxes.find(({ top, bottom }) => top > 250 && bottom < innerHeight - 100) // below the column's head, above the screen's end
    return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  })
  if (!centre) throw new Error(`No card of ${stage} is visible`)
  return centre
}
