import type { CrmSync } from '#contract/crmConnections.ts'
import { formatNumber } from '#web/lib/format.ts'

/** Returns the numbers of a sync: "120 created, 3 updated, 2 failed". */
export function describeCounts({ status, created, updated, unchanged, skipped, failed }: CrmSync): string {
  const parts = Object.entries({ created, updated, unchanged, skipped, failed }).filter(([, count]) => count > 0)
  // only a complete sync has read all changes
  if (parts.length === 0) return status === 'done' ? 'Nothing has changed there' : 'Nothing was copied'
  return parts.map(([name, count]) => `${formatNumber(count)} ${name}`).join(', ')
}

/** Returns the state of a sync as text: "Synced all contacts", "Waiting". */
export function describeState({ status, scope }: CrmSync): string {
  const contacts = scope === 'full' ? 'all contacts' : 'what changed'
  if (status === 'running') return `Syncing ${contacts}`
  if (status === 'waiting') return 'Waiting'
  if (status === 'failed') return 'The sync failed'
  if (status === 'stopped') return 'The sync was stopped'
  if (status === 'undone') return 'The sync was undone'
  return `Synced ${contacts}`
}
