import type { Booking } from '#contract/bookings.ts'
import { checkAnswers, formatAnswer } from '#contract/formFields.ts'
import { fieldPrefix } from '#contract/visitorForms.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { PublicLink } from './links.store.ts'

/**
 * Returns the answers to the questions of the link, with the labels and types of the questions; null without answers. Throws `invalid` with a
 * message for each question whose answer is missing or not valid.
 */
export function readAnswers({ questions }: PublicLink, { values }: { values: Readonly<Record<string, unknown>> }): Booking['answers'] {
  const fields = questions?.fields ?? []
  const { answers, messages } = checkAnswers(fields, values)
  if (Object.keys(messages).length > 0)
    throw new Refusal('invalid', {
      fields: Object.fromEntries(Object.entries(messages).map(([name, message]) => [fieldPrefix + name, message])),
    })
  const answered = fields.flatMap(({ field_name: name, field_label: label, field_type: type }) => {
    const answer = answers[name]
    return answer === undefined ? [] : [{ label, text: formatAnswer(answer), type }]
  })
  return answered.length === 0 ? null : { values: answered }
}
