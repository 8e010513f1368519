import { IconUsers } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'

/** The entry of the contacts in the sidebar. */
export const contactsEntry = {
  label: 'Contacts',
  address: '/crm/contacts',
  icon: IconUsers,
  group: { label: 'CRM', prefix: '/crm' },
  keys: 'g-c',
  hasSearchableList: true,
} as const satisfies SidebarEntry
