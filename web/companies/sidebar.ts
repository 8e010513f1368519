import { IconBuilding } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'

/** The entry of the companies in the sidebar. */
export const companiesEntry = {
  label: 'Companies',
  address: '/crm/companies',
  icon: IconBuilding,
  group: { label: 'CRM', prefix: '/crm' },
  keys: 'g-o',
  hasSearchableList: true,
} as const satisfies SidebarEntry
