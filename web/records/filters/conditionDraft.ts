import { parseNumber } from '#web/lib/numbers.ts'
import type { Condition, FilterType } from '#contract/lists.ts'
import type { FilterField } from './filtering.ts'

/** What a condition compares by. `days`: named days such as today. `full`: not empty. */
export type Operator = 'contains' | 'is' | 'range' | 'days' | 'empty' | 'notEmpty'

/** A condition as it is edited; it may be incomplete. */
export type ConditionDraft = { operator: Operator; text: string; chosen: readonly string[]; from: string; to: string }

const operatorsOfType: Record<FilterType, readonly [Operator, ...Operator[]]> = {
  text: ['contains'],
  choice: ['is'],
  link: ['is'],
  tags: ['is'],
  number: ['range'],
  date: ['range', 'days'],
  instant: ['range'],
}

/** The ways for a field of this type; one that always holds something is not asked whether it is empty. */
export const operatorsOf = (type: FilterType, required: boolean): readonly Operator[] => [
  ...operatorsOfType[type],
  ...(required ? [] : (['empty', 'notEmpty'] as const)),
]

/** How a operator is called beside the field: "City", "contains". */
export function operatorLabel(operator: Operator, type: FilterType): string {
  if (operator === 'is') return type === 'tags' ? 'has any of' : 'is any of'
  return { contains: 'contains', range: 'is between', days: 'is', empty: 'is empty', notEmpty: 'is not empty' }[operator]
}

/** The draft of a condition that stands; without one, of a new condition on a field of this type. */
export function toDraft(type: FilterType, condition: Condition | undefined): ConditionDraft {
  const { has = '', is = [], from = '', to = '', empty } = condition ?? {}
  const filled = { text: type === 'text' ? has || is.join(', ') : has, chosen: is, from: String(from), to: String(to) }
  if (empty !== undefined) return { ...filled, operator: empty ? 'empty' : 'notEmpty' }
  if (type === 'date' && is.length > 0) return { ...filled, operator: 'days' }
  return { ...filled, operator: operatorsOfType[type][0] }
}

/** The condition that a draft says; undefined while it says nothing yet. */
export function toCondition(
  { name: field, type }: Pick<FilterField, 'name' | 'type'>,
  { operator, text, chosen, from, to }: ConditionDraft,
): Condition | undefined {
  if (operator === 'empty' || operator === 'notEmpty') return { field, empty: operator === 'empty' }
  if (operator === 'contains') return text.trim() === '' ? undefined : { field, has: text.trim() }
  if (operator === 'range') return rangeOf(field, type === 'number' ? parseNumber : parseDay, from, to)
  return chosen.length === 0 ? undefined : { field, is: [...chosen] }
}

type Bound = number | string | undefined

function rangeOf(field: string, parseBound: (text: string) => Bound, from: string, to: string): Condition | undefined {
  const [low, high] = [parseBound(from), parseBound(to)]
  if (low === undefined && high === undefined) return undefined
  const isReversed = low !== undefined && high !== undefined && low > high
  const [first, last] = isReversed ? [high, low] : [low, high]
  return { field, ...(first !== undefined && { from: first }), ...(last !== undefined && { to: last }) }
}

const parseDay = (text: string): Bound => text || undefined
