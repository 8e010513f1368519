import type { TimelineEntry } from '#contract/changes.ts'
import { contactLabels, fieldsInWords, isContactField, type ContactField } from './contactValues.ts'

type Column = TimelineEntry['columns'][number]

/** What a line of the timeline says: a sentence, with the value in bold where there is one. */
export type TimelineLine = { words: string; value?: string }

/** At most this many values are told one by one. */
const mostTold = 3
const longestValue = 80

/** What happened, in words. Restoring and undoing are told apart from plain changes by the label of their change. */
export function timelineWords({ operation, label, columns }: TimelineEntry): TimelineLine[] {
  if (operation === 'deleted') return [{ words: label === 'Undone' ? 'Undone: contact removed' : 'Deleted' }]
  if (operation === 'created') return [{ words: label === 'Undone' || label === 'Restored' ? 'Restored' : 'Contact created' }]
  const lines = changeLines(columns.filter(({ name }) => isContactField(name) || name === 'raw_data'))
  return label === 'Undone' ? [{ words: 'Undone' }, ...lines] : lines
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
