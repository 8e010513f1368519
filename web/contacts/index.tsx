// Contacts: the people that a business knows, with a list, a page for each contact, and a page with the form.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconArrowMerge, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { featureRegistry } from '#web/lib/features.ts'
import { defineFeature, signedInRoute } from '#web/lib/routes.ts'
import { parseListParameters } from '#web/records/address/listSettings.ts'
import { parseNewContact } from './newContact.ts'
import { contactsEntry } from './sidebar.ts'

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/crm/contacts',
  validateSearch: parseListParameters,
  component: lazyRouteComponent(() => import('./ContactsPage.tsx'), 'ContactsPage'),
})

const add = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/crm/contacts/new',
  validateSearch: parseNewContact,
  component: lazyRouteComponent(() => import('./ContactForm.tsx'), 'AddContactPage'),
})

const duplicates = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/crm/contacts/duplicates',
  validateSearch: parsePair,
  component: lazyRouteComponent(() => import('./duplicates/DuplicatesPage.tsx'), 'DuplicatesPage'),
})

const edit = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/crm/contacts/edit/$id',
  component: lazyRouteComponent(() => import('./ContactForm.tsx'), 'EditContactPage'),
})

const show = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/crm/contacts/$id',
  validateSearch: parseTab,
  loader: loadTabs,
  component: lazyRouteComponent(() => import('./ContactPage.tsx'), 'ContactPage'),
})

/** Parses the ids of the two contacts that are compared. Without both of them, the first pair is shown. */
function parsePair({ contact, other }: Record<string, unknown>): { contact?: string; other?: string } {
  return typeof contact === 'string' && typeof other === 'string' ? { contact, other } : {}
}

/** Parses the query parameter `tab`. The first tab is open by default, so its name is left out. */
function parseTab({ tab }: Record<string, unknown>): { tab?: string | undefined } {
  const otherTabs = featureRegistry.get().contactTabs.slice(1)
  const name = otherTabs.find((otherTab) => otherTab.name === tab)?.name
  return name ? { tab: name } : {}
}

/** Loads the code of the tabs at the same time as the page, so that the page appears with its tabs. */
async function loadTabs(): Promise<void> {
  const components = featureRegistry.get().contactTabs.flatMap(({ Tab, Count, Frame }) => [Tab, Count, ...(Frame ? [Frame] : [])])
  await Promise.all(components.map(async ({ preload }) => preload?.()))
}

export const contacts = defineFeature({
  signedInRoutes: [list, add, duplicates, edit, show],
  sidebar: contactsEntry,
  actions: [
    {
      label: 'Add contact',
      icon: IconUserPlus,
      address: '/crm/contacts/new',
      paletteTextParameter: 'name', // the URL parameter that gets the text typed into the command palette
      keywords: 'new contact create add person customer',
    },
    {
      label: 'Find duplicates',
      icon: IconArrowMerge,
      address: '/crm/contacts/duplicates',
      isPage: true,
      keywords: 'merge contacts double same person clean up',
    },
  ],
  records: [
    {
      ...recordKinds.contact,
      icon: IconUsers,
      shape: 'round',
      addressOf: ({ id }) => `/crm/contacts/${id}`,
      linkFieldSource: () => import('./contactLinkSource.ts').then(({ contactLinkSource }) => contactLinkSource),
      loadFields: () => import('./ContactForm.tsx').then(({ contactFields }) => contactFields),
    },
  ],
  firstSteps: [
    {
      name: 'contact',
      icon: IconUserPlus,
      title: 'Add your first contact',
      text: 'Somebody you do business with.',
      buttonLabel: 'Add contact',
      address: '/crm/contacts/new',
    },
  ],
})
