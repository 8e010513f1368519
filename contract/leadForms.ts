import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { FormField, FormFields } from './formFields.ts'
import { NewInstant } from './newInstant.ts'
import { wholeNumber } from './numbers.ts'
import { Instant, multilineText, requiredText } from './fields.ts'
import { NewRecordId, systemFields, Version } from './records.ts'
import { defineRoutes } from './route.ts'
import { Slug } from './slugs.ts'

export const defaultSuccessMessage = 'Thank you for your submission!'

/** An address to which a visitor goes after the form, or empty. */
const RedirectUrl = z.string().check(
  z.trim(),
  z.maxLength(1000, 'At most 1,000 characters'),
  z.refine((url) => url === '' || /^https?:\/\/[^\s/?#]+\S*$/i.test(url), 'Enter an address like https://example.com/thanks'),
)

const fields = {
  title: requiredText('title', 200),
  slug: Slug.check(z.minLength(1, 'Enter at least one letter or digit')),
  description: multilineText,
  success_message: multilineText,
  is_active: z.boolean(),
  redirect_url: RedirectUrl,
  /** From this time on the form takes no submissions. */
  closes_at: z.nullable(NewInstant),
  /** The form takes no more submissions when it has this number of them, not counting spam. */
  max_submissions: z.nullable(z.int().check(z.gte(1, 'At least 1'), z.lte(1_000_000, 'At most 1,000,000'))),
  form_fields: FormFields,
}

export const LeadForm = z.object({
  ...systemFields,
  title: z.string(),
  slug: z.string(),
  description: z.string(),
  success_message: z.string(),
  is_active: z.boolean(),
  redirect_url: z.string(),
  closes_at: z.nullable(Instant),
  max_submissions: z.nullable(z.int()),
  form_fields: z.array(FormField),
  /** No field with this number or a higher one has ever had an automatic name, such as `field_3`. */
  next_field_number: z.int(),
  /** The number of submissions without spam, and the number of submissions that are spam. */
  submission_count: z.int(),
  spam_count: z.int(),
  last_submission_at: z.nullable(Instant),
})
export type LeadForm = z.infer<typeof LeadForm>

/** A lead form in the list. */
export const LeadFormRow = z.omit(LeadForm, { next_field_number: true })
export type LeadFormRow = z.infer<typeof LeadFormRow>

/** Without a slug the form gets one from its title. */
export const NewLeadForm = z.strictObject({
  id: NewRecordId,
  title: fields.title,
  slug: z.optional(Slug),
  description: z._default(fields.description, ''),
  success_message: z._default(fields.success_message, defaultSuccessMessage),
})
export type NewLeadForm = z.input<typeof NewLeadForm>

const LeadFormPatch = z.extend(z.partial(z.strictObject(fields)), { version: Version })
export type LeadFormPatch = z.input<typeof LeadFormPatch>

const Id = z.strictObject({ id: z.uuid() })
const formId = exampleId('lead form')

export const leadFormRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/lead-forms',
    summary: 'The lead forms, newest first',
    caller: 'user',
    changes: 'nothing',
    query: z.strictObject({
      after: z.optional(z.string().check(z.maxLength(2000))),
      limit: z._default(wholeNumber({ min: 1, max: 200 }), 50),
    }),
    out: z.object({ rows: z.array(LeadFormRow), next: z.nullable(z.string()) }),
    example: {},
  },
  get: {
    method: 'GET',
    path: '/api/lead-forms/{id}',
    summary: 'One lead form',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: LeadForm,
    example: { params: { id: formId } },
  },
  create: {
    method: 'POST',
    path: '/api/lead-forms',
    summary: 'Add a lead form',
    caller: 'user',
    changes: 'journaled',
    body: NewLeadForm,
    out: LeadForm,
    status: 201,
    responseIfRepeated: { fromRoute: 'get', idFrom: 'record' },
    errors: ['duplicate'],
    example: { body: { title: 'Ask for an offer', description: 'Tell us what you need.' } },
  },
  update: {
    method: 'PATCH',
    path: '/api/lead-forms/{id}',
    summary: 'Change a lead form and its fields. Earlier submissions keep the fields with which they were made',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    body: LeadFormPatch,
    out: LeadForm,
    responseIfRepeated: { fromRoute: 'get' },
    errors: ['conflict', 'duplicate'],
    example: {
      params: { id: formId },
      body: {
        form_fields: [
          { id: '01930000-0000-7000-8000-0000000f0001', field_name: 'email', field_label: 'Email', field_type: 'email', is_required: true },
        ],
      },
    },
  },
  delete: {
    method: 'DELETE',
    path: '/api/lead-forms/{id}',
    summary: 'Delete a lead form with its submissions; they stay in the trash for 30 days',
    caller: 'user',
    changes: 'journaled',
    mayContinue: true,
    params: Id,
    example: { params: { id: formId } },
  },
})
