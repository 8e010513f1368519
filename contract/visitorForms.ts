// What the forms of visitors share with the server. Without schemas, because the scripts of the pages load it.

/** The name of the invisible field, in forms without script too. */
export const trapFieldName = 'subject_line'

/** The names of the fields that an owner has added begin with this text in forms, so that they differ from the other fields of the page. */
export const fieldPrefix = 'field.'

/** A visitor who sends a page sooner after it was made is a program. In seconds. */
export const minFillSeconds = 3
export const minFillSecondsWithoutScript = 8
