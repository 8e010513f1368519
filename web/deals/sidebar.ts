import { IconTargetArrow } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'

/** The entry of the deals in the sidebar. */
export const dealsEntry = {
  label: 'Deals',
  address: '/crm/deals',
  icon: IconTargetArrow,
  group: { label: 'CRM', prefix: '/crm' },
  keys: 'g-d',
  keywords: 'board pipeline stages sales',
  hasSearchableList: true,
  needsWidth: ({ as }) => as !== 'list', // the board needs the width, the list does not
} as const satisfies SidebarEntry
