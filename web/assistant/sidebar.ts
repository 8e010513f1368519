import { IconSparkles2 } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'

/** The entry of the assistant in the sidebar. */
export const assistantEntry = {
  label: 'Assistant',
  address: '/assistant',
  icon: IconSparkles2,
  keys: 'g-j',
  keywords: 'ai chat ask question',
} as const satisfies SidebarEntry
