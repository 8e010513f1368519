// Decides whether a row can become a record at all, for the import and for its preview.
import type { ImportKind } from '#contract/imports.ts'
import { tagLimits } from '#contract/fields.ts'
import type { ColumnMapping } from './mapping/column-mapping.ts'
import { findPhones } from './mapping/phones.ts'
import type { ReadRecord } from './mapping/read-record.ts'

/** Why a row fails, in a sentence. `column`: the header of the wrong column; empty if the whole row is wrong. */
export type RowProblem = { column: string; reason: string }

/** A record needs at least one of `fields`, which are read from cells of `columns`. `reason`: the sentence for a row without them. */
const requirements: Record<ImportKind, { fields: readonly string[]; columns: readonly string[]; reason: string }> = {
  contact: {
    fields: ['first_name', 'last_name', 'email', 'phone', 'mobile_phone'],
    columns: ['full_name', 'first_name', 'last_name', 'email', 'phone', 'mobile_phone'],
    reason: 'This row has no name, email or phone.',
  },
  company: { fields: ['name'], columns: ['name'], reason: 'This row has no name of a company.' },
  deal: { fields: ['title'], columns: ['title'], reason: 'This row has no title.' },
  task: { fields: ['title'], columns: ['title'], reason: 'This row has no title.' },
}

/** What a cell of a field must be, for sentences such as "“soon” is not a date". */
const expected: Readonly<Record<string, string>> = {
  email: 'an email',
  phone: 'a phone number',
  mobile_phone: 'a phone number',
  website: 'a web address',
  value: 'an amount that a deal can have',
  probability: 'a percentage',
  employees_count: 'a number of employees',
  expected_close_date: 'a date from 1900 to 2199',
  due_date: 'a date from 1900 to 2199',
  stage: 'a stage of deals',
  status: 'a status of tasks',
  priority: 'a priority',
}

/**
 * Returns why a row cannot become a record. A contact keeps unstorable cells in `raw_data`, so it fails only if it has no name, no email
 * and no phone. Other kinds have no place for unstorable cells, so a row with such a cell fails.
 */
export function findProblem(
  kind: ImportKind,
  record: ReadRecord,
  mapping: readonly ColumnMapping[],
  cells: readonly string[],
): RowProblem | undefined {
  const { fields, columns, reason } = requirements[kind]
  const isMissing = !fields.some((field) => record.fields[field] !== undefined)
  const unstorable = isMissing ? record.unstorable.filter((index) => columns.includes(mapping[index]?.field ?? '')) : record.unstorable
  const [wrong] = kind === 'contact' && !isMissing ? [] : unstorable
  if (wrong !== undefined)
    return { column: nameColumn(mapping[wrong], wrong), reason: describeCell(record, mapping[wrong]?.field ?? '', cells[wrong] ?? '') }
  if (!isMissing) return undefined
  const column = mapping.findIndex(({ field }) => field !== null && columns.includes(field))
  return { column: column < 0 ? '' : nameColumn(mapping[column], column), reason }
}

/** Fields of which a record has one value, although a cell or several columns may have more. */
const singleValues: Readonly<Record<string, string>> = {
  email: 'one email',
  phone: 'one phone and one mobile phone',
  mobile_phone: 'one phone and one mobile phone',
  stage: 'one stage',
}
const nameFields: ReadonlySet<string> = new Set(['full_name', 'first_name', 'middle_name', 'last_name'])

/**
 * Returns for each cell that a storable record does not have completely in its field why it is so, and where the cell goes: contacts keep
 * it as additional data, and other records have no place for it.
 */
export const findRemarks = (
  kind: ImportKind,
  record: ReadRecord,
  mapping: readonly ColumnMapping[],
  cells: readonly string[],
): RowProblem[] =>
  record.incomplete.map((index) => ({
    column: nameColumn(mapping[index], index),
    reason: describeIncomplete(kind, record, mapping[index]?.field ?? '', cells[index] ?? '', record.unstorable.includes(index)),
  }))

function describeIncomplete(kind: ImportKind, record: ReadRecord, field: string, cell: string, isUnstorable: boolean): string {
  const isKept = kind === 'contact'
  if (isUnstorable) return `${describeCell(record, field, cell)}${isKept ? ' It is kept as additional data.' : ''}`
  const text = `“${shortenCell(cell)}”`
  if (nameFields.has(field)) return `${text} is not completely in the name. It is kept as additional data.`
  const values = singleValues[field]
  if (values === undefined) return `The time of ${text} is left out, because this field has only a date.`
  const phones = [record.fields['phone'], record.fields['mobile_phone']]
  const numbers = field === 'phone' || field === 'mobile_phone' ? findPhones(cell) : []
  if (numbers.length > 0 && numbers.every((number) => phones.includes(number)))
    return `${text} has more than phone numbers. The ${isKept ? 'whole text is kept as additional data' : 'rest is left out'}.`
  const limit = `A ${kind} has ${kind === 'company' && field === 'phone' ? 'one phone' : values}.`
  const hasPart = [record.fields[field], ...phones].some((value) => typeof value === 'string' && cell.includes(value))
  if (isKept) return `${limit} ${hasPart ? `The whole text ${text}` : text} is kept as additional data.`
  return `${limit} ${hasPart ? `The rest of ${text}` : text} is left out.`
}

const shortenCell = (cell: string): string => (cell.trim().length > 60 ? `${cell.trim().slice(0, 59).toWellFormed()}…` : cell.trim())

/** In characters. A text that is longer and cannot be stored is too long for its field. */
const maxShortLength = 100

/** Says why a cell cannot be stored in its field. */
function describeCell({ fields, links }: ReadRecord, field: string, cell: string): string {
  const text = shortenCell(cell)
  if (field === 'tags') return `“${text}” cannot be stored here: a record has at most ${limitsOfTags}.`
  const hasValue = fields[field] !== undefined || links[field] !== undefined
  if (field === 'lead_source' && cell.trim().length > maxShortLength) return `“${text}” is too long for this field.`
  if (hasValue) return `“${text}” cannot be stored here: another column has the same field and another value.`
  const what = expected[field]
  if (what) return `“${text}” is not ${what}.`
  return cell.trim().length > maxShortLength ? `“${text}” is too long for this field.` : `“${text}” cannot be stored here.`
}

const limitsOfTags = `${tagLimits.count} tags, of at most ${tagLimits.length} characters each`

/** Returns the header of a column, or its number if the file has no header. */
export const nameColumn = (mapping: Pick<ColumnMapping, 'header'> | undefined, index: number): string =>
  mapping?.header?.trim() || `Column ${index + 1}`
