// Lead forms: the list of forms, their editor, and the submissions of visitors.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconForms, IconMessage2 } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature, signedInRoute } from '#web/lib/routes.ts'
import { leadFormsEntry } from './sidebar.ts'

const loadList = () => import('./LeadFormsPage.tsx')

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/lead-forms',
  component: lazyRouteComponent(loadList, 'LeadFormsPage'),
})
const add = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/lead-forms/new',
  component: lazyRouteComponent(loadList, 'NewLeadFormPage'),
})
const edit = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/lead-forms/$id/edit',
  component: lazyRouteComponent(() => import('./editor/EditorPage.tsx'), 'EditorPage'),
})
const submissions = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/lead-forms/$id/submissions',
  validateSearch: ({ search, spam, open }) => ({
    ...(typeof search === 'string' && search !== '' && { search }),
    ...(spam === true && { spam }),
    ...(typeof open === 'string' && { open }),
  }),
  component: lazyRouteComponent(() => import('./submissions/SubmissionsPage.tsx'), 'SubmissionsPage'),
})

export const leadForms = defineFeature({
  signedInRoutes: [list, add, edit, submissions],
  sidebar: leadFormsEntry,
  actions: [{ label: 'Create form', icon: IconForms, address: '/lead-forms/new', keywords: 'new add lead form builder' }],
  records: [
    { ...recordKinds['lead form'], icon: IconForms, addressOf: ({ id }) => `/lead-forms/${id}/edit`, listAddress: '/lead-forms' },
    {
      ...recordKinds.submission,
      icon: IconMessage2,
      addressOf: ({ id, parent }) => (parent?.kind === 'lead form' ? `/lead-forms/${parent.id}/submissions?open=${id}` : undefined),
      creationText: 'received',
    },
  ],
})
