import type { TimelineEntry } from '#contract/changes.ts'
import { formatFieldList } from '#web/records/form/fields.ts'
import { findKindByTable } from '#web/lib/features.ts'
import { capitalise, formatExactDay } from '#web/lib/format.ts'
import type { EditableKind, KindField } from '#web/records/kind/kind.ts'

/** A line of the timeline. The value is bold, and a link if `href` is set. */
export type TimelineLine = { words: string; value?: string; href?: string }

type Column = TimelineEntry['columns'][number]
export type TimelineKind = Pick<EditableKind<{ id: string; version: number }>, 'singular' | 'fields' | 'filters'>

/** The maximum number of lines of an entry. The last line lists the labels of all remaining fields. */
const maxValues = 3
/** In characters. */
const maxValueLength = 80

const reversals: Record<NonNullable<TimelineEntry['by']>, string> = { undo: 'Undone', redo: 'Redone', restore: 'Restored' }

/** Describes a change of a record. An undo, a redo or a restore is named first. */
export function describeEntry(kind: TimelineKind, { operation, by, columns }: TimelineEntry): TimelineLine[] {
  const { singular, fields } = kind
  const prefix = by && reversals[by]
  if (operation === 'deleted') return [{ words: prefix ? `${prefix}: ${singular} removed` : 'Deleted' }]
  if (operation === 'created') return [{ words: describeCreation(by, singular) }]
  const lines = describeColumns(
    kind,
    columns.filter(({ name }) => name in fields && !hasTitleColumn(fields[name], columns)),
  )
  return prefix ? [{ words: prefix }, ...lines] : lines
}

/** The entry already contains the title of the linked record. */
const hasTitleColumn = (field: KindField | undefined, columns: Column[]): boolean =>
  field?.titleField !== undefined && columns.some(({ name }) => name === field.titleField)

function describeCreation(by: TimelineEntry['by'], singular: string): string {
  if (by === 'restore') return reversals.restore
  return by ? `${reversals[by]}: ${singular} is back` : `${capitalise(singular)} created`
}

function describeColumns(kind: TimelineKind, columns: Column[]): TimelineLine[] {
  const shown = columns.slice(0, columns.length > maxValues ? maxValues - 1 : maxValues)
  const rest = columns.slice(shown.length).map(({ name }) => name)
  const lines = shown.map((column) => describeColumn(kind, column))
  if (rest.length === 0) return lines.length > 0 ? lines : [{ words: 'Changed' }]
  const labels = Object.fromEntries(rest.map((name) => [name, kind.fields[name]?.label ?? name]))
  return [...lines, { words: `${formatFieldList(labels, rest)} changed` }]
}

function describeColumn(kind: TimelineKind, { name, before, after }: Column): TimelineLine {
  const label = kind.fields[name]?.label ?? name
  const isUnknown = before === null && after === null // the journal no longer holds the values
  if (after === '' || (after === null && !isUnknown) || (Array.isArray(after) && after.length === 0)) return { words: `${label} cleared` }
  const value = formatValue(kind, name, after)
  return value === undefined ? { words: `${label} changed` } : { words: `${label} changed to`, value: truncate(value) }
}

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

export const isLinked = (entry: TimelineEntry): entry is LinkedEntry => entry.linked !== undefined

/** Describes a change of a record that is linked to `record`: "Deal moved to Proposal: First engine". */
export function describeLinkedEntry(entry: LinkedEntry, record: string): TimelineLine[] {
  const { table, by, linked } = entry
  const kind = findKindByTable(table)
  const prefix = by ? `${reversals[by]}: ` : ''
  const singular = kind?.singular ?? 'record'
  const value = truncate(linked.title)
  const href = linked.exists ? kind?.addressOf({ id: linked.id }) : undefined
  return linkedEvents(entry, record).map((event) => ({
    words: capitalise(`${prefix}${singular} ${event}${value && ':'}`),
    ...(value && { value }),
    ...(href && { href }),
  }))
}

function linkedEvents({ operation, by, table, columns }: LinkedEntry, record: string): string[] {
  if (operation === 'deleted') return [by ? 'removed' : 'deleted']
  if (operation === 'created') return [by ? 'is back' : 'added']
  const events = columns.flatMap((column) => {
    if (column.after === record) return 'linked'
    if (column.before === record) return 'no longer linked'
    return findKindByTable(table)?.describeChange?.(column) ?? []
  })
  return events.length > 0 ? events : ['changed']
}
