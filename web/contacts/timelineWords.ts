import type { TimelineEntry } from '#contract/changes.ts'
import type { TimelineLine } from '#web/records/Timeline.tsx'
import { contactLabels, fieldsInWords, isContactField, type ContactField } from './contactValues.ts'

type Column = TimelineEntry['columns'][number]

/** At most this many values are told one by one. */
const mostTold = 3
const longestValue = 80

const returns: Record<NonNullable<TimelineEntry['by']>, string> = { undo: 'Undone', redo: 'Redone', restore: 'Restored' }

/** What happened, in words. What an undo, a redo or a restore did says so first. */
export function timelineWords({ operation, by, columns }: TimelineEntry): TimelineLine[] {
  const begin = by && returns[by]
  if (operation === 'deleted') return [{ words: begin ? `${begin}: contact removed` : 'Deleted' }]
  if (operation === 'created') {
    if (by === 'restore') return [{ words: returns.restore }]
    return [{ words: begin ? `${begin}: contact is back` : 'Contact created' }]
  }
  const lines = changeLines(columns.filter(({ name }) => isContactField(name) || name === 'raw_data'))
  return begin ? [{ words: begin }, ...lines] : lines
}

function changeLines(columns: Column[]): TimelineLine[] {
  const told = columns.slice(0, columns.length > mostTold ? mostTold - 1 : mostTold)
  const rest = columns.slice(told.length).map(({ name }) => name)
  const lines = told.map(changeLine)
  if (rest.length === 0) return lines.length > 0 ? lines : [{ words: 'Changed' }]
  return [...lines, { words: `${fieldsInWords(rest.filter(isContactField))} changed` }]
}

function changeLine({ name, after }: Column): TimelineLine {
  const label = isContactField(name) ? contactLabels[name] : 'Details of the import'
  if (after === '') return { words: `${label} cleared` }
  if (typeof after !== 'string' || hidden.includes(name)) return { words: `${label} changed` }
  return { words: `${label} changed to`, value: after.length > longestValue ? `${after.slice(0, longestValue)}…` : after }
}

/** Fields whose value says nothing to people, or too much for a line. */
const hidden: readonly string[] = ['reports_to_id', 'description'] satisfies ContactField[]
