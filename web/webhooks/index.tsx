// Webhooks: the screens of the endpoints to which changes are sent, and of the log of deliveries.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconKey } from '@tabler/icons-react'
import { defineFeature, signedInRoute } from '#web/lib/routes.ts'

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/api-keys/webhooks',
  component: lazyRouteComponent(() => import('./WebhooksPage.tsx'), 'WebhooksPage'),
})
const endpoint = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/api-keys/webhooks/$id',
  component: lazyRouteComponent(() => import('./WebhookPage.tsx'), 'WebhookPage'),
})

export const webhooks = defineFeature({
  signedInRoutes: [list, endpoint],
  actions: [{ label: 'Webhooks', icon: IconKey, address: '/api-keys/webhooks', isPage: true, keywords: 'endpoint deliveries integration' }],
})
