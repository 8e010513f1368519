import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../tests/journeys/browser.ts'
import { signIn } from '../tests/journeys/accounts.ts'
import { startProduct, type Product } from '../tests/product.ts'

/** The times between two frames, and the tasks of more than 50 ms, which block the page. */
export type Smoothness = { frames: number; p50Ms: number; p99Ms: number; longTasks: number; longestMs: number }

export type Demo = { product: Product; browser: Browser; page: Page }

/** Starts the product with this number of demo contacts and a signed-in browser. `opened` stops both when it is disposed. */
export async function openDemo(opened: AsyncDisposableStack, contacts: number): Promise<Demo> {
  const product = opened.use(await startProduct())
  const { code, output } = product.run('scripts/demo.ts', '--contacts', String(contacts))
  const [, email = '', password = ''] = /^ {2}(\S+@\S+)\n {2}(\S+)$/m.exec(output) ?? []
  if (code !== 0 || email === '') throw new Error(`The demo failed:\n${output}`)
  const browser = opened.adopt(await openBrowser(), (open) => open.close())
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await signIn(page, product.url, { name: '', email, password })
  return { product, browser, page }
}

/** Formats a line of a table: the name, then the numbers, right-aligned. */
export const row = (name: string, cells: (string | number)[]): string =>
  [name.padEnd(24), ...cells.map((cell) => String(cell).padStart(8))].join(' ')

/** Measures the page during `work`. */
export async function measureSmoothness(page: Page, work: () => Promise<unknown>): Promise<Smoothness> {
  const measured = await page.evaluateHandle(startMeasuring)
  await work()
  const { framesMs, longTasksMs } = await measured.evaluate((measuring) => measuring.stop())
  await measured.dispose()
  const sorted = framesMs.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
  return {
    frames: sorted.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    longTasks: longTasksMs.length,
    longestMs: Math.max(0, ...longTasksMs),
  }
}

/** Runs in the page. Records the frames and the long tasks until `stop` is called. */
function startMeasuring(): { stop: () => { framesMs: number[]; longTasksMs: number[] } } {
  const framesMs: number[] = []
  const longTasksMs: number[] = []
  const note = (list: PerformanceEntryList): void => void longTasksMs.push(...list.map(({ duration }) => duration))
  const observer = new PerformanceObserver((list) => note(list.getEntries()))
  observer.observe({ type: 'longtask' })
  let last: number | undefined
  let next = requestAnimationFrame(function frame(now) {
    if (last !== undefined) framesMs.push(now - last)
    last = now
    next = requestAnimationFrame(frame)
  })
  return {
    stop: () => {
      cancelAnimationFrame(next)
      note(observer.takeRecords())
      observer.disconnect()
      return { framesMs, longTasksMs }
    },
  }
}
