import { parseNumber } from '#web/lib/numbers.ts'
import type { Condition, FilterType } from '#contract/lists.ts'
import type { FilterField } from './filtering.ts'

/** `days`: named days such as today. */
export type Operator = 'contains' | 'is' | 'range' | 'days' | 'empty' | 'notEmpty'

/** The form state of a condition; it may be incomplete. */
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

/** The operators for a field of this type. Required fields have no `empty` and `notEmpty`. */
export const operatorsOf = (type: FilterType, required: boolean): readonly Operator[] => [
  ...operatorsOfType[type],
  ...(required ? [] : (['empty', 'notEmpty'] as const)),
]

/** The label of an operator, shown next to the field label: "City" "contains". */
export function operatorLabel(operator: Operator, type: FilterType): string {
  if (operator === 'is') return type === 'tags' ? 'has any of' : 'is any of'
  return { contains: 'contains', range: 'is between', days: 'is', empty: 'is empty', notEmpty: 'is not empty' }[operator]
}

/** The draft of an existing condition, or an empty draft for a field of this type. */
export function toDraft(type: FilterType, condition: Condition | undefined): ConditionDraft {
  const { has = '', is = [], from = '', to = '', empty } = condition ?? {}
  const values = { text: type === 'text' ? has || is.join(', ') : has, chosen: is, from: String(from), to: String(to) }
  if (empty !== undefined) return { ...values, operator: empty ? 'empty' : 'notEmpty' }
  if (type === 'date' && is.length > 0) return { ...values, operator: 'days' }
  return { ...values, operator: operatorsOfType[type][0] }
}

/** Converts a draft to a condition; undefined while the draft is incomplete. */
export function toCondition(
  { name: field, type }: Pick<FilterField, 'name' | 'type'>,
  { operator, text, chosen, from, to }: ConditionDraft,
): Condition | undefined {
  if (operator === 'empty' || operator === 'notEmpty') return { field, empty: operator === 'empty' }
  if (operator === 'contains') return text.trim() === '' ? undefined : { field, has: text.trim() }
  if (operator === 'range') return toRangeCondition(field, type === 'number' ? parseNumber : parseDay, from, to)
  return chosen.length === 0 ? undefined : { field, is: [...chosen] }
}

type Bound = number | string | undefined

function toRangeCondition(field: string, parseBound: (text: string) => Bound, from: string, to: string): Condition | undefined {
  const [low, high] = [parseBound(from), parseBound(to)]
  if (low === undefined && high === undefined) return undefined
  const isReversed = low !== undefined && high !== undefined && low > high
  const [first, last] = isReversed ? [high, low] : [low, high]
  return { field, ...(first !== undefined && { from: first }), ...(last !== undefined && { to: last }) }
}

const parseDay = (text: string): Bound => text || undefined
