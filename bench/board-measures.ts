import type { Browser, BrowserContext, Page } from 'playwright-core'

/** The cookies of a signed-in browser. */
type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** An event of Chromium's trace; times in microseconds. */
type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }

/** After this time without a request for deals the screen is up to date. */
const quietMs = 1500

/** Opens the board with an empty cache. Returns the ms from the end of the first response with deals until the first card is painted. */
export async function msToFirstCard(browser: Browser, url: string, storageState: StorageState): Promise<number> {
  const visit = await browser.newPage({ viewport: { width: 1280, height: 800 }, storageState })
  await visit.addInitScript(markFirstCard)
  await visit.goto(url)
  const took = await visit.evaluate(timeFirstCard)
  await visit.close()
  return took
}

/** Resolves when no more deals are fetched. */
export async function waitForReads(page: Page): Promise<void> {
  const reads = (): Promise<boolean> =>
    page
      .waitForEvent('requestfinished', { predicate: (request) => request.url().includes('/api/deals'), timeout: quietMs })
      .then(() => true)
      .catch(() => false)
  while (await reads()) continue
}

/** Adds to the result of `work` the CPU time of the longest task of all pages during it, in ms. Time spent waiting for a core is not in it. */
export async function withLongestTask<Found>(browser: Browser, work: () => Promise<Found>): Promise<Found & { onCoreMs: number }> {
  await browser.startTracing(undefined, { categories: ['disabled-by-default-devtools.timeline'] })
  const found = await work()
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(String(await browser.stopTracing()))
  const mains = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf)
  const pages = new Set(mains)
  const tasks = traceEvents.filter((noted) => noted.name === 'RunTask' && pages.has(threadOf(noted)))
  return { ...found, onCoreMs: tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0) }
}

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`

/** Runs in the page: watches the largest number of cards in a column. */
export function watchCards(): { stop: () => number } {
  let most = 0
  const look = (): void => {
    for (const column of document.querySelectorAll('[data-stage]')) most = Math.max(most, column.querySelectorAll('[data-deal]').length)
  }
  const observer = new MutationObserver(look)
  observer.observe(document, { childList: true, subtree: true })
  look()
  return {
    stop: () => {
      observer.disconnect()
      return most
    },
  }
}

/** Runs in the page before its scripts: marks the time at which the frame with the first card is painted. */
function markFirstCard(): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('[data-deal]')) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => performance.mark('first card')))
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** Runs in the page. */
function timeFirstCard(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const observer = new PerformanceObserver((list) => {
    const [mark] = list.getEntriesByName('first card')
    if (!mark) return
    observer.disconnect()
    const answers = performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname === '/api/deals')
    resolve(mark.startTime - Math.min(...answers.map(({ startTime, duration }) => startTime + duration)))
  })
  observer.observe({ type: 'mark', buffered: true })
  return promise
}
