// What the forms of public pages share with the server. This file has no schemas, because the scripts of these pages load it.
import { regexes } from 'zod/mini'

/** The name of the invisible field that only programs fill in. Forms without script have it too. */
export const trapFieldName = 'subject_line'

/** The names of the fields that an owner has added begin with this text in forms, so that they differ from the other fields of the page. */
export const fieldPrefix = 'field.'

/** Groups the entries of the owner's fields by the names of the fields. The time is proportional to the number of entries. */
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

/** Returns the texts of the owner's fields in the format of the API: a list only if a field has several texts. Leaves out files. */
export function readFieldValues(form: Iterable<readonly [string, unknown]>): Record<string, string | string[]> {
  const values = [...groupFields(form)].flatMap(([name, entries]) => {
    const texts = entries.filter((entry) => typeof entry === 'string')
    const [first] = texts
    return first === undefined ? [] : [[name, texts.length > 1 ? texts : first] as const]
  })
  return Object.fromEntries(values)
}

/** The names of the hidden fields with the day and the time zone of the times that a form lists. */
export const listedFieldNames = { date: 'listed_date', timezone: 'listed_timezone' } as const

/**
 * Returns the start that the visitor has chosen; empty if the visitor has changed the day or the zone since the times were listed, as is
 * possible without scripts. The chosen time would be booked on a day that the field does not show any more.
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

/** The maximum lengths of answers, by the type of the field. */
const maxLengths: Readonly<Record<string, number>> = { textarea: 10_000, email: 254, tel: 50 }

/** For some types of fields: the test of an answer, and the message if the test fails. */
type AnswerTest = [test: (answer: string) => boolean, message: string]
const answerTests: Readonly<Record<string, AnswerTest>> = {
  email: [(answer) => regexes.email.test(answer), 'must be an email like name@example.com'],
  tel: [(answer) => /\p{Nd}/u.test(answer), 'must be a phone number like +44 20 7946 0118'],
  number: [(answer) => /^[+-]?\d{1,15}(?:\.\d{1,10})?$/.test(answer), 'must be a number like 12.5'],
  date: [(answer) => regexes.date.test(answer) && !answer.startsWith('0000'), 'must be a date like 2027-01-31'],
}

/**
 * Returns what is wrong with the text that answers a field of this type, as the end of a sentence that begins with the label; undefined if
 * nothing is. `type`: the type of a field or of its input; a type without rules of its own has those of `text`.
 */
export function findAnswerError(type: string, answer: string): string | undefined {
  const max = maxLengths[type] ?? 1000
  if (answer.length > max) return `must have at most ${max} characters`
  const [test, message] = answerTests[type] ?? []
  return test?.(answer) === false ? message : undefined
}

type Problem = { code?: string; detail?: string; retry_after_seconds?: number | undefined }

/**
 * Returns the problem of a refused form as its visitor reads it. Other people in the same network may have used up a limit, so the sentence
 * must not say that the visitor has tried too often.
 */
export function withLimitMessage<P extends Problem>(problem: P): P {
  if (problem.code !== 'too_many_requests') return problem
  const sentence = 'Too many forms were sent from your network or to this page.'
  return { ...problem, detail: `${sentence} Try again ${formatWait(problem.retry_after_seconds)}.` }
}

function formatWait(seconds: number | undefined): string {
  if (seconds === undefined) return 'later'
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 1 ? 'in a minute' : `in ${minutes} minutes`
}
