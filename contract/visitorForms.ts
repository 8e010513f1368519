// What the forms of public pages share with the server. This file has no schemas, because the scripts of these pages load it.

/** The name of the invisible field that only programs fill in. Forms without script have it too. */
export const trapFieldName = 'subject_line'

/** The names of the fields that an owner has added begin with this text in forms, so that they differ from the other fields of the page. */
export const fieldPrefix = 'field.'

/** A form that arrives sooner than this after its page was made counts as sent by a program. In seconds. */
export const minFillSeconds = 3
export const minFillSecondsWithoutScript = 8
