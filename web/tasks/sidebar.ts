import { IconCheckbox } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'

/** The entry of the tasks in the sidebar. */
export const tasksEntry = {
  label: 'Tasks',
  address: '/crm/tasks',
  icon: IconCheckbox,
  group: { label: 'CRM', prefix: '/crm' },
  keys: 'g-t',
  hasSearchableList: true,
} as const satisfies SidebarEntry
