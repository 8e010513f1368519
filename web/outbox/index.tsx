// The outbox: the screen of the mails that Foyer sends to and about visitors.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconMail } from '@tabler/icons-react'
import { defineFeature, signedInRoute } from '#web/lib/routes.ts'

const page = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/outbox',
  component: lazyRouteComponent(() => import('./OutboxPage.tsx'), 'OutboxPage'),
})

export const outbox = defineFeature({
  signedInRoutes: [page],
  actions: [{ label: 'Outbox', icon: IconMail, address: '/account/outbox', isPage: true, keywords: 'mail email sent failed visitors' }],
})
