// npm run bench:scroll [-- --contacts N]: measures how smoothly the list of contacts scrolls in Chromium, by wheel and by fling.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { measureSmoothness, openDemo, formatRow } from './browser.ts'

const { values } = parseArgs({ options: { contacts: { type: 'string', default: '100000' } } })
/** `ticks` is the number of turns of the mouse wheel, `pixels` the distance of each. A fling is imitated by very long turns. */
const gestures = { wheel: { ticks: 200, pixels: 300 }, fling: { ticks: 80, pixels: 3000 } }
const rowSelector = 'tr[data-index]'
/** The time between two turns of the mouse wheel. */
const tickMs = 30

await using resources = new AsyncDisposableStack()
const { product, page } = await openDemo(resources, Number(values.contacts))
console.log(formatRow('', ['rows', 'reached', 'frames', 'p50 ms', 'p99 ms', 'long', 'longest']))
for (const [name, { ticks, pixels }] of Object.entries(gestures)) {
  await page.goto(`${product.url}/crm/contacts`)
  await page.locator(rowSelector).first().waitFor()
  // the first pass loads the rows, the second one finds them loaded
  for (const state of ['loading', 'loaded']) {
    await scrollToTop(page)
    const rowCounts: number[] = []
    const { frames, p50Ms, p99Ms, longTasks, longestMs } = await measureSmoothness(page, () => scroll(page, ticks, pixels, rowCounts))
    const times = [p50Ms, p99Ms].map((milliseconds) => milliseconds.toFixed(1))
    const reached = Number(await page.locator(rowSelector).last().getAttribute('data-index')) + 1
    const cells = [Math.max(...rowCounts), reached, frames, ...times, longTasks, longestMs.toFixed(0)]
    console.log(formatRow(`${name}, ${state}`, cells))
  }
}

/** Scrolls the page. Adds the number of rendered rows to `rowCounts` at every twentieth turn of the wheel. */
async function scroll(listPage: Page, ticks: number, pixels: number, rowCounts: number[]): Promise<void> {
  for (let tick = 0; tick < ticks; tick++) {
    await listPage.mouse.wheel(0, pixels)
    await sleep(tickMs)
    if (tick % 20 === 0) rowCounts.push(await listPage.locator(rowSelector).count())
  }
}

async function scrollToTop(listPage: Page): Promise<void> {
  await listPage
    .locator('[data-scroll-restoration-id]')
    .first()
    .evaluate((box) => box.scrollTo({ top: 0 }))
  await listPage.locator(`${rowSelector}[data-index="0"]`).hover() // the mouse wheel scrolls what is below the mouse
  await sleep(500) // until the rows at the top are rendered
}
