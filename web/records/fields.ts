import * as z from 'zod/mini'

/** The fields of a record as a form holds them: text as typed, null for a choice that was not made. */
const FieldValues = z.record(z.string(), z.nullable(z.string()))
export type FieldValues = z.infer<typeof FieldValues>

/** The fields that differ from `base`. Blanks around a text are no difference: the server cuts them off. */
export function changesFrom(base: FieldValues, values: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => trimmed(value) !== trimmed(base[name])))
}

export const isChanged = (base: FieldValues, values: FieldValues): boolean => Object.keys(changesFrom(base, values)).length > 0

const trimmed = (value: string | null | undefined): string => value?.trim() ?? ''

/** What each field of a kind of record is called, in the order of its form. */
export type FieldLabels = Readonly<Record<string, string>>

/** Fields by name, as a list in words: "Phone", "Phone and title", "Phone, title and company". */
export function fieldsInWords(labels: FieldLabels, names: readonly string[]): string {
  const words = names.map((name) => labels[name] ?? name).map((label, index) => (index === 0 ? label : label.toLowerCase()))
  return new Intl.ListFormat('en-GB').format(words)
}
