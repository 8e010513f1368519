import type { ComponentType } from 'react'
import { createRootRoute, createRoute, redirect, type AnyRoute } from '@tanstack/react-router'
import { ProblemError } from './client.ts'
import type { ActionLink, FirstStep, Icon, KnownRecord } from './features.ts'
import { queries } from './queries.ts'
import { sessionQuery } from './session.ts'

/** The branch of everybody; the shell gives it the pages for errors and for addresses that lead nowhere. */
export const rootRoute = createRootRoute()

/** The branch of signed-in people: knows who they are before it shows anything, and sends strangers to the sign-in page. */
export const signedIn = createRoute({
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
  to: string
  icon: Icon
  /** The collapsible group it stands in, and the addresses that open the group by themselves. */
  group?: { label: string; prefix: string }
  place?: 'foot'
  /** The keys that lead there: `g-c`. */
  keys?: string
  /** How many wait there: a number, or nothing. */
  badge?: ComponentType
  /** Its list takes `search` in the address. */
  searchable?: boolean
}

type Feature = {
  everybody?: readonly AnyRoute[]
  signedIn?: readonly AnyRoute[]
  sidebar?: SidebarEntry
  /** What it keeps, as the trash and the account page call it. */
  records?: readonly KnownRecord[]
  firstSteps?: readonly FirstStep[]
  /** What can be done from everywhere. Screens of the sidebar need no line here. */
  actions?: readonly ActionLink[]
}

/** What the index of a feature hands to the shell: its routes (children of `rootRoute` or of `signedIn`) its entry in the sidebar, its records, its actions. */
export const defineFeature = <const F extends Feature>(feature: F): F => feature
