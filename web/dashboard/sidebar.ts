import { IconLayoutDashboard } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'

/** The entry of the dashboard in the sidebar. */
export const dashboardEntry = {
  label: 'Dashboard',
  address: '/dashboard',
  icon: IconLayoutDashboard,
  keys: 'g-h',
} as const satisfies SidebarEntry
