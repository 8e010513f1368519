import { isNamedDay, type Condition, type FilterType, type NamedDay } from '#contract/lists.ts'
import { capitalise, formatNumber, formatShortDay } from '#web/lib/format.ts'
import type { KindField } from '#web/records/kind/kind.ts'

const dayLabels: Record<NamedDay, string> = { overdue: 'Overdue', today: 'Today', upcoming: 'Upcoming' }

/** The named days that a date can be filtered by. */
export const namedDayChoices = Object.entries(dayLabels).map(([value, label]) => ({ value, label }))

/**
 * Formats a condition without its field: "contains “Lon”", "Web or Other", "10 to 50", "is empty". `titles` are the titles of the linked
 * records, for a condition on a link.
 */
export function describeCondition(
  field: Pick<KindField, 'choices' | 'titleField'> & { type: FilterType },
  { has, is, from, to, empty }: Condition,
  titles: readonly string[] = [],
): string {
  // a missing link is not called empty, because the record may have the title as text without the link
  if (empty !== undefined && field.titleField) return empty ? 'is not linked' : 'is linked'
  if (empty !== undefined) return empty ? 'is empty' : 'is not empty'
  if (has !== undefined) return `contains “${has}”`
  if (is !== undefined) return formatAlternatives(field.type === 'link' ? titles : is.map((value) => getValueLabel(field, value)))
  return formatRange(from, to)
}

function getValueLabel({ choices = [] }: Pick<KindField, 'choices'>, value: string): string {
  const choice = choices.find((each) => each.value === value)
  return choice?.label ?? (isNamedDay(value) ? dayLabels[value] : value)
}

function formatRange(from: Condition['from'], to: Condition['to']): string {
  const [low, high] = [from, to].map((bound) => (typeof bound === 'number' ? formatNumber(bound) : bound && formatShortDay(bound)))
  if (low === undefined) return `up to ${high}`
  if (high === undefined) return `from ${low}`
  return low === high ? capitalise(low) : `${low} to ${high}`
}

/** Formats texts as "Web or Other". */
const formatAlternatives = (texts: readonly string[]): string => new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(texts)
