// API keys: the screen where the user creates and deletes the keys with which other programs call the API.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconKey } from '@tabler/icons-react'
import { defineFeature, signedInRoute } from '#web/lib/routes.ts'
import { apiKeysEntry } from './sidebar.ts'

const page = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('./ApiKeysPage.tsx'), 'ApiKeysPage'),
})

export const apiKeys = defineFeature({
  signedInRoutes: [page],
  sidebar: apiKeysEntry,
  actions: [{ label: 'Create API key', icon: IconKey, address: '/api-keys#create', keywords: 'new add token' }],
})
