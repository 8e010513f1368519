// The product and the browser that all journeys share.
import { chromium, type Browser } from 'playwright-core'
import { inject } from 'vitest'

export const url = inject('journeys').url

/** Closing it closes the contexts that were opened through it, and not the browser of the other files. */
export const connectToBrowser = (): Promise<Browser> => chromium.connect(inject('journeys').browserEndpoint)
