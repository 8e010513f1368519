// Reads the addresses of public pages, and the forms that browsers without scripts send to them.
import { fieldPrefix } from '#contract/visitorForms.ts'

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

/** Returns what was entered in the fields in the format of the API: a list only if there are several entries. */
export const readFieldValues = (form: FormData): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(readFieldTexts(form)).map(([name, texts]) => [name, texts.length > 1 ? texts : (texts[0] ?? '')]))

/**
 * Returns the chosen files, each with the name of its field. Leaves out the empty entry that a browser sends for a field without a file.
 */
export const readFieldFiles = (form: FormData): [name: string, file: File][] =>
  [...groupFields(form)].flatMap(([name, entries]) =>
    entries.flatMap((entry): [string, File][] => (entry instanceof File && (entry.size > 0 || entry.name !== '') ? [[name, entry]] : [])),
  )

/** Groups the entries of the fields by their names, in time that is proportional to the number of entries. */
function groupFields(form: FormData): Map<string, (File | string)[]> {
  const groups = new Map<string, (File | string)[]>()
  for (const [prefixedName, entry] of form.entries()) {
    if (!prefixedName.startsWith(fieldPrefix)) continue
    const name = prefixedName.slice(fieldPrefix.length)
    const group = groups.get(name)
    if (group) group.push(entry)
    else groups.set(name, [entry])
  }
  return groups
}
