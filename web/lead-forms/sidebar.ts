import { IconForms } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'

/** The entry of the lead forms in the sidebar. */
export const leadFormsEntry = {
  label: 'Lead Forms',
  address: '/lead-forms',
  icon: IconForms,
  keywords: 'lead form builder contact website submissions answers',
} as const satisfies SidebarEntry
