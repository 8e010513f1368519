import type { Browser, BrowserContext, Page } from 'playwright-core'

/** Who is signed in. */
type State = Awaited<ReturnType<BrowserContext['storageState']>>

/** What the browser notes of its threads while it is traced; times in microseconds. */
type Noted = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }

/** So long nothing of the deals was read any more: what is on the screen is new. */
const quietMs = 1500

/** Opens the board with nothing in the cache: ms from the end of the first answer with deals until the first card is painted. */
export async function msToFirstCard(browser: Browser, url: string, storageState: State): Promise<number> {
  const visit = await browser.newPage({ viewport: { width: 1280, height: 800 }, storageState })
  await visit.addInitScript(markFirstCard)
  await visit.goto(url)
  const took = await visit.evaluate(timeFirstCard)
  await visit.close()
  return took
}

/** Resolves when what a change made old is read anew. */
export async function untilRead(page: Page): Promise<void> {
  const reads = (): Promise<boolean> =>
    page
      .waitForEvent('requestfinished', { predicate: (request) => request.url().includes('/api/deals'), timeout: quietMs })
      .then(() => true)
      .catch(() => false)
  while (await reads()) continue
}

/** What `work` finds, and the longest task of all pages while it goes on, in ms on a core: nothing else that the machine does is in it. */
export async function withLongestTask<Found>(browser: Browser, work: () => Promise<Found>): Promise<Found & { onCoreMs: number }> {
  await browser.startTracing(undefined, { categories: ['disabled-by-default-devtools.timeline'] })
  const found = await work()
  const { traceEvents }: { traceEvents: Noted[] } = JSON.parse(String(await browser.stopTracing()))
  const mains = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf)
  const pages = new Set(mains)
  const tasks = traceEvents.filter((noted) => noted.name === 'RunTask' && pages.has(threadOf(noted)))
  return { ...found, onCoreMs: tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0) }
}

const threadOf = ({ pid, tid }: Noted): string => `${pid} ${tid}`

/** Runs in the page: the most cards that a column holds from now on, until it is asked. */
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

/** Runs in the page before anything else: marks when the frame with the first card is out. */
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
