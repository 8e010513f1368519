import type { ComponentType } from 'react'
import { createRootRoute, createRoute, redirect, type AnyRoute } from '@tanstack/react-router'
import { ProblemError } from './client.ts'
import type { ActionLink } from './actions.ts'
import type { ContactTab, FirstStep, Icon, KindDisplay } from './features.ts'
import { queries } from './queries.ts'
import { sessionQuery } from './session.ts'

/** The root of all routes. The shell adds the pages for errors and unknown addresses. */
export const rootRoute = createRootRoute()

/** The parent of all routes that need a session. Loads the session; redirects to the sign-in page when there is none. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ location }): Promise<void> => {
    try {
      await queries.ensureQueryData(sessionQuery)
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.code !== 'not_signed_in') throw error
      throw redirect({ to: '/auth', search: { next: location.href }, replace: true })
    }
  },
})

export type SidebarEntry = {
  label: string
  address: string
  /** Pages below the address belong to other entries. */
  isExact?: boolean
  icon: Icon
  /** The collapsible group of the entry. The group opens when the address begins with `prefix`. */
  group?: { label: string; prefix: string }
  position?: 'bottom'
  /** Additional search words for the palette. */
  keywords?: string
  /** The shortcut that opens the page: `g-c`. */
  keys?: string
  /** Shows a number next to the label, for example the number of due tasks. */
  badge?: ComponentType
  /** True when the page has a list that reads the query parameter `search`. */
  hasSearchableList?: boolean
  /**
   * Returns true if the page with these query parameters needs so much width that the sidebar is collapsed at first. The parameter `as` is
   * the layout of the page: "list" or "board".
   */
  needsWidth?: (parameters: { as?: unknown }) => boolean
}

type Feature = {
  publicRoutes?: readonly AnyRoute[]
  signedInRoutes?: readonly AnyRoute[]
  sidebar?: SidebarEntry
  /** The record kinds of the feature. */
  records?: readonly KindDisplay[]
  firstSteps?: readonly FirstStep[]
  contactTab?: ContactTab
  /** The actions of this feature that every screen has. The shell also creates an action for each sidebar entry. */
  actions?: readonly ActionLink[]
  /** What the feature shows above the content of every signed-in page. It must load its code only when it is needed. */
  layer?: ComponentType
}

/** Defines a feature for the shell. The parent of the routes is `rootRoute` in `publicRoutes`, and `signedInRoute` in `signedInRoutes`. */
export const defineFeature = <const F extends Feature>(feature: F): F => feature
