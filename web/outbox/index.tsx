// The outbox: the screen of the mails to visitors, and to the user about bookings, submissions and webhooks.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconMailForward } from '@tabler/icons-react'
import { defineFeature, signedInRoute } from '#web/lib/routes.ts'

const page = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/outbox',
  component: lazyRouteComponent(() => import('./OutboxPage.tsx'), 'OutboxPage'),
})

export const outbox = defineFeature({
  signedInRoutes: [page],
  // not `IconMail`: it is in the chunk with the code of the lists, which the sign-in page would then load
  actions: [
    { label: 'Outbox', icon: IconMailForward, address: '/account/outbox', isPage: true, keywords: 'mail email sent failed visitors' },
  ],
})
