// Reads the addresses of public pages, and the forms that browsers without scripts send to them.
import { groupFields } from '#contract/visitorForms.ts'

/** Returns the texts of a form or a query by their names. The last entry with a name counts; a list or a file is left out. */
export function textsOf(values: unknown): Readonly<Record<string, string>> {
  const entries = values instanceof FormData ? [...values.entries()] : Object.entries(values ?? {})
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Returns the texts that were entered in the fields that an owner has added, by the names of the fields. */
export function readFieldTexts(form: FormData): Record<string, string[]> {
  const texts = [...groupFields(form)].map(([name, entries]) => [name, entries.filter((entry) => typeof entry === 'string')] as const)
  return Object.fromEntries(texts.filter(([, entered]) => entered.length > 0))
}

/**
 * Returns the chosen files, each with the name of its field. Leaves out the empty entry that a browser sends for a field without a file.
 */
export const readFieldFiles = (form: FormData): [name: string, file: File][] =>
  [...groupFields(form)].flatMap(([name, entries]) =>
    entries.flatMap((entry): [string, File][] => (entry instanceof File && (entry.size > 0 || entry.name !== '') ? [[name, entry]] : [])),
  )
