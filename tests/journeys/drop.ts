import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'

/** Drops files and folders of this computer on the page, as a file manager does. */
export async function dropOn(page: Page, paths: string[], { x, y } = { x: 700, y: 600 }): Promise<void> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  // the browser accepts a drop only after the page has answered an earlier dragover
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data })
  await session.detach()
}

const sessions = new WeakMap<Page, CDPSession>()

/** Limits the speed of the page's uploads in bytes per second, or cuts its connection with the speed 0. Returns the page to full speed without a number. */
export async function limitUploads(page: Page, bytesPerSecond?: number): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session) // the limits of two sessions would apply together
  const uploadThroughput = bytesPerSecond ?? -1
  const conditions = { offline: bytesPerSecond === 0, latency: 0, downloadThroughput: -1, uploadThroughput }
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', conditions)
}

/** A new temporary folder that is removed when the value is disposed of. */
export function makeFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'foyer-drop-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
