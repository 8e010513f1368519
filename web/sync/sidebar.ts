import { IconPlug } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'

/** The entry of the CRM integration in the sidebar. */
export const crmSettingsEntry = {
  label: 'Settings',
  address: '/crm',
  isExact: true,
  icon: IconPlug,
  group: { label: 'CRM', prefix: '/crm' },
  keywords: 'crm integration connection insightly sync api key',
} as const satisfies SidebarEntry
