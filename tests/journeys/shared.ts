// The product that all journeys share, and the browser that all test files in one process share.
import type { Browser } from 'playwright-core'
import { inject } from 'vitest'
import { openBrowser } from './browser.ts'

export const url = inject('journeys').url

let launched: Promise<Browser> | undefined

/** Returns the browser of this process, which ends with the process. Playwright also runs in this process, because its server costs time. */
export const getBrowser = (): Promise<Browser> => (launched ??= openBrowser())

/** Closes the contexts that a test file has opened in the browser. */
export async function closeContexts(): Promise<void> {
  const browser = await launched
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
}
