// Measurements of the deal board in Chromium. In the page, `[data-stage]` is a column of the board and `[data-deal]` a card.
import type { Browser, BrowserContext, Page } from 'playwright-core'

/** The cookies of a signed-in browser. */
type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/**
 * An event of Chromium's trace. `pid` and `tid` are the ids of its process and thread; `tdur` is the CPU time of the event in microseconds.
 */
type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }

/** The screen counts as up to date when it has not requested deals for this time. */
const quietMs = 1500

/**
 * Opens the board with an empty cache. Returns the time in ms between the end of the first response with deals, which may be the document,
 * and the paint of the first card.
 */
export async function measureFirstCardMs(browser: Browser, url: string, storageState: StorageState): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, storageState })
  await page.addInitScript(markFirstCard)
  await page.goto(url)
  const durationMs = await page.evaluate(timeFirstCard)
  await page.close()
  return durationMs
}

/** Resolves when the page has not fetched deals for `quietMs`. */
export async function waitUntilDealsLoaded(page: Page): Promise<void> {
  /** Waits for the end of a request for deals. Returns false when there was none for `quietMs`. */
  const waitForRequest = (): Promise<boolean> =>
    page
      .waitForEvent('requestfinished', { predicate: (request) => request.url().includes('/api/deals'), timeout: quietMs })
      .then(() => true)
      .catch(() => false)
  while (await waitForRequest()) continue
}

/**
 * Runs `work` and adds `cpuMs` to its result: the CPU time in ms of the longest task on the main thread of any page. The time in which the
 * task waited for a core is not included.
 */
export async function measureLongestTask<Result>(browser: Browser, work: () => Promise<Result>): Promise<Result & { cpuMs: number }> {
  await browser.startTracing(undefined, { categories: ['disabled-by-default-devtools.timeline'] })
  const result = await work()
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(String(await browser.stopTracing()))
  const isMainThreadName = ({ name, args }: TraceEvent): boolean => name === 'thread_name' && args.name === 'CrRendererMain'
  const mainThreads = new Set(traceEvents.filter(isMainThreadName).map(threadOf))
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && mainThreads.has(threadOf(event)))
  return { ...result, cpuMs: tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0) }
}

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`

/** Runs in the page. `stop` returns the largest number of cards that a column had since `watchCards` was called. */
export function watchCards(): { stop: () => number } {
  let maxCards = 0
  const countCards = (): void => {
    for (const column of document.querySelectorAll('[data-stage]'))
      maxCards = Math.max(maxCards, column.querySelectorAll('[data-deal]').length)
  }
  const observer = new MutationObserver(countCards)
  observer.observe(document, { childList: true, subtree: true })
  countCards()
  return {
    stop: () => {
      observer.disconnect()
      return maxCards
    },
  }
}

/** Runs in the page before its scripts. Marks the time at which the frame with the first card is painted. */
function markFirstCard(): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('[data-deal]')) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => performance.mark('first card'))) // the timer runs after the frame is painted
  })
  observer.observe(document, { childList: true, subtree: true })
}

/**
 * Runs in the page. Returns the ms from the first response with deals to the mark that `markFirstCard` sets. The document contains the
 * deals if no other response came before the mark.
 */
function timeFirstCard(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const observer = new PerformanceObserver((list) => {
    const [mark] = list.getEntriesByName('first card')
    if (!mark) return
    observer.disconnect()
    const responseEnds = performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname === '/api/deals')
      .map(({ startTime, duration }) => startTime + duration)
      .filter((end) => end < mark.startTime)
    const [navigation] = performance.getEntriesByType('navigation')
    resolve(
      mark.startTime -
        Math.min(
          ...responseEnds,
          navigation instanceof PerformanceNavigationTiming && responseEnds.length === 0 ? navigation.responseEnd : Infinity,
        ),
    )
  })
  observer.observe({ type: 'mark', buffered: true })
  return promise
}
