// Chooses among the name columns and the address columns of contacts, whose meaning depends on the other columns.
import { isEmpty, isMostly, share } from './content.ts'
import type { Candidate } from './column-mapping.ts'

/**
 * Decides what "Name" means: the last name beside a first name, the first name beside a last name, the company beside both if most of its
 * cells look like companies, and otherwise the full name. A column of first or last names without the other one is the full name if at
 * least half of its cells have several words.
 */
export function resolveNameFields(candidates: readonly Candidate[]): Candidate[] {
  const has = (field: string): boolean => candidates.some(({ rule }) => rule.field === field)
  const [hasFirst, hasLast, hasFull, hasCompany] = ['first_name', 'last_name', 'full_name', 'company'].map(has)
  return candidates.map((candidate) => {
    const { field, needs } = candidate.rule
    if (field === 'full_name') {
      if (!hasCompany && hasFirst && hasLast && isMostly('company', candidate.samples)) return withField(candidate, 'company')
      if (needs === 'name' && hasFirst && !hasLast) return withField(candidate, 'last_name')
      if (needs === 'name' && hasLast && !hasFirst) return withField(candidate, 'first_name')
    }
    const isAlone = !hasFull && (field === 'first_name' ? !hasLast : field === 'last_name' && !hasFirst)
    return isAlone && share('severalWords', candidate.samples) >= 0.5 ? withField(candidate, 'full_name') : candidate
  })
}

const withField = (candidate: Candidate, field: string): Candidate => ({ ...candidate, rule: { ...candidate.rule, field } })

/** The kinds of addresses, the preferred one first. The empty text is an address without a kind. */
const addressKinds = ['mailing', '', 'work', 'home', 'other', 'billing', 'shipping']

/** Keeps the columns of one address. */
export function chooseAddress(candidates: readonly Candidate[]): Candidate[] {
  const parts = candidates.filter(({ rule }) => rule.part === 'address')
  const groupOf = (candidate: Candidate): string => `${kindOf(candidate)} ${candidate.header.group ?? ''}`
  const [chosen] = [...Map.groupBy(parts, groupOf)].toSorted(([, a], [, b]) => groupRank(a) - groupRank(b))
  if (!chosen) return [...candidates]
  const [group, columns] = chosen
  const hasField = (field: string): boolean => columns.some(({ rule }) => rule.field === field)
  // an address often has its kind only in the first column: "Home address", "City", "ZIP"
  const added = parts.filter((part) => {
    const canBeOfSameKind = kindOf(part) === '' || kindOf(columns[0]) === ''
    return groupOf(part) !== group && canBeOfSameKind && !hasField(part.rule.field)
  })
  const address = withoutWholeAddress([...columns, ...added])
  return candidates.filter((candidate) => candidate.rule.part !== 'address' || address.includes(candidate))
}

function kindOf(candidate: Candidate | undefined): string {
  if (!candidate) return ''
  const { concepts } = candidate.header
  return addressKinds.find((kind) => concepts.has(kind)) ?? (concepts.has('company') ? 'work' : '')
}

const groupRank = (columns: readonly Candidate[]): number =>
  (columns.every(({ samples }) => isEmpty(samples)) ? 100 : 0) +
  addressKinds.indexOf(kindOf(columns[0])) * 10 +
  Math.min(columns[0]?.header.group ?? 0, 9)

/**
 * Removes the columns of the whole address if the street has a column of its own. Otherwise keeps the first of them as the street, and
 * removes the others that repeat the city or the postal code.
 */
function withoutWholeAddress(columns: readonly Candidate[]): Candidate[] {
  const has = (needs: string): boolean => columns.some(({ rule }) => rule.needs === needs)
  const whole = columns.filter(({ rule }) => rule.needs === 'address' || rule.needs === 'mailing')
  const first = whole.find(({ rule }) => rule.needs === 'address')
  if (has('street')) return columns.filter((column) => !whole.includes(column))
  const parts = columns.filter(({ rule }) => rule.field === 'mailing_city' || rule.field === 'mailing_postal_code')
  // a formatted address repeats the city, while further lines of an address do not
  const repeats = (column: Candidate): boolean =>
    column !== first && parts.some(({ samples }) => samples.some((sample, row) => sample !== '' && column.samples[row]?.includes(sample)))
  return columns.filter((column) => !whole.includes(column) || !repeats(column))
}
