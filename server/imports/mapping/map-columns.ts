// Decides without AI which field each column of an imported table has, from the headers and from the cells.
import { leftOutField } from '#contract/importFields.ts'
import { canBe, findFormat, isEmpty, isMostly } from './content.ts'
import fields from './fields.json' with { type: 'json' }
import type { Candidate, Column, ColumnMapping, FieldChoice, ImportedKind, Rule } from './column-mapping.ts'
import { readHeaders, type Header } from './headers.ts'
import { guessFields } from './guess-fields.ts'
import { findOwnColumns } from './own-export.ts'
import type { NumberFormat } from './values.ts'
import { chooseAddress, resolveNameFields } from './name-and-address.ts'

/** Fields whose values are joined or chosen per row if several columns have them. */
export const repeatableFields: ReadonlySet<string> = new Set([
  'email',
  'phone',
  'mobile_phone',
  'mailing_street',
  'tags',
  'notes',
  'description',
  'stage',
])
/** Fields whose values are written differently in different countries. */
const formattedFields = new Set(['value', 'probability', 'employees_count', 'expected_close_date', 'due_date'])
/** Concepts that are too general to map a header that also has an unknown word. */
const weakConcepts = new Set(
  'person manager name title deal task source tag description note status count address amount stage topic mailing house done date'.split(
    ' ',
  ),
)

/**
 * Maps the columns of a table to fields of the kind, in the order of `columns`. The result is best if the samples of all columns are the
 * cells of the same rows.
 */
export function mapColumns(kind: ImportedKind, columns: readonly Column[]): ColumnMapping[] {
  const choices = chooseAll(kind, columns.map(shortenSamples))
  return choices.map((choice, index) => ({ header: columns[index]?.header ?? null, ...choice }))
}

/**
 * Returns the mapping with the fields that the user has chosen, in the order of `columns`. A column whose field does not change keeps its
 * mapping.
 */
export function changeFields(
  columns: readonly Column[],
  mapping: readonly ColumnMapping[],
  chosen: readonly (string | null)[],
): ColumnMapping[] {
  const changed = mapping.flatMap((current, index): [number, string | null][] => {
    const field = chosen[index] ?? null
    return field === current.field ? [] : [[index, field]]
  })
  return setFields(columns, mapping, new Map(changed), { certainty: 'sure', reason: 'chosen' })
}

/** Returns the mapping with other fields, by the index of the column. The other columns keep their mapping. */
export function setFields(
  columns: readonly Column[],
  mapping: readonly ColumnMapping[],
  newFields: ReadonlyMap<number, string | null>,
  decision: Pick<FieldChoice, 'certainty' | 'reason'>,
): ColumnMapping[] {
  const { headers, language } = readHeaders(columns.map(({ header }) => header))
  return mapping.map((current, index) => {
    const field = newFields.get(index)
    if (field === undefined) return current
    if (field === current.field) return { ...current, ...decision }
    return {
      header: current.header,
      field,
      ...decision,
      ...(field !== null && formattedFields.has(field) && { format: findFormat(field, language, columns[index]) }),
      ...((field === 'phone' || field === 'mobile_phone') && findLabelColumn(index, columns, headers)),
    }
  })
}

/** Keeps at most 100 samples of 300 characters, because more would take too much time. */
const shortenSamples = ({ samples, ...column }: Column): Column => ({
  ...column,
  samples: samples.slice(0, 100).map((sample) => sample.slice(0, 300)),
})

function chooseAll(kind: ImportedKind, columns: readonly Column[]): (FieldChoice & { format?: NumberFormat })[] {
  const { headers, language } = readHeaders(columns.map(({ header }) => header))
  const hasHeaders = headers.some(({ isNamed }) => isNamed)
  const choices = hasHeaders ? chooseFields(kind, columns, headers) : guessFields(kind, columns)
  return choices.map((choice, index) => {
    const { field } = choice
    if (field === null || !formattedFields.has(field)) return choice
    return { ...choice, format: findFormat(field, language, columns[index]) }
  })
}

function chooseFields(kind: ImportedKind, columns: readonly Column[], headers: readonly Header[]): FieldChoice[] {
  const isOwn = findOwnColumns(
    kind,
    columns.map(({ header }) => header),
  )
  const candidates = columns.flatMap(({ header, samples }, index) =>
    isOwn(header) ? [] : findCandidate(kind, index, headers[index], samples),
  )
  const chosen = new Map(chooseCandidates(kind, candidates).map((candidate) => [candidate.index, candidate]))
  const contradicted = new Set(candidates.filter(({ rule, samples }) => !canBe(rule.content, samples)).map(({ index }) => index))
  const matched = new Set(candidates.map(({ index }) => index))
  const choices = columns.map(({ header }, index): FieldChoice => {
    if (isOwn(header)) return { field: leftOutField, certainty: 'sure', reason: 'header' }
    const candidate = chosen.get(index)
    if (candidate) return { ...toChoice(candidate), ...findLabelColumn(index, columns, headers) }
    if (contradicted.has(index)) return { field: null, certainty: 'unsure', reason: 'content_contradicts' }
    if (matched.has(index)) return { field: null, certainty: 'sure', reason: 'other_column_preferred' }
    // `header_excluded`: some words of the header are known, but no rule fits the whole header
    return (headers[index]?.concepts.size ?? 0) > 0
      ? { field: null, certainty: 'sure', reason: 'header_excluded' }
      : { field: null, certainty: 'unsure', reason: 'unknown' }
  })
  return addFoundEmailAndPhone(kind, choices, columns)
}

