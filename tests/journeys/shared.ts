// The product and the browser that all journeys share.
import { chromium, type Browser } from 'playwright-core'
import { inject } from 'vitest'

export const url = inject('journeys').url

/** Connects to the shared browser. Closing the connection closes only the contexts that were opened through it. */
export const connectToBrowser = (): Promise<Browser> => chromium.connect(inject('journeys').browserEndpoint)
