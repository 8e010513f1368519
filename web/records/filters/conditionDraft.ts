import { parseNumber } from '#web/lib/numbers.ts'
import type { Condition, FilterType } from '#contract/lists.ts'

/** How a field can be asked for. `days` are days by name, `full` is the opposite of `empty`. */
export type Way = 'has' | 'is' | 'range' | 'days' | 'empty' | 'full'

/** A condition while it is put together. */
export type ConditionDraft = { way: Way; text: string; chosen: readonly string[]; from: string; to: string }

const waysOfKind: Record<FilterType, readonly [Way, ...Way[]]> = {
  text: ['has'],
  choice: ['is'],
  link: ['is'],
  tags: ['is'],
  number: ['range'],
  date: ['range', 'days'],
  instant: ['range'],
}

/** The ways for a field of this kind; one that always holds something is not asked whether it is empty. */
export const waysOf = (kind: FilterType, required: boolean): readonly Way[] => [
  ...waysOfKind[kind],
  ...(required ? [] : (['empty', 'full'] as const)),
]

/** How a way is called beside the field: "City", "contains". */
export function wayInWords(way: Way, kind: FilterType): string {
  if (way === 'is') return kind === 'tags' ? 'has any of' : 'is any of'
  return { has: 'contains', range: 'is between', days: 'is', empty: 'is empty', full: 'is not empty' }[way]
}

/** The draft of a condition that stands; without one, of a new condition on a field of this kind. */
export function draftOf(kind: FilterType, condition: Condition | undefined): ConditionDraft {
  const { has = '', is = [], from = '', to = '', empty } = condition ?? {}
  const filled = { text: kind === 'text' ? has || is.join(', ') : has, chosen: is, from: String(from), to: String(to) }
  if (empty !== undefined) return { ...filled, way: empty ? 'empty' : 'full' }
  if (kind === 'date' && is.length > 0) return { ...filled, way: 'days' }
  return { ...filled, way: waysOfKind[kind][0] }
}

/** The condition that a draft says; undefined while it says nothing yet. */
export function conditionOf(field: string, kind: FilterType, { way, text, chosen, from, to }: ConditionDraft): Condition | undefined {
  if (way === 'empty' || way === 'full') return { field, empty: way === 'empty' }
  if (way === 'has') return text.trim() === '' ? undefined : { field, has: text.trim() }
  if (way === 'range') return rangeOf(field, kind === 'number' ? numberIn : dayIn, from, to)
  return chosen.length === 0 ? undefined : { field, is: [...chosen] }
}

type End = number | string | undefined

function rangeOf(field: string, endIn: (text: string) => End, from: string, to: string): Condition | undefined {
  const [low, high] = [endIn(from), endIn(to)]
  if (low === undefined && high === undefined) return undefined
  const isTurned = low !== undefined && high !== undefined && low > high
  const [first, last] = isTurned ? [high, low] : [low, high]
  return { field, ...(first !== undefined && { from: first }), ...(last !== undefined && { to: last }) }
}

const dayIn = (text: string): End => text || undefined

const numberIn = (text: string): End => parseNumber(text)