/**
 * Returns the candidate for the rule that explains the header best, or an empty list: rules that fit the cells come first, then those that
 * need most concepts, then the first in the list.
 */
function findCandidate(kind: ImportedKind, index: number, header: Header | undefined, samples: readonly string[]): Candidate[] {
  if (!header || header.concepts.size === 0) return []
  const { neutral, rules } = fields[kind]
  const found = rules
    .map((rule: Rule, rank) => ({ rule, rank, needs: rule.needs.split(' ') }))
    .filter(({ rule, needs }) => {
      if (rule.filled && isEmpty(samples)) return false
      const explained = new Set([...needs, ...rule.allows.split(' '), ...neutral.split(' ')])
      return needs.every((concept) => header.concepts.has(concept)) && [...header.concepts].every((concept) => explained.has(concept))
    })
    .toSorted(
      (a, b) => Number(canBe(b.rule.content, samples)) - Number(canBe(a.rule.content, samples)) || b.needs.length - a.needs.length,
    )[0]
  if (!found) return []
  const isSure = header.unknownWords === 0
  if (!isSure && found.needs.some((concept) => weakConcepts.has(concept))) return []
  if (header.unknownWords > 1) return []
  const rule = isSure ? found.rule : { ...found.rule, lastResort: true }
  // the number in the header puts "E-mail" before "E-mail 2" if both have the same rule
  return [{ index, header, samples, rule, rank: found.rank + Math.min(header.number, 99) / 100, isSure }]
}

/** Removes the candidates whose cells contradict their rule, and those whose field is given to a better candidate. */
function chooseCandidates(kind: ImportedKind, candidates: readonly Candidate[]): Candidate[] {
  const possible = candidates.filter(({ rule, samples }) => canBe(rule.content, samples))
  const resolved = kind === 'contact' ? chooseAddress(resolveNameFields(possible)) : possible
  const ordered = resolved.toSorted((a, b) => order(a) - order(b) || a.rank - b.rank || a.index - b.index)
  return ordered.filter((candidate, position) => {
    const { field, lastResort } = candidate.rule
    const isTaken = ordered.slice(0, position).some(({ rule }) => rule.field === field)
    if (lastResort) return !isTaken && !ordered.some((other) => other !== candidate && coversField(other.rule, field))
    return repeatableFields.has(field) || !isTaken
  })
}

const order = ({ isSure, samples, rule }: Candidate): number => (rule.lastResort ? 4 : 0) + (isSure ? 0 : 2) + (isEmpty(samples) ? 1 : 0)

/** Whether the rule is no last resort and is for this field. A rule for the mobile phone also counts for the phone. */
const coversField = (rule: Rule, field: string): boolean =>
  !rule.lastResort && (rule.field === field || (field === 'phone' && rule.field === 'mobile_phone'))

const toChoice = ({ rule, rank }: Candidate): FieldChoice => ({
  field: rule.field,
  certainty: rule.lastResort ? 'unsure' : 'sure', // the rule of an unsure candidate is a last resort
  reason: 'header',
  rank,
})

/** Finds the column beside a phone number that says whether it is a mobile or a fax: "Phone 1 - Type" beside "Phone 1 - Value". */
function findLabelColumn(index: number, columns: readonly Column[], headers: readonly Header[]): Pick<FieldChoice, 'labelColumn'> {
  const digits = (position: number): string => columns[position]?.header?.replaceAll(/\D/g, '') ?? ''
  if (!headers[index]?.concepts.has('phone')) return {}
  const labelColumn = [index - 1, index + 1].find((beside) => {
    const concepts = headers[beside]?.concepts
    return concepts?.has('phone') && (concepts.has('kind') || concepts.has('tag')) && digits(beside) === digits(index)
  })
  return labelColumn === undefined ? {} : { labelColumn }
}

/** Maps a column with an unknown header if its cells are e-mails or phone numbers and no other column has them. */
function addFoundEmailAndPhone(kind: ImportedKind, choices: readonly FieldChoice[], columns: readonly Column[]): FieldChoice[] {
  const result = [...choices]
  if (kind !== 'contact' && kind !== 'company') return result
  for (const field of ['email', 'phone'] as const) {
    if (result.some((choice) => choice.field === field || (field === 'phone' && choice.field === 'mobile_phone'))) continue
    const index = result.findIndex(
      ({ reason }, position) =>
        (reason === 'unknown' || reason === 'content_contradicts') && belongsToRecord(field, columns[position]?.samples ?? []),
    )
    if (index >= 0) result[index] = { field, certainty: 'unsure', reason: 'content' }
  }
  return result
}

/** Whether the cells are e-mails or phone numbers of different people. Those of an owner or an assistant are repeated. */
function belongsToRecord(field: 'email' | 'phone', samples: readonly string[]): boolean {
  const filled = samples.filter((sample) => sample.trim() !== '')
  return isMostly(field, filled) && new Set(filled).size === filled.length && filled.length > 1
}
