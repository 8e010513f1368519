import { IconKey } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'

/** The entry of the API keys in the sidebar. */
export const apiKeysEntry = {
  label: 'API Keys',
  address: '/api-keys',
  icon: IconKey,
  keywords: 'api key token integration developer leads webhook',
} as const satisfies SidebarEntry
