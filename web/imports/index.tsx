// Imports: contacts, companies, deals and tasks from files, with a check before anything is written and a history with Undo.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconUpload } from '@tabler/icons-react'
import { defineFeature, signedInRoute } from '#web/lib/routes.ts'
import { ImportSlot } from './ImportSlot.tsx'

/** The history has an address of its own, because it has the imports of all kinds. */
const history = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/crm/imports',
  component: lazyRouteComponent(() => import('./screens.ts'), 'ImportsPage'),
})

/** Shows the columns of an uploaded file, then the progress of its import, then the result. */
const show = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/crm/imports/$id',
  component: lazyRouteComponent(() => import('./screens.ts'), 'ImportPage'),
})

export const imports = defineFeature({
  signedInRoutes: [history, show],
  layer: ImportSlot,
  actions: [{ label: 'Imports', address: '/crm/imports', icon: IconUpload, isPage: true, keywords: 'import history undo csv file' }],
})
