// Contacts: the people a business knows, as a list, a page for each, and the form that adds and edits them.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconUserPlus, IconUsers } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature, signedIn } from '#web/lib/routes.ts'
import { readListAddress } from '#web/records/address/listSearch.ts'
import { readNewContact } from './newContact.ts'
import { readTab } from './tabs.ts'

const list = createRoute({
  getParentRoute: () => signedIn,
  path: '/crm/contacts',
  validateSearch: readListAddress,
  component: lazyRouteComponent(() => import('./ContactsPage.tsx'), 'ContactsPage'),
})

const add = createRoute({
  getParentRoute: () => signedIn,
  path: '/crm/contacts/new',
  validateSearch: readNewContact,
  component: lazyRouteComponent(() => import('./NewContactPage.tsx'), 'NewContactPage'),
})

const edit = createRoute({
  getParentRoute: () => signedIn,
  path: '/crm/contacts/edit/$id',
  component: lazyRouteComponent(() => import('./EditContactPage.tsx'), 'EditContactPage'),
})

const show = createRoute({
  getParentRoute: () => signedIn,
  path: '/crm/contacts/$id',
  validateSearch: readTab,
  component: lazyRouteComponent(() => import('./ContactPage.tsx'), 'ContactPage'),
})

export const contacts = defineFeature({
  signedIn: [list, add, edit, show],
  sidebar: {
    label: 'Contacts',
    to: '/crm/contacts',
    icon: IconUsers,
    group: { label: 'CRM', prefix: '/crm' },
    keys: 'g-c',
    searchable: true,
  },
  actions: [{ label: 'Add contact', icon: IconUserPlus, to: '/crm/contacts/new', searchParam: 'name' }],
  records: [{ ...recordKinds.contact, icon: IconUsers, shape: 'round', addressOf: ({ id }) => `/crm/contacts/${id}` }],
  firstSteps: [
    {
      icon: IconUserPlus,
      title: 'Add your first contact',
      words: 'Somebody you do business with.',
      action: 'Add contact',
      to: '/crm/contacts/new',
    },
  ],
})
