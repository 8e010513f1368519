// Turns the rows of an imported table into records.
import * as z from 'zod/mini'
import { CompanyFields } from '#contract/companies.ts'
import { leftOutField } from '#contract/importFields.ts'
import { ContactFields, mergedContactsKey, syncedValuesKey } from '#contract/contacts.ts'
import { DealFields } from '#contract/deals.ts'
import { tagLimits, toAsciiDomain } from '#contract/fields.ts'
import { TaskFields } from '#contract/tasks.ts'
import { readNumber } from './amounts.ts'
import { readChoice } from './choices.ts'
import type { ColumnMapping, ImportedKind } from './column-mapping.ts'
import { isParticle, splitFullName } from './full-name.ts'
import { findPhones, hasOnlyPhones, readPhones } from './phones.ts'
import { findEmails, hasTime, readDate, readUrl, withoutInvisible, type NumberFormat } from './values.ts'

type FieldValue = string | number | string[]
/**
 * A row as a record. `fields` are fields of the create verb. `links` are names of other records: `reports_to`, `contact_name`,
 * `company_name` and `deal_title`. `raw_data` has, by header, all cells that are not completely in the other parts: cells without a field,
 * further e-mails, and unstorable cells. `incomplete` has the indexes of the columns with a field whose cells are not completely in the
 * record without `raw_data`. `unstorable` has those of them whose cells cannot be stored in their fields: unreadable cells, tags above the
 * limits, and cells that differ from the value that another column gives to the field, except in `chosenFields`.
 */
export type ReadRecord = {
  fields: Record<string, FieldValue>
  links: Record<string, string>
  notes: string
  raw_data: Record<string, string>
  incomplete: number[]
  unstorable: number[]
}

type Cell = { column: number; text: string; mapping: ColumnMapping }

const schemas: Record<ImportedKind, Record<string, z.ZodMiniType>> = {
  contact: ContactFields.shape,
  company: CompanyFields.shape,
  deal: DealFields.shape,
  task: TaskFields.shape,
}
const nameFields = ['full_name', 'first_name', 'last_name', 'middle_name']
const linkNames = ['reports_to', 'contact_name', 'company_name', 'deal_title']
/** Fields that take one of several values. Only contacts store the other values, in `raw_data`. */
const chosenFields = ['email', 'phone', 'mobile_phone', 'stage']

/** Returns a function that reads rows of the table with this mapping. A row may have fewer cells than the mapping has columns. */
export function createRecordReader(kind: ImportedKind, mapping: readonly ColumnMapping[]): (row: readonly string[]) => ReadRecord {
  const order = mapping
    .map((column, index) => ({ mapping: column, column: index }))
    .toSorted((a, b) => (a.mapping.rank ?? 0) - (b.mapping.rank ?? 0) || a.column - b.column)
  return (row) => {
    const cells = order.map(({ mapping: column, column: index }) => ({ mapping: column, column: index, text: readText(row[index]) }))
    return readCells(kind, cells, row)
  }
}

/** Returns the text of a cell. Outlook writes an unknown date as "0/0/00" or, in Germany, as "00.00.00". */
function readText(cell = ''): string {
  const text = cell.trim()
  return /^00?([./-])00?\1(00){1,2}$/.test(text) ? '' : text
}

function readCells(kind: ImportedKind, cells: readonly Cell[], row: readonly string[]): ReadRecord {
  const filled = cells.filter(({ text }) => text !== '')
  const cellsOf = (field: string): Cell[] => filled.filter(({ mapping }) => mapping.field === field)
  const textOf = (field: string): string => cellsOf(field)[0]?.text ?? ''
  const phones = readPhones(kind, cellsOf, row)
  const candidates: Record<string, readonly (FieldValue | undefined)[]> = {
    ...readSimpleFields(filled),
    ...(kind === 'contact' && { ...readName(textOf), ...readCity(textOf('postal_code_and_city')) }),
    email: cellsOf('email').flatMap(({ text }) => findEmails(text)),
    phone: phones.phone,
    mobile_phone: phones.mobile_phone,
    mailing_street: [joinTexts(cellsOf('mailing_street'), ', ')],
    description: [joinTexts(cellsOf('description'), '\n\n')],
    tags: [readTags(cellsOf('tags'))],
    stage: readStage(cellsOf('stage')),
  }
  const fields: Record<string, FieldValue> = {}
  for (const [field, values] of Object.entries(candidates)) {
    const value = values.find((candidate) => candidate !== undefined && isStorable(kind, field, candidate))
    if (value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)) fields[field] = value
  }
  const links = Object.fromEntries(linkNames.flatMap((name) => (textOf(name) === '' ? [] : [[name, textOf(name)]])))
  const notes = joinTexts(cellsOf('notes'), '\n\n')
  const unused = filled.filter((cell) => !isUsed(cell, fields, links)).toSorted((a, b) => a.column - b.column)
  return {
    fields,
    links,
    notes,
    raw_data: toRawData(unused),
    incomplete: unused.filter(({ mapping }) => mapping.field !== null).map(({ column }) => column),
    unstorable: unused.filter((cell) => isUnstorable(cell, fields)).map(({ column }) => column),
  }
}

