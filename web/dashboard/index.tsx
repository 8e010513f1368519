// Dashboard: where a signed-in person arrives; first steps in an empty workspace, then what matters today.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconLayoutDashboard } from '@tabler/icons-react'
import { defineFeature, signedIn } from '#web/lib/routes.ts'

const page = createRoute({
  getParentRoute: () => signedIn,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('./DashboardPage.tsx'), 'DashboardPage'),
})

export const dashboard = defineFeature({
  signedIn: [page],
  sidebar: { label: 'Dashboard', to: '/dashboard', icon: IconLayoutDashboard, keys: 'g-h' },
})
