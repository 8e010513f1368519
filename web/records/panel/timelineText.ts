import type { TimelineEntry } from '#contract/changes.ts'
import { formatFieldList } from '#web/records/form/fields.ts'
import { findKindDisplayByTable } from '#web/lib/features.ts'
import { capitalise, formatExactDay } from '#web/lib/format.ts'
import type { EditableKind, KindField } from '#web/records/kind/kind.ts'

/** A line of the timeline. The value is bold, and a link if `href` is set. */
export type TimelineLine = { text: string; value?: string; href?: string }

type Column = TimelineEntry['columns'][number]
export type TimelineKind = Pick<EditableKind<{ id: string; version: number }>, 'singular' | 'fields' | 'filters'>

/** The maximum number of lines of an entry. The last line lists the labels of all remaining fields. */
const maxLines = 3
/** The maximum number of characters of a value. */
const maxValueLength = 80

/** An entry whose change was made by an undo, a redo or a restore begins with this text. */
const reversalLabels: Record<NonNullable<TimelineEntry['reversal']>, string> = { undo: 'Undone', redo: 'Redone', restore: 'Restored' }

/** Describes a change of the record of the timeline. If an undo, a redo or a restore made the change, the first text says so. */
export function describeEntry(kind: TimelineKind, { operation, reversal, columns, label }: TimelineEntry): TimelineLine[] {
  const { singular, fields } = kind
  const prefix = reversal && reversalLabels[reversal]
  if (operation === 'deleted') return [{ text: prefix ? `${prefix}: ${singular} removed` : 'Deleted' }]
  if (operation === 'created') return [{ text: describeCreation(reversal, singular) }]
  const visibleColumns = columns.filter(({ name }) => name in fields && !hasTitleColumn(fields[name], columns))
  const events = visibleColumns.flatMap(({ name }) => fields[name]?.describeChange?.(label) ?? [])
  const otherColumns = visibleColumns.filter(({ name }) => fields[name]?.describeChange?.(label) === undefined)
  const lines = [
    ...events.map((text) => ({ text })),
    ...(events.length > 0 && otherColumns.length === 0 ? [] : describeColumns(kind, otherColumns)),
  ]
  return prefix ? [{ text: prefix }, ...lines] : lines
}

/** Returns true for a link field if the changed columns also contain the title of the linked record. */
const hasTitleColumn = (field: KindField | undefined, columns: Column[]): boolean =>
  field?.titleField !== undefined && columns.some(({ name }) => name === field.titleField)

function describeCreation(reversal: TimelineEntry['reversal'], singular: string): string {
  if (reversal === 'restore') return reversalLabels.restore
  return reversal ? `${reversalLabels[reversal]}: ${singular} is back` : `${capitalise(singular)} created`
}

function describeColumns(kind: TimelineKind, columns: Column[]): TimelineLine[] {
  if (columns.length === 0) return [{ text: 'Changed' }]
  if (columns.length <= maxLines) return columns.map((column) => describeColumn(kind, column))
  const lines = columns.slice(0, maxLines - 1).map((column) => describeColumn(kind, column))
  const otherNames = columns.slice(maxLines - 1).map(({ name }) => name)
  const labels = Object.fromEntries(otherNames.map((name) => [name, kind.fields[name]?.label ?? name]))
  return [...lines, { text: `${formatFieldList(labels, otherNames)} changed` }]
}

function describeColumn(kind: TimelineKind, { name, before, after }: Column): TimelineLine {
  const { label = name, titleField } = kind.fields[name] ?? {}
  const isUnknown = before === null && after === null // the journal no longer contains the values
  // the caller has left out link fields whose title also changed, so there is no new title to show
  if (titleField !== undefined && !isUnknown) return { text: after === null ? `${label} no longer linked` : `${label} linked` }
  const isEmpty = after === '' || after === null || (Array.isArray(after) && after.length === 0)
  if (isEmpty && !isUnknown) return { text: `${label} cleared` }
  const value = formatValue(kind, name, after)
  return value === undefined ? { text: `${label} changed` } : { text: `${label} changed to`, value: truncate(value) }
}

/** Returns undefined for a value that users cannot read, such as an id, and for a long text. */
function formatValue({ fields, filters }: TimelineKind, name: string, value: unknown): string | undefined {
  const { choices, format, linksTo, isLong } = fields[name] ?? {}
  if (linksTo || isLong) return undefined
  const text = choices?.find((choice) => choice.value === value)?.label ?? format?.(value)
  if (text !== undefined) return text
  if (filters[name] === 'date' && typeof value === 'string') return formatExactDay(value)
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

const truncate = (value: string): string => (value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value)

type LinkedEntry = TimelineEntry & { linked: NonNullable<TimelineEntry['linked']> }

/** Returns true if the entry is about a record that is linked to the record of the timeline. */
export const isLinked = (entry: TimelineEntry): entry is LinkedEntry => entry.linked !== undefined

/** Describes a change of a record that is linked to the record of the timeline: "Deal moved to Proposal: First engine". */
export function describeLinkedEntry(entry: LinkedEntry, recordId: string): TimelineLine[] {
  const { table, reversal, linked } = entry
  const kindDisplay = findKindDisplayByTable(table)
  const prefix = reversal ? `${reversalLabels[reversal]}: ` : ''
  const singular = kindDisplay?.singular ?? 'record'
  const value = truncate(linked.title)
  const href = linked.exists ? kindDisplay?.addressOf(linked) : undefined
  return describeLinkedEvents(entry, recordId).map((event) => ({
    text: capitalise(`${prefix}${singular} ${event}${value && ':'}`),
    ...(value && { value }),
    ...(href && { href }),
  }))
}

/** Returns what happened to the linked record: "added", "linked", "moved to Proposal". */
function describeLinkedEvents({ operation, reversal, table, columns }: LinkedEntry, recordId: string): string[] {
  if (operation === 'deleted') return [reversal ? 'removed' : 'deleted']
  if (operation === 'created') return [reversal ? 'is back' : (findKindDisplayByTable(table)?.creationText ?? 'added')]
  const events = columns.flatMap((column) => {
    // a link field that now contains, or no longer contains, the id of the record of the timeline
    if (column.after === recordId) return 'linked'
    if (column.before === recordId) return 'no longer linked'
    return findKindDisplayByTable(table)?.describeChange?.(column) ?? []
  })
  return events.length > 0 ? events : ['changed']
}