/** Whether the field can have the value. Imported contacts may have lead sources that the form does not offer. */
const isStorable = (kind: ImportedKind, field: string, value: FieldValue): boolean => {
  const schema = schemas[kind][field]
  return schema !== undefined && (field === 'lead_source' || z.safeParse(schema, value).success)
}

const dateFields: ReadonlySet<string> = new Set(['expected_close_date', 'due_date'])
const readers: Record<string, (text: string, format?: NumberFormat) => FieldValue | undefined> = {
  website: readUrl,
  value: (text, format) => roundTo(2, readNumber(text, format)),
  probability: (text, format) => roundTo(0, readPercentage(text, format)),
  employees_count: readNumber,
  expected_close_date: readDate,
  due_date: readDate,
  status: (text) => readChoice('status', text),
  priority: (text) => readChoice('priority', text),
  lead_source: (text) => readChoice('lead_source', text) ?? text.slice(0, 200).toWellFormed(),
}

/** Returns for each field the values of its cells, in the order in which they are preferred. */
function readSimpleFields(cells: readonly Cell[]): Record<string, (FieldValue | undefined)[]> {
  const byField = Map.groupBy(cells, ({ mapping }) => mapping.field ?? '')
  return Object.fromEntries(
    [...byField].map(([field, cellsOfField]) => {
      return [field, cellsOfField.map(readCell)]
    }),
  )
}

function readCell({ text, mapping: { field, format } }: Cell): FieldValue | undefined {
  const read = readers[field ?? '']
  return read ? read(text, format) : text.replaceAll(/\s+/g, ' ')
}

