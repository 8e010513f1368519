// Notes: texts on a contact, in a tab of the contact's page.
import { lazyRouteComponent } from '@tanstack/react-router'
import { IconNote } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature } from '#web/lib/routes.ts'

export const notes = defineFeature({
  records: [
    {
      ...recordKinds.note,
      icon: IconNote,
      addressOf: ({ parent }) => (parent?.kind === 'contact' ? `/crm/contacts/${parent.id}?tab=notes` : undefined),
      loadFields: () => import('./NotesTab.tsx').then(({ noteFields }) => noteFields),
    },
  ],
  contactTab: {
    name: 'notes',
    label: 'Notes',
    position: 3,
    isAlwaysPrinted: true,
    Tab: lazyRouteComponent(() => import('./NotesTab.tsx'), 'NotesTab'),
    Count: lazyRouteComponent(() => import('./NotesTab.tsx'), 'NotesCount'),
  },
})
