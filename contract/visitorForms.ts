// What the forms of public pages share with the server. This file has no schemas, because the scripts of these pages load it.

/** The name of the invisible field that only programs fill in. Forms without script have it too. */
export const trapFieldName = 'subject_line'

/** The names of the fields that an owner has added begin with this text in forms, so that they differ from the other fields of the page. */
export const fieldPrefix = 'field.'

/** Groups the entries of these fields by the names of the fields, in time that is proportional to the number of entries. */
export function groupFields<T>(form: Iterable<readonly [string, T]>): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const [prefixedName, entry] of form) {
    if (!prefixedName.startsWith(fieldPrefix)) continue
    const name = prefixedName.slice(fieldPrefix.length)
    const group = groups.get(name)
    if (group) group.push(entry)
    else groups.set(name, [entry])
  }
  return groups
}

/** Returns the texts that were entered in these fields in the format of the API: a list only if there are several. Leaves out files. */
export function readFieldValues(form: Iterable<readonly [string, unknown]>): Record<string, string | string[]> {
  const values = [...groupFields(form)].flatMap(([name, entries]) => {
    const texts = entries.filter((entry) => typeof entry === 'string')
    const [first] = texts
    return first === undefined ? [] : [[name, texts.length > 1 ? texts : first] as const]
  })
  return Object.fromEntries(values)
}

/** The names of the hidden fields that say from which day and zone the times in the list of a form are. */
export const listedFieldNames = { date: 'listed_date', timezone: 'listed_timezone' } as const

/**
 * Returns the start that the visitor has chosen; empty if the list has the times of another day or zone than the fields show, because the
 * visitor would then get a time that the page does not show.
 */
export function readChosenStart(form: { get: (name: string) => unknown }): string {
  const isListOutdated = (['date', 'timezone'] as const).some((name) => {
    const listed = form.get(listedFieldNames[name])
    return listed !== null && listed !== form.get(name)
  })
  const start = form.get('start_time')
  return isListOutdated || typeof start !== 'string' ? '' : start
}

/** A form that arrives sooner than this after its page was made counts as sent by a program. In seconds. */
export const minFillSeconds = 3
export const minFillSecondsWithoutScript = 8
