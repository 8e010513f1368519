// Gives a page files and folders to upload, holds back parts of the upload, and cuts its connection.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { CDPSession, FileChooser, Locator, Page } from 'playwright-core'

/**
 * Drops files and folders of this computer on the page, as a file manager does. If the browser has not yet received the page's response to
 * `dragover`, it sends the event `dragleave` instead of `drop`. The browser does not report when it has received the response, so the drop
 * is repeated until the page gets the event `drop`.
 */
export async function dropOn(page: Page, paths: string[], { x, y } = { x: 700, y: 600 }): Promise<void> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const received = await page.evaluateHandle(() => {
    const counts = { dragovers: 0, leaves: 0, drops: 0 }
    window.addEventListener('dragover', () => (counts.dragovers += 1), true)
    window.addEventListener('drop', () => (counts.drops += 1), true)
    window.addEventListener('dragleave', ({ relatedTarget }) => (counts.leaves += relatedTarget === null ? 1 : 0), true)
    return counts
  })
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x, y, data: { items: [], files: paths, dragOperationsMask: 1 } })
  let counts = await received.jsonValue()
  while (counts.drops === 0) {
    const { dragovers, leaves } = counts
    await send('dragEnter')
    await expect
      .poll(async () => {
        await send('dragOver') // a busy browser joins two of these events into one, so the page may get fewer than were sent
        return (await received.jsonValue()).dragovers
      })
      .toBeGreaterThanOrEqual(dragovers + 2)
    await send('drop')
    await expect
      .poll(async () => {
        counts = await received.jsonValue()
        return counts.drops > 0 || counts.leaves > leaves
      })
      .toBe(true)
  }
  await received.dispose()
  await session.detach()
}

/** Presses a button that opens the browser's dialog for files, and chooses files in it. */
export async function chooseFiles(button: Locator, files: Parameters<FileChooser['setFiles']>[0]): Promise<void> {
  const dialog = button.page().waitForEvent('filechooser')
  await button.click()
  await (await dialog).setFiles(files)
}

/** The addresses of requests that send the bytes of a file or of a part. */
const bytesAddress = /\/api\/uploads\/(?:whole\?|[^/]+\/parts\/)/

/** Holds back the requests with bytes for which `isHeld` is true. Returns the function that sends them. */
async function holdRequests(page: Page, isHeld: (address: string) => boolean): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(bytesAddress, async (route) => {
    if (isHeld(route.request().url())) await released
    await route.fallback()
  })
  return release
}

/** Holds back the part with the number `from` (the first part has 0) and later parts of all files. Returns the function that sends them. */
export const holdParts = (page: Page, from: number): Promise<() => void> =>
  holdRequests(page, (address) => Number(address.slice(address.lastIndexOf('/') + 1)) >= from)

/** Lets the page upload `count` small files, and holds back the others. Returns the function that sends the held files. */
export const holdFilesAfter = (page: Page, count: number): Promise<() => void> => {
  let sent = 0
  return holdRequests(page, () => sent++ >= count)
}

/** Cuts the page's connection. Returns the function that connects the page again. */
export async function disconnect(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 })
  return () => session.detach() // the conditions end with the session
}

/** A new temporary folder that is removed when the value is disposed of. */
export function makeFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'foyer-drop-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
