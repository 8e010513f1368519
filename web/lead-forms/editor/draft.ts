import * as z from 'zod/mini'
import { FormFields } from '#contract/formFields.ts'
import type { LeadForm, LeadFormPatch } from '#contract/leadForms.ts'
import { getFieldErrors } from '#web/lib/forms.ts'
import { FieldDraft, toSentFields } from '#web/records/formFields/fieldDrafts.ts'

/** The values of a form as they are typed in the editor. */
export const FormDraft = z.object({
  title: z.string(),
  slug: z.string(),
  description: z.string(),
  success_message: z.string(),
  redirect_url: z.string(),
  /** The local time as `YYYY-MM-DDTHH:MM`, or empty. */
  closes_at: z.string(),
  max_submissions: z.string(),
  fields: z.array(FieldDraft),
})
export type FormDraft = z.infer<typeof FormDraft>

export const toDraft = (form: LeadForm): FormDraft => ({
  title: form.title,
  slug: form.slug,
  description: form.description,
  success_message: form.success_message,
  redirect_url: form.redirect_url,
  closes_at: form.closes_at === null ? '' : toLocalTime(form.closes_at),
  max_submissions: form.max_submissions === null ? '' : String(form.max_submissions),
  fields: form.form_fields,
})

/** Returns the parts of the form that the user has changed, in the format of the server. */
export function toPatch(draft: FormDraft, saved: LeadForm): LeadFormPatch {
  const before = toDraft(saved)
  const values = toValues(draft)
  const savedValues = toValues(before)
  const changed = Object.entries(values).filter(([name, value]) => !isEqual(value, savedValues[name]))
  return { ...Object.fromEntries(changed), version: saved.version }
}

/** Returns the draft of the saved form, with the values that the user has changed since `sent` was sent. */
export function keepLaterChanges(draft: FormDraft, sent: FormDraft, saved: LeadForm): FormDraft {
  const sentValues: Record<string, unknown> = sent
  const changes = Object.entries(draft).filter(([name, value]) => !isEqual(value, sentValues[name]))
  return { ...toDraft(saved), ...Object.fromEntries(changes) }
}

/**
 * Returns a message for each value that cannot be saved, by the name of its field. `inputs` are the inputs of the settings: the draft has
 * an empty text for an input that the browser cannot read, such as half a date.
 */
export function getDraftErrors({ fields, closes_at }: FormDraft, inputs: Iterable<HTMLInputElement>): Record<string, string> {
  const listErrors = Object.entries(getFieldErrors(FormFields, toSentFields(fields)))
  const unreadable = [...inputs].filter(({ validity }) => validity.badInput)
  return {
    ...Object.fromEntries(listErrors.map(([path, text]) => [path ? `form_fields.${path}` : 'form_fields', text])),
    ...Object.fromEntries(unreadable.map(({ name }) => [name, unreadableMessages[name] ?? 'This cannot be read'])),
    ...(closes_at !== '' && Number.isNaN(Date.parse(closes_at)) && { closes_at: 'The year can have at most four digits' }),
  }
}

const unreadableMessages: Readonly<Record<string, string>> = {
  closes_at: 'Enter a date and a time, or leave the field empty',
  max_submissions: 'Enter a number, or leave the field empty',
}

export const isChanged = (draft: FormDraft, saved: LeadForm): boolean => !isEqual(draft, toDraft(saved))

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const toValues = ({ fields, closes_at, max_submissions, ...texts }: FormDraft): Record<string, unknown> => ({
  ...texts,
  closes_at: closes_at === '' ? null : new Date(closes_at).toISOString(),
  max_submissions: max_submissions.trim() === '' ? null : Number(max_submissions),
  form_fields: toSentFields(fields),
})

/** Returns the time as `YYYY-MM-DDTHH:MM` in the time zone of the browser. */
function toLocalTime(at: string): string {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
