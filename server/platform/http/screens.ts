/**
 * A screen of the application. The server sends the application's document at `path` and below it; the router in the browser shows the
 * screen.
 */
export type Screen = {
  path: `/${string}`
  /** The module of the screen. The document at exactly `path` preloads it. The server does not start if the build does not contain it. */
  module?: string
  /** The screen needs no session, and is shown without the frame of the application. */
  isPublic?: boolean
}
