import { isNamedDay, type Condition, type FilterType, type NamedDay } from '#contract/lists.ts'
import { capitalised, count, shortDay } from '#web/lib/format.ts'
import type { ListField } from '#web/records/kind/kind.ts'

const dayWords: Record<NamedDay, string> = { overdue: 'Overdue', today: 'Today', upcoming: 'Upcoming' }

/** The days that a date can be asked for by name. */
export const namedDayChoices = Object.entries(dayWords).map(([value, label]) => ({ value, label }))

/** What a condition says of its field: "contains “Lon”", "Web or Other", "10 to 50", "is empty". Links are called by `names`. */
export function describeCondition(
  field: Pick<ListField, 'choices'>,
  kind: FilterType,
  { has, is, from, to, empty }: Condition,
  names: readonly string[] = [],
): string {
  if (empty !== undefined) return empty ? 'is empty' : 'is not empty'
  if (has !== undefined) return `contains “${has}”`
  if (is !== undefined) return orOf(kind === 'link' ? names : is.map((value) => labelOf(field, value)))
  return rangeInWords(from, to)
}

function labelOf({ choices = [] }: Pick<ListField, 'choices'>, value: string): string {
  const choice = choices.find((each) => each.value === value)
  return choice?.label ?? (isNamedDay(value) ? dayWords[value] : value)
}

function rangeInWords(from: Condition['from'], to: Condition['to']): string {
  const [low, high] = [from, to].map((end) => (typeof end === 'number' ? count(end) : end && shortDay(end)))
  if (low === undefined) return `up to ${high}`
  if (high === undefined) return `from ${low}`
  return low === high ? capitalised(low) : `${low} to ${high}`
}

const orOf = (words: readonly string[]): string => new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words)
