// The questions of a booking link as the value of a form field, which is JSON.
import * as z from 'zod/mini'
import { BookingLinkFields } from '#contract/bookingLinks.ts'
import type { FormField } from '#contract/formFields.ts'
import { formatCount } from '#web/lib/format.ts'
import { getFieldErrors } from '#web/lib/forms.ts'
import { FieldDraft, getListErrors, toSentFields } from '#web/records/formFields/fieldDrafts.ts'

type Questions = BookingLinkFields['questions']

const QuestionDrafts = z.object({ fields: z.array(FieldDraft) })

/** Returns the questions in the text of the form field. */
export const readQuestions = (text: string | null): FormField[] =>
  text ? (QuestionDrafts.safeParse(parseJson(text)).data?.fields ?? []) : []

/** Returns the text of the form field; null without questions. */
export const writeQuestions = (fields: readonly FormField[]): string | null => (fields.length === 0 ? null : JSON.stringify({ fields }))

const toQuestions = (text: string | null): Questions => {
  const fields = toSentFields(readQuestions(text))
  return fields.length === 0 ? null : { fields }
}

/** Creates a schema that converts the text of the form field and passes the questions to `schema`. */
export const questionsFromText = (schema: z.ZodMiniType<Questions>) =>
  z.pipe(
    z.nullable(z.string()),
    z.transform((text: string | null, context): Questions => {
      const result = z.safeParse(schema, toQuestions(text))
      if (result.success) return result.data
      const [issue] = result.error.issues
      const [, index] = issue?.path ?? []
      const place = index === undefined ? '' : `Question ${Number(index) + 1}: `
      context.issues.push({ code: 'custom', message: `${place}${issue?.message ?? 'Check the questions'}`, input: text })
      return z.NEVER
    }),
  )

/** Returns the error messages of the questions, by the id of the question and its property, such as `{id}.field_label`. */
export const findQuestionErrors = (text: string): Record<string, string> =>
  getListErrors(getFieldErrors(BookingLinkFields.shape.questions, toQuestions(text)), 'fields', readQuestions(text))

export const describeQuestions = (fields: readonly FormField[]): string =>
  fields.length === 0 ? 'None' : formatCount(fields.length, 'question')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
