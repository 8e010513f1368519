import { describeNumberFormat, parseNumber } from '#web/lib/numbers.ts'
import type { Condition, FilterType } from '#contract/lists.ts'
import { toFormValue, toText } from '#web/records/form/fields.ts'
import { describeDayFormat, parseTypedDay } from '#web/records/form/typedDay.ts'
import type { FilterField } from './filtering.ts'

/** How a condition compares the field. `days` compares a date with named days such as today. */
export type Operator = 'contains' | 'is' | 'range' | 'days' | 'empty' | 'notEmpty'

/** The state of the form for a condition, which may be incomplete. Each operator uses only its own values. */
export type ConditionDraft = {
  operator: Operator
  /** For `contains`. */
  text: string
  /** For `is` and `days`: choices, tags, ids of linked records, or named days. */
  selected: readonly string[]
  /** For `range`: the bounds as typed. */
  from: string
  to: string
}

const operatorsOfType: Record<FilterType, readonly [Operator, ...Operator[]]> = {
  text: ['contains'],
  choice: ['is'],
  link: ['is'],
  tags: ['is'],
  number: ['range'],
  date: ['range', 'days'],
  instant: ['range'],
}

type DraftField = Pick<FilterField, 'name' | 'type' | 'required' | 'titleField'>

/** Returns the operators for a field. Required fields have no `empty` and `notEmpty`. A link with a stored title also has `contains`. */
export const getOperators = ({ type, required = false, titleField }: DraftField): readonly Operator[] => [
  ...operatorsOfType[type],
  ...(titleField === undefined ? [] : (['contains'] as const)),
  ...(required ? [] : (['empty', 'notEmpty'] as const)),
]

/** The label of an operator, shown next to the field label: "City" "contains". */
export function getOperatorLabel(operator: Operator, type: FilterType): string {
  if (operator === 'is') return type === 'tags' ? 'has any of' : 'is any of'
  return { contains: 'contains', range: 'is between', days: 'is', empty: 'is empty', notEmpty: 'is not empty' }[operator]
}

/** Returns the draft of an existing condition, or an empty draft for the field. */
export function toDraft({ type, titleField }: DraftField, condition: Condition | undefined): ConditionDraft {
  const { has = '', is = [], from, to, empty } = condition ?? {}
  const isOnTitle = titleField !== undefined && condition?.field === titleField
  const isText = type === 'text' || isOnTitle
  const text = isText ? has || is.join(', ') : has // a condition on a text field may have a list of texts
  const values = { text, selected: isText ? [] : is, from: toText(toFormValue(from)), to: toText(toFormValue(to)) }
  if (empty !== undefined) return { ...values, operator: empty ? 'empty' : 'notEmpty' }
  if (type === 'date' && is.length > 0) return { ...values, operator: 'days' }
  return { ...values, operator: isOnTitle ? 'contains' : operatorsOfType[type][0] }
}

/** Converts a draft to a condition. Returns undefined while the draft is incomplete. */
export function toCondition(
  { name: field, type, titleField = field }: DraftField,
  { operator, text, selected, from, to }: ConditionDraft,
): Condition | undefined {
  if (operator === 'empty' || operator === 'notEmpty') return { field: titleField, empty: operator === 'empty' }
  if (operator === 'contains') return text.trim() === '' ? undefined : { field: titleField, has: text.trim() }
  if (operator === 'range') return toRangeCondition(field, type === 'number' ? parseNumber : parseTypedDay, from, to)
  return selected.length === 0 ? undefined : { field, is: [...selected] }
}

/** The error messages of the bounds that cannot be read. */
export type DraftErrors = { from: string | undefined; to: string | undefined }

/** Returns the error messages of a draft; undefined if it has none. Empty bounds are allowed. */
export function findDraftErrors(type: FilterType, { operator, from, to }: ConditionDraft): DraftErrors | undefined {
  if (operator !== 'range') return undefined
  const isNumber = type === 'number'
  const findError = (text: string): string | undefined => {
    const isValid = text.trim() === '' || (isNumber ? parseNumber(text) : parseTypedDay(text)) !== undefined
    if (isValid) return undefined
    return isNumber ? describeNumberFormat() : describeDayFormat()
  }
  const errors = { from: findError(from), to: findError(to) }
  return errors.from === undefined && errors.to === undefined ? undefined : errors
}

type Bound = number | string | undefined

/** If the lower bound is greater than the upper bound, the bounds are swapped. */
function toRangeCondition(field: string, parseBound: (text: string) => Bound, from: string, to: string): Condition | undefined {
  const [low, high] = [parseBound(from), parseBound(to)]
  if (low === undefined && high === undefined) return undefined
  const isReversed = low !== undefined && high !== undefined && low > high
  const [first, last] = isReversed ? [high, low] : [low, high]
  return { field, ...(first !== undefined && { from: first }), ...(last !== undefined && { to: last }) }
}
