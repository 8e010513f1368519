// Dashboard: the first page after sign-in, with tiles for tasks, bookings, pipeline, new contacts, storage and activity.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { defineFeature, signedInRoute } from '#web/lib/routes.ts'
import { dashboardEntry } from './sidebar.ts'

const page = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('./DashboardPage.tsx'), 'DashboardPage'),
})

export const dashboard = defineFeature({
  signedInRoutes: [page],
  sidebar: dashboardEntry,
})
