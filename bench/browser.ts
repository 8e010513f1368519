// What the benchmarks in a browser share: the product with demo records, tables of results, and the measurement of smoothness.
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../tests/journeys/browser.ts'
import { signIn } from '../tests/journeys/accounts.ts'
import { startProduct, type Product } from '../tests/product.ts'
import { quantile } from './latency.ts'

/**
 * `p50Ms` and `p99Ms` are the median and the 99th percentile of the times between two frames. `longTasks` counts the tasks of more than
 * 50 ms; `longestMs` is the duration of the longest of them.
 */
export type Smoothness = { frames: number; p50Ms: number; p99Ms: number; longTasks: number; longestMs: number }

export type Demo = { product: Product; browser: Browser; page: Page }

/**
 * Starts the product, adds an account with this number of demo contacts, and opens a browser that is signed in to this account. The
 * product and the browser stop when `resources` is disposed.
 */
export async function openDemo(resources: AsyncDisposableStack, contacts: number): Promise<Demo> {
  const product = resources.use(await startProduct())
  const { code, output } = product.run('scripts/demo.ts', '--contacts', String(contacts))
  const [, email = '', password = ''] = /^ {2}(\S+@\S+)\n {2}(\S+)$/m.exec(output) ?? [] // two indented lines: the email and the password
  if (code !== 0 || email === '') throw new Error(`The demo failed:\n${output}`)
  const browser = resources.adopt(await openBrowser(), (adopted) => adopted.close())
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await signIn(page.request, product.url, { name: '', email, password })
  await page.goto(`${product.url}/dashboard`)
  return { product, browser, page }
}

/** Formats a line of a table: the name, then the cells aligned to the right. */
export const formatRow = (name: string, cells: (string | number)[]): string =>
  [name.padEnd(24), ...cells.map((cell) => String(cell).padStart(8))].join(' ')

/** Measures the page during `work`. */
export async function measureSmoothness(page: Page, work: () => Promise<unknown>): Promise<Smoothness> {
  const measurement = await page.evaluateHandle(startMeasuring)
  await work()
  const { frameTimesMs, longTasksMs } = await measurement.evaluate(({ stop }) => stop())
  await measurement.dispose()
  return {
    frames: frameTimesMs.length,
    p50Ms: quantile(frameTimesMs, 0.5),
    p99Ms: quantile(frameTimesMs, 0.99),
    longTasks: longTasksMs.length,
    longestMs: Math.max(0, ...longTasksMs),
  }
}

/** Runs in the page. Records the frames and the long tasks until `stop` is called. */
function startMeasuring(): { stop: () => { frameTimesMs: number[]; longTasksMs: number[] } } {
  const frameTimesMs: number[] = []
  const longTasksMs: number[] = []
  const addTasks = (list: PerformanceEntryList): void => void longTasksMs.push(...list.map(({ duration }) => duration))
  const observer = new PerformanceObserver((list) => addTasks(list.getEntries()))
  observer.observe({ type: 'longtask' })
  let lastFrame: number | undefined
  let nextFrame = requestAnimationFrame(function frame(now) {
    if (lastFrame !== undefined) frameTimesMs.push(now - lastFrame)
    lastFrame = now
    nextFrame = requestAnimationFrame(frame)
  })
  return {
    stop: () => {
      cancelAnimationFrame(nextFrame)
      addTasks(observer.takeRecords())
      observer.disconnect()
      return { frameTimesMs, longTasksMs }
    },
  }
}
