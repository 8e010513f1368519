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
  // not `IconMail`, which would load the code of all lists on the sign-in page
  actions: [
    { label: 'Outbox', icon: IconMailForward, address: '/account/outbox', isPage: true, keywords: 'mail email sent failed visitors' },
  ],
})
