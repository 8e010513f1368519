import type { TestProject } from 'vitest/node'
import { startProduct } from '../product.ts'

declare module 'vitest' {
  interface ProvidedContext {
    journeys: { url: string }
  }
}

/**
 * Starts one product for all journeys, and returns the function that stops it. Each file signs up its own user and opens its own browser
 * contexts.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // the requests that create accounts have forwarded addresses, and the stand-ins of AI endpoints run on this machine
  const product = await startProduct({ FOYER_TRUST_PROXY: '1', FOYER_ALLOWED_HOSTS: '127.0.0.1' })
  provide('journeys', { url: product.url })
  return async () => product[Symbol.asyncDispose]()
}
