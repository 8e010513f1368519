import type { TimelineEntry } from '#contract/changes.ts'
import { fieldsInWords, type FieldLabels } from '#web/records/form/fields.ts'
import { kindByTable } from '#web/lib/features.ts'
import { capitalised } from '#web/lib/format.ts'

/** What a line of the timeline says: a sentence, with the value in bold where there is one, and where that leads. */
export type TimelineLine = { words: string; value?: string; href?: string }

type Column = TimelineEntry['columns'][number]

type Telling = {
  /** "contact" */
  noun: string
  labels: FieldLabels
  /** Fields whose value says nothing to people, or too much for a line. */
  hidden?: readonly string[]
  /** How a value reads, where its own text says too little; undefined leaves it at that. */
  words?: (name: string, value: unknown) => string | undefined
}

/** At most this many values are told one by one. */
const mostTold = 3
/** In letters; a longer value is cut. */
export const longestValue = 80

/** How an undo, a redo and a restore begin. */
export const returns: Record<NonNullable<TimelineEntry['by']>, string> = { undo: 'Undone', redo: 'Redone', restore: 'Restored' }

/** Tells what happened to records of a kind. What an undo, a redo or a restore did says so first. */
export function telling({ noun, labels, hidden = [], words }: Telling): (entry: TimelineEntry) => TimelineLine[] {
  const changeLine = ({ name, before, after }: Column): TimelineLine => {
    const label = labels[name] ?? name
    const isTooOld = before === null && after === null // neither is known any more
    if (after === '' || (after === null && !isTooOld) || (Array.isArray(after) && after.length === 0)) return { words: `${label} cleared` }
    const value = hidden.includes(name) ? undefined : (words?.(name, after) ?? plain(after))
    if (value === undefined) return { words: `${label} changed` }
    return { words: `${label} changed to`, value: value.length > longestValue ? `${value.slice(0, longestValue)}…` : value }
  }
  const changeLines = (columns: Column[]): TimelineLine[] => {
    const told = columns.slice(0, columns.length > mostTold ? mostTold - 1 : mostTold)
    const rest = columns.slice(told.length).map(({ name }) => name)
    const lines = told.map(changeLine)
    if (rest.length === 0) return lines.length > 0 ? lines : [{ words: 'Changed' }]
    return [...lines, { words: `${fieldsInWords(labels, rest)} changed` }]
  }
  return ({ operation, by, columns }) => {
    const begin = by && returns[by]
    if (operation === 'deleted') return [{ words: begin ? `${begin}: ${noun} removed` : 'Deleted' }]
    if (operation === 'created') return [{ words: birth(by, noun) }]
    const lines = changeLines(columns.filter(({ name }) => name in labels))
    return begin ? [{ words: begin }, ...lines] : lines
  }
}

function birth(by: TimelineEntry['by'], noun: string): string {
  if (by === 'restore') return returns.restore
  return by ? `${returns[by]}: ${noun} is back` : `${noun[0]?.toUpperCase()}${noun.slice(1)} created`
}

function plain(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

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
