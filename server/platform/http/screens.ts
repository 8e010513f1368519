/** A screen of the application. The server answers with the application's document at `path` and below it; the browser's router shows the screen. */
export type Screen = {
  path: `/${string}`
  /** The module of the screen, which the document at exactly this path loads at once. A name that is not in the build stops the start. */
  module?: string
  /** Shown without signing in, and without the frame of the application. */
  isPublic?: boolean
}
