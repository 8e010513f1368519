import { chromium, type Browser, type Page } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.ts'

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: findChromium() ?? 'chromium', args: quiet })

/** Every complaint of the page, the refusals of the content security policy included. */
export function complaints(page: Page): string[] {
  const said: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) said.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => said.push(String(error)))
  return said
}
