import * as z from 'zod/mini'

/** A field as a form holds it: text as typed (numbers and dates too), null for a link that was not made, a list of tags. */
const FieldValue = z.union([z.string(), z.null(), z.array(z.string())])
export type FieldValue = z.infer<typeof FieldValue>

export const FieldValues = z.record(z.string(), FieldValue)
export type FieldValues = z.infer<typeof FieldValues>

/** A field as a form holds it, of what the server says: 26400.5 is "26400.5". */
export function toFormValue(value: unknown): FieldValue {
  if (typeof value === 'number') return String(value)
  return z.parse(FieldValue, value ?? null)
}

/** The fields of a record that have labels, as a form holds them. */
export const toFormValues = (record: Readonly<Record<string, unknown>>, labels: FieldLabels): FieldValues =>
  Object.fromEntries(Object.keys(labels).map((name) => [name, toFormValue(record[name])]))

/** What stands in a field of text; nothing for a link that was not made. */
export const toText = (value: FieldValue | undefined): string => (typeof value === 'string' ? value : '')

/** The fields that differ from `base`. Blanks around a text are no difference: the server cuts them off. */
export function changedFields(base: FieldValues, values: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(value, base[name])))
}

export const isChanged = (base: FieldValues, values: FieldValues): boolean => Object.keys(changedFields(base, values)).length > 0

const isSame = (one: FieldValue, other: FieldValue | undefined): boolean => JSON.stringify(trimmed(one)) === JSON.stringify(trimmed(other))

const trimmed = (value: FieldValue | undefined): string | string[] => (Array.isArray(value) ? value : (value?.trim() ?? ''))

/** What each field of a kind of record is called, in the order of its form. */
export type FieldLabels = Readonly<Record<string, string>>

/** Fields by name, as a list in words: "Phone", "Phone and title", "Phone, title and company". */
export function formatFieldList(labels: FieldLabels, names: readonly string[]): string {
  const words = names.map((name) => labels[name] ?? name).map((label, index) => (index === 0 ? label : label.toLowerCase()))
  return new Intl.ListFormat('en-GB').format(words)
}
