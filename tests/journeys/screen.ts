import type { Page } from 'playwright-core'

/** A screen that a test opens. */
export type Screen = {
  path: () => string
  /** Waits until the screen shows its content. */
  waitForContent: (page: Page) => Promise<unknown>
  /** Whether the screen is for visitors who are not signed in. */
  isPublic?: boolean
  /** Whether `waitForContent` opens a popover or a dialog, which would stay open over the next screen. */
  opensOverlay?: boolean
}
