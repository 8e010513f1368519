import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { startProduct } from '../product.ts'
import { launchOptions } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    journeys: { url: string; browserEndpoint: string }
  }
}

/**
 * Starts one product and one browser for all journeys, and returns the function that stops them. Each file signs up its own user and opens
 * its own browser contexts.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const [product, browser] = await Promise.all([startProduct({ FOYER_TRUST_PROXY: '1' }), chromium.launchServer(launchOptions())])
  provide('journeys', { url: product.url, browserEndpoint: browser.wsEndpoint() })
  return async () => {
    await browser.close()
    await product[Symbol.asyncDispose]()
  }
}
