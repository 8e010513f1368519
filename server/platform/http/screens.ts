/** A screen of the application. The server sends the application's document at `path` and below it; the router in the browser shows the screen. */
export type Screen = {
  path: `/${string}`
  /** The module of the screen, which the document at exactly this path preloads. The server does not start if it is missing in the build. */
  module?: string
  /** Shown without signing in, and without the frame of the application. */
  isPublic?: boolean
}
