// npm run bench:scroll [-- --contacts N]: measures how smoothly the list of contacts scrolls in Chromium, by wheel and by fling.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { measureSmoothness, openDemo, row } from './browser.ts'

const { values } = parseArgs({ options: { contacts: { type: 'string', default: '100000' } } })
const gestures = { wheel: { ticks: 200, pixels: 300 }, fling: { ticks: 80, pixels: 3000 } }
const drawnRow = 'tr[data-index]'
const tickMs = 30

await using opened = new AsyncDisposableStack()
const { product, page } = await openDemo(opened, Number(values.contacts))
console.log(row('', ['drawn', 'reached', 'frames', 'p50 ms', 'p99 ms', 'long', 'longest']))
for (const [name, { ticks, pixels }] of Object.entries(gestures)) {
  await page.goto(`${product.url}/crm/contacts`)
  await page.locator(drawnRow).first().waitFor()
  for (const loaded of [false, true]) {
    await toTop(page)
    const rows: number[] = []
    const { frames, p50Ms, p99Ms, longTasks, longestMs } = await measureSmoothness(page, () => scroll(page, ticks, pixels, rows))
    const times = [p50Ms, p99Ms].map((milliseconds) => milliseconds.toFixed(1))
    const reached = Number(await page.locator(drawnRow).last().getAttribute('data-index')) + 1
    const cells = [Math.max(...rows), reached, frames, ...times, longTasks, longestMs.toFixed(0)]
    console.log(row(`${name}, ${loaded ? 'loaded' : 'loading'}`, cells))
  }
}

/** Scrolls the page and counts the rendered rows at every twentieth tick. */
async function scroll(on: Page, ticks: number, pixels: number, rows: number[]): Promise<void> {
  for (let tick = 0; tick < ticks; tick++) {
    await on.mouse.wheel(0, pixels)
    await sleep(tickMs)
    if (tick % 20 === 0) rows.push(await on.locator(drawnRow).count())
  }
}

async function toTop(on: Page): Promise<void> {
  await on
    .locator('[data-scroll-restoration-id]')
    .first()
    .evaluate((box) => box.scrollTo({ top: 0 }))
  await on.locator(`${drawnRow}[data-index="0"]`).hover()
  await sleep(500) // until the rows at the top are rendered
}
