// Assistant: conversations with an AI that reads the workspace and proposes changes, on a page and in a panel over every screen.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature, signedInRoute } from '#web/lib/routes.ts'
import { AssistantPanelSlot } from './panel/AssistantPanelSlot.tsx'
import { assistantEntry } from './sidebar.ts'

const page = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/assistant',
  // with `image=new` the page opens with the dialog that makes a picture
  validateSearch: ({ image }: Record<string, unknown>): { image?: 'new' | undefined } => (image === 'new' ? { image } : {}),
  component: lazyRouteComponent(() => import('./screens.ts'), 'AssistantPage'),
})
/**
 * Has no component, because the page of the parent route shows the conversation. So the page stays mounted and keeps its focus when a new
 * conversation gets its address.
 */
const conversation = createRoute({ getParentRoute: () => page, path: '$id' })

export const assistant = defineFeature({
  layer: AssistantPanelSlot,
  signedInRoutes: [page.addChildren([conversation])],
  sidebar: assistantEntry,
  actions: [
    { label: 'New chat', address: '/assistant', icon: assistantEntry.icon, keywords: assistantEntry.keywords },
    { label: 'Generate image', address: '/assistant?image=new', icon: assistantEntry.icon, keywords: 'ai picture draw' },
  ],
  records: [{ ...recordKinds.conversation, icon: assistantEntry.icon, addressOf: ({ id }) => `/assistant/${id}`, creationText: 'started' }],
})
