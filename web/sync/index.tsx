// Sync: the screen of the connections to other CRMs, from which contacts are copied.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { defineFeature, signedInRoute } from '#web/lib/routes.ts'
import { crmSettingsEntry } from './sidebar.ts'

const page = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/crm',
  component: lazyRouteComponent(() => import('./CrmPage.tsx'), 'CrmPage'),
})

export const sync = defineFeature({
  signedInRoutes: [page],
  sidebar: crmSettingsEntry,
})
