// Dashboard: the first page after sign-in, with tiles for tasks, pipeline, new contacts and activity.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconLayoutDashboard } from '@tabler/icons-react'
import { defineFeature, signedInRoute } from '#web/lib/routes.ts'

const page = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('./DashboardPage.tsx'), 'DashboardPage'),
})

export const dashboard = defineFeature({
  signedInRoutes: [page],
  sidebar: { label: 'Dashboard', address: '/dashboard', icon: IconLayoutDashboard, keys: 'g-h' },
})
