import type { CDPSession, Page } from 'playwright-core'

/** A slow mobile network. `latency` is in ms, the throughputs are in bytes per second. */
const conditions = { offline: false, latency: 400, downloadThroughput: 50 * 1024, uploadThroughput: 50 * 1024 }

/** `secondsToEpoch` is added to a time of the browser's clock to get the time since 1970. */
type RecordedRequest = { path: string; secondsToEpoch: number; receivedBytes: number; finishedEpochMs: number }

export type FirstPaint = {
  /** The time from the start of the navigation until the browser showed something. */
  frameMs: number
  /** The time from the start of the navigation until the first row was shown. */
  rowMs: number
  /** The sum of the layout shifts until a second after the first row. 0 is best. */
  layoutShift: number
  /** The requests whose responses were complete before the first row was shown, with the bytes of each response that came over the network. */
  requests: readonly Pick<RecordedRequest, 'path' | 'receivedBytes'>[]
}

/** Opens a page as over a slow network, and measures when its frame and its first row are shown. */
export async function measureFirstPaint(page: Page, address: string, rowSelector = 'tr[data-index]'): Promise<FirstPaint> {
  const session = await page.context().newCDPSession(page)
  const requests = await recordRequests(session)
  await session.send('Network.emulateNetworkConditions', conditions)
  await page.addInitScript(observePaint, rowSelector)
  await page.goto(address, { waitUntil: 'commit', timeout: 60_000 })
  await page.waitForFunction(() => 'rowMs' in globalThis, undefined, { timeout: 60_000 })
  await page.waitForTimeout(1000)
  const paint = await page.evaluate(readPaint)
  await session.detach()
  const rowEpochMs = paint.timeOrigin + paint.rowMs
  return { ...paint, requests: [...requests.values()].filter(({ finishedEpochMs }) => finishedEpochMs < rowEpochMs) }
}

async function recordRequests(session: CDPSession): Promise<ReadonlyMap<string, RecordedRequest>> {
  const requests = new Map<string, RecordedRequest>()
  session.on('Network.requestWillBeSent', ({ requestId, request, wallTime, timestamp }) => {
    const { pathname, search, protocol } = new URL(request.url)
    if (!protocol.startsWith('http')) return
    requests.set(requestId, { path: pathname + search, secondsToEpoch: wallTime - timestamp, receivedBytes: 0, finishedEpochMs: Infinity })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const request = requests.get(requestId)
    if (!request) return
    request.receivedBytes = encodedDataLength
    request.finishedEpochMs = (request.secondsToEpoch + timestamp) * 1000
  })
  await session.send('Network.enable')
  return requests
}

/** Runs in the page before its scripts. Stores the time of the first row and the layout shifts as global variables. */
function observePaint(rowSelector: string): void {
  let layoutShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if ('value' in entry && typeof entry.value === 'number') layoutShift += entry.value
    Object.assign(globalThis, { layoutShift })
  }).observe({ type: 'layout-shift', buffered: true })
  const observer = new MutationObserver(() => {
    if (!document.querySelector(rowSelector)) return
    observer.disconnect()
    requestAnimationFrame(() => Object.assign(globalThis, { rowMs: performance.now() }))
  })
  observer.observe(document, { childList: true, subtree: true })
}

function readPaint(): { frameMs: number; rowMs: number; layoutShift: number; timeOrigin: number } {
  const readGlobal = (name: string): number => Number(Reflect.get(globalThis, name) ?? 0)
  const frameMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity
  return { frameMs, rowMs: readGlobal('rowMs'), layoutShift: readGlobal('layoutShift'), timeOrigin: performance.timeOrigin }
}
