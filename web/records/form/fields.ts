import * as z from 'zod/mini'
import { formatNumber } from '#web/lib/format.ts'
import { parseNumber } from '#web/lib/numbers.ts'

/**
 * The value of a form field: a text as the user typed it (also for numbers and dates), null for an empty link field, or a list of tags. An
 * object, such as the weekly hours of a booking link, is stored as JSON.
 */
const FieldValue = z.union([z.string(), z.null(), z.array(z.string())])
export type FieldValue = z.infer<typeof FieldValue>

export const FieldValues = z.record(z.string(), FieldValue)
export type FieldValues = z.infer<typeof FieldValues>

/** Converts a value from the server into a form value: 26400.5 becomes "26,400.50". */
export function toFormValue(value: unknown): FieldValue {
  if (typeof value === 'number') return formatTypedNumber(value)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return JSON.stringify(value)
  return z.parse(FieldValue, value ?? null)
}

/**
 * Formats a number as people in the country of the user type numbers: "26,400.50". If `parseNumber` reads that text as
 * another number, as with the groups of two digits in India, returns the number without separators of thousands: "26400.50".
 */
function formatTypedNumber(number: number): string {
  const text = formatNumber(number, Number.isInteger(number) ? {} : { minimumFractionDigits: 2 })
  return parseNumber(text) === number ? text : number.toFixed(Number.isInteger(number) ? 0 : 2)
}

/** Converts the labelled fields of a record to form values. */
export const toFormValues = (record: Readonly<Record<string, unknown>>, labels: FieldLabels): FieldValues =>
  Object.fromEntries(Object.keys(labels).map((name) => [name, toFormValue(record[name])]))

/** Returns the text of a form value; an empty text for null and for a list of tags. */
export const toText = (value: FieldValue | undefined): string => (typeof value === 'string' ? value : '')

/** Returns the values that differ from `base`. Leading and trailing spaces do not count, because the server removes them. */
export function getChangedFields(base: FieldValues, values: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(value, base[name])))
}

/** Returns true if any value differs from `base`. */
export const isChanged = (base: FieldValues, values: FieldValues): boolean => Object.keys(getChangedFields(base, values)).length > 0

const isSame = (one: FieldValue, other: FieldValue | undefined): boolean =>
  JSON.stringify(normalise(one)) === JSON.stringify(normalise(other))

const normalise = (value: FieldValue | undefined): string | string[] => (Array.isArray(value) ? value : (value?.trim() ?? ''))

/** The labels of the fields of a form by field name, in the order of the form. */
export type FieldLabels = Readonly<Record<string, string>>

/** Formats field labels as a list: "Phone", "Phone and title", "Phone, title and company". */
export function formatFieldList(labels: FieldLabels, names: readonly string[]): string {
  const [first = '', ...others] = new Set(names.map((name) => labels[name] ?? name))
  return new Intl.ListFormat('en-GB').format([first, ...others.map((label) => label.toLowerCase())])
}
