import type { ReactNode } from 'react'

/**
 * What a screen shows before the application has started. The server renders it, so its module may import only what can run on the server
 * and what is small.
 */
export type ScreenSkeleton = {
  path: `/${string}`
  /** The addresses below `path` show this screen too, for example with a panel beside it. */
  includesSubpaths?: boolean
  title: string
  /** The labels of the tabs below the title. The first one looks selected. */
  tabs?: readonly string[]
  /** The label of the search field. Without it, the screen has no toolbar. */
  searchLabel?: string
  /** Placeholders for the content below the toolbar. */
  content: ReactNode
  /** The CSS of `content`. */
  styles?: string
  /** The addresses of the API that the screen requests first when it is opened at exactly `path`. */
  firstRequests?: () => string[]
}
