import { IconTrash } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'

/** The entry of the trash in the sidebar. */
export const trashEntry = {
  label: 'Trash',
  keywords: 'deleted restore bin',
  address: '/trash',
  icon: IconTrash,
  position: 'bottom',
} as const satisfies SidebarEntry
