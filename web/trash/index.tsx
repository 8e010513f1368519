// Trash: a list of the records that were deleted in the last 30 days. A record can be restored or erased for good.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { defineFeature, signedInRoute } from '#web/lib/routes.ts'
import { trashEntry } from './sidebar.ts'

const page = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/trash',
  component: lazyRouteComponent(() => import('./TrashPage.tsx'), 'TrashPage'),
})

export const trash = defineFeature({
  signedInRoutes: [page],
  sidebar: trashEntry,
})