const roundTo = (decimals: number, value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.round(value * 10 ** decimals) / 10 ** decimals

/** Reads "40 %" and "40" as 40, and so "0.4" unless the column has larger numbers. In a column of fractions, "1" is 100. */
function readPercentage(text: string, format: NumberFormat = {}): number | undefined {
  const value = readNumber(text, format)
  if (value === undefined || text.includes('%') || format.isFraction === false) return value
  return value < 1 || (value === 1 && format.isFraction) ? value * 100 : value
}

/**
 * The maximum length of a middle name. The search for a longer one in the full name could take quadratic time, and no name could store it.
 */
const maxMiddleNameLength = 100

/** Reads the first and the last name, from the full name if the row does not have both. A Dutch "van der" belongs to the last name. */
function readName(textOf: (field: string) => string): { first_name: string[]; last_name: string[] } {
  const [full, middle] = [textOf('full_name'), textOf('middle_name')]
  const split = splitFullName(full)
  const first = textOf('first_name') || split.first_name
  const last = textOf('last_name') || split.last_name
  const isLeftOut = middle === '' || middle.length > maxMiddleNameLength || (textOf('first_name') === '' && full.includes(middle))
  if (isLeftOut) return { first_name: [first], last_name: [last] }
  return isParticle(middle)
    ? { first_name: [first], last_name: [`${middle} ${last}`.trim()] }
    : { first_name: [`${first} ${middle}`.trim()], last_name: [last] }
}

/** Splits "10115 Berlin". */
function readCity(text: string): Record<string, string[]> {
  const match = /^([^\s\d]*\d\S*(?:\s\d{2,3}|\s\p{Lu}{2})?)\s+(\p{L}.*)$/u.exec(text)
  if (!match) return text === '' ? {} : { mailing_city: [text] }
  return { mailing_postal_code: [match[1] ?? ''], mailing_city: [match[2] ?? ''] }
}

/** Returns the tags of the cells, as many as a record can have. */
const readTags = (cells: readonly Cell[]): string[] =>
  [...new Set(cells.flatMap(splitTags))].filter((tag) => tag.length <= tagLimits.length).slice(0, tagLimits.count)

/** Splits tags. Leaves out those that Google Contacts gives to every contact, such as "* myContacts". */
const splitTags = ({ text }: Cell): string[] =>
  text
    .split(/:::|[,;|\n]/)
    .map((tag) => tag.replaceAll(/^[\s"'*#]+|(?<![\s"'])[\s"']+$/g, ''))
    .filter((tag) => tag !== '' && tag !== 'myContacts')

/** Returns the stages that the cells name. A won or lost stage comes first, because it is preferred to an open one. */
function readStage(cells: readonly Cell[]): (string | undefined)[] {
  const stages = cells.map(({ text }) => readChoice('stage', text)).filter((stage) => stage !== undefined)
  return stages.toSorted((a, b) => Number(b.startsWith('closed')) - Number(a.startsWith('closed')))
}

const joinTexts = (cells: readonly Cell[], separator: string): string => [...new Set(cells.map(({ text }) => text))].join(separator)

/** Whether the record has the whole content of the cell. */
function isUsed(cell: Cell, fields: Record<string, FieldValue>, links: Record<string, string>): boolean {
  const { text, mapping } = cell
  const { field } = mapping
  if (field === null) return false
  if (field === 'notes' || field === leftOutField) return true
  if (linkNames.includes(field)) return links[field] === text
  const name = `${String(fields['first_name'] ?? '')} ${String(fields['last_name'] ?? '')}`
  if (nameFields.includes(field)) return hasWordsOf(name, text)
  if (field === 'postal_code_and_city') return Object.entries(readCity(text)).every(([part, [value]]) => fields[part] === value)
  if (field === 'tags') return splitTags(cell).every((tag) => Array.isArray(fields['tags']) && fields['tags'].includes(tag))
  if (field === 'phone' || field === 'mobile_phone') return hasOnlyPhones(text, [fields['phone'], fields['mobile_phone']])
  const value = fields[field]
  if (value === undefined) return false
  if (field === 'email') return value === toAsciiDomain(withoutInvisible(text))
  if (field === 'mailing_street' || field === 'description') return typeof value === 'string' && value.includes(text)
  if (field === 'lead_source') return value === text || readChoice('lead_source', text) === value
  if (field === 'stage') return readChoice('stage', text) === value
  return value === readCell(cell) && !(dateFields.has(field) && hasTime(text))
}

function hasWordsOf(name: string, text: string): boolean {
  const words = new Set(toWords(name))
  return toWords(text).every((word) => words.has(word))
}

const toWords = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')

/**
 * Whether an unused cell cannot be stored in its field. False for a fax number, which is readable and left out, and for a date without its
 * time.
 */
function isUnstorable(cell: Cell, fields: Record<string, FieldValue>): boolean {
  const { text, mapping } = cell
  const { field } = mapping
  if (field === null || nameFields.includes(field)) return false
  if (dateFields.has(field)) return fields[field] === undefined || fields[field] !== readCell(cell)
  if (!chosenFields.includes(field)) return true
  const isReadablePhone = (field === 'phone' || field === 'mobile_phone') && findPhones(text).length > 0
  return fields[field] === undefined && !isReadablePhone
}

/**
 * Names that have a meaning of their own in `raw_data` of a contact: a cell under such a name would be read as the values of a sync or a
 * merge. The validation of records drops `__proto__`.
 */
const reservedNames = new Set([syncedValuesKey, mergedContactsKey, '__proto__'])

/**
 * Returns the cells by their headers. Reserved headers, and later columns with the same header, get a number. The values of a column
 * `raw_data` that Foyer has exported get their own names again.
 */
function toRawData(cells: readonly Cell[]): Record<string, string> {
  const rawData = new Map<string, string>()
  const exported: [string, string][] = []
  for (const { column, text, mapping } of cells) {
    const header = mapping.header?.trim() || `Column ${column + 1}`
    const values = header === 'raw_data' ? readExportedData(text) : undefined
    if (values) exported.push(...values)
    else rawData.set(rawData.has(header) || reservedNames.has(header) ? `${header} (${column + 1})` : header, text)
  }
  for (const [name, value] of exported) if (!rawData.has(name) && !reservedNames.has(name)) rawData.set(name, value)
  return Object.fromEntries(rawData)
}

const ExportedData = z.record(z.string(), z.unknown())

/** Returns the names and values of an object in JSON; undefined for another text. */
function readExportedData(text: string): [string, string][] | undefined {
  try {
    const values = Object.entries(z.parse(ExportedData, JSON.parse(text)))
    return values.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
  } catch {
    return undefined // a table of another program
  }
}
