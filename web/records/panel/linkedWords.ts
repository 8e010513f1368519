import type { TimelineEntry } from '#contract/changes.ts'
import { kindByTable } from '#web/lib/features.ts'
import { capitalised } from '#web/lib/format.ts'
import { longestValue, returns, type TimelineLine } from './telling.ts'

type LinkedEntry = TimelineEntry & { linked: NonNullable<TimelineEntry['linked']> }

export const isLinked = (entry: TimelineEntry): entry is LinkedEntry => entry.linked !== undefined

/** What happened to a note, deal or task that is linked to `record`, in words: "Deal moved to Proposal: First engine". */
export function linkedWords(entry: LinkedEntry, record: string): TimelineLine[] {
  const { table, by, linked } = entry
  const kind = kindByTable(table)
  const begin = by ? `${returns[by]}: ` : ''
  const noun = kind?.singular ?? 'record'
  const value = linked.title.length > longestValue ? `${linked.title.slice(0, longestValue)}…` : linked.title
  const href = linked.exists ? kind?.addressOf({ id: linked.id }) : undefined
  return deedsOf(entry, record).map((deed) => ({
    words: capitalised(`${begin}${noun} ${deed}${value && ':'}`),
    ...(value && { value }),
    ...(href && { href }),
  }))
}

function deedsOf({ operation, by, table, columns }: LinkedEntry, record: string): string[] {
  if (operation === 'deleted') return [by ? 'removed' : 'deleted']
  if (operation === 'created') return [by ? 'is back' : 'added']
  const deeds = columns.flatMap((column) => {
    if (column.after === record) return 'linked'
    if (column.before === record) return 'no longer linked'
    return kindByTable(table)?.describeChange?.(column) ?? []
  })
  return deeds.length > 0 ? deeds : ['changed']
}
