// What the forms of public pages share with the server. This file has no schemas, because the scripts of these pages load it.

/** The name of the invisible field that only programs fill in. Forms without script have it too. */
export const trapFieldName = 'subject_line'

/** The names of the fields that an owner has added begin with this text in forms, so that they differ from the other fields of the page. */
export const fieldPrefix = 'field.'

/** The names of the hidden fields that say from which day and zone the times in the list of a form are. */
export const listedFieldNames = { date: 'listed_date', timezone: 'listed_timezone' } as const

/**
 * Returns the start that the visitor has chosen; empty if the list has the times of another day or zone than the fields show, because the
 * visitor would then get a time that the page does not show.
 */
export function readChosenStart(form: { get: (name: string) => unknown }): string {
  const isOfOtherDay = (['date', 'timezone'] as const).some((name) => {
    const listed = form.get(listedFieldNames[name])
    return listed !== null && listed !== form.get(name)
  })
  const start = form.get('start_time')
  return isOfOtherDay || typeof start !== 'string' ? '' : start
}

/** A form that arrives sooner than this after its page was made counts as sent by a program. In seconds. */
export const minFillSeconds = 3
export const minFillSecondsWithoutScript = 8
