import { IconFolder } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'

/** The entry of the files in the sidebar. */
export const filesEntry = {
  label: 'Files',
  address: '/files',
  icon: IconFolder,
  keys: 'g-f',
  hasSearchableList: true,
  keywords: 'upload',
} as const satisfies SidebarEntry
