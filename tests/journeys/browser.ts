import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core'
import { findChromium, findHeadlessShell } from '../../scripts/chromium.ts'

/** Chromium's command line: works without a sandbox and a GPU, and sends no requests of its own, so that journeys see only the product. */
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: findHeadlessShell() ?? 'chromium', args: switches })

/**
 * Opens a browser in which a setting of Chromium, which the headless shell does not have, blocks cookies and all other storage of websites.
 * The folder of its profile is deleted when it is closed.
 */
export async function openBrowserWithoutStorage(): Promise<BrowserContext> {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-browser-'))
  mkdirSync(join(folder, 'Default'))
  writeFileSync(join(folder, 'Default/Preferences'), JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }))
  const options = { executablePath: findChromium() ?? 'chromium', args: switches, viewport: { width: 1280, height: 900 } }
  const context = await chromium.launchPersistentContext(folder, options)
  // Chromium may still write files while it ends
  context.on('close', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return context
}

/** Collects all errors and warnings of the page's console, including violations of the content security policy. */
export function collectConsoleErrors(page: Page): string[] {
  const messages: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) messages.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => messages.push(String(error)))
  return messages
}

/** Presses Tab (or Shift+Tab) until the element has the focus. Fails after 100 presses. */
export async function tabTo(page: Page, element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await element.waitFor()
  for (let presses = 0; presses < 100; presses += 1) {
    if (await element.evaluate((node) => node === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`100 presses of ${key} do not reach ${String(element)}`)
}
