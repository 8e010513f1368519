import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { FormField, formLimits } from './formFields.ts'
import { maxSelectedIds, SearchText } from './lists.ts'
import { wholeNumber } from './numbers.ts'
import { systemFields } from './records.ts'
import { defineRoutes } from './route.ts'
import { visitorFields } from './visitors.ts'

/** A file in a submission. */
export const SubmissionFile = z.object({
  id: z.uuid(),
  field_name: z.string(),
  file_name: z.string(),
  mime_type: z.string(),
  file_size: z.int(),
})
export type SubmissionFile = z.infer<typeof SubmissionFile>

/** A submission of a lead form in a list. */
export const Submission = z.object({
  ...systemFields,
  form_id: z.uuid(),
  form_title: z.string(),
  contact_id: z.nullable(z.uuid()),
  contact_name: z.string(),
  /** `name` and `email` are those of the visitor. `summary` is the beginning of the other answers. */
  name: z.string(),
  email: z.string(),
  summary: z.string(),
  is_spam: z.boolean(),
  /**
   * Why the submission was put into the spam folder: `trap`, `too_fast`, `too_many_without_script`, `many_links`, `known_words`,
   * `mixed_scripts` or `by_hand`; otherwise empty.
   */
  spam_reason: z.string(),
  /** The answers by the names of the fields. */
  submission_data: z.record(z.string(), z.union([z.string(), z.array(z.string()), z.boolean()])),
  /** Where the visitor came from: UTM parameters, and the page that contained the form. */
  source: z.record(z.string(), z.string()),
})
export type Submission = z.infer<typeof Submission>

/** A submission with the fields as the visitor saw them, which may have changed since. */
export const FullSubmission = z.extend(Submission, { version_fields: z.array(FormField), files: z.array(SubmissionFile) })
export type FullSubmission = z.infer<typeof FullSubmission>

const Id = z.strictObject({ id: z.uuid() })
const submissionId = exampleId('submission')

export const submissionRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/submissions',
    summary: 'The submissions of lead forms, newest first: those of a form or of a contact, without or only with spam',
    caller: 'user',
    changes: 'nothing',
    query: z.strictObject({
      form_id: z.optional(z.uuid()),
      contact_id: z.optional(z.uuid()),
      spam: z._default(z.enum(['true', 'false']), 'false'),
      search: SearchText,
      after: z.optional(z.string().check(z.maxLength(2000))),
      limit: z._default(wholeNumber({ min: 1, max: 200 }), 50),
    }),
    out: z.object({ rows: z.array(Submission), next: z.nullable(z.string()) }),
    example: { query: { form_id: exampleId('lead form'), search: 'oak' } },
  },
  get: {
    method: 'GET',
    path: '/api/submissions/{id}',
    summary: 'One submission of a lead form, with the fields that the visitor saw',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: FullSubmission,
    example: { params: { id: submissionId } },
  },
  file: {
    method: 'GET',
    path: '/api/submission-files/{id}/content',
    summary: 'The content of a file in a submission, as a download',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    download: true,
    example: { params: { id: exampleId('submissionFile') } },
  },
  setSpam: {
    method: 'POST',
    path: '/api/submissions/{id}/spam',
    summary: 'Move a submission into the spam folder or out of it. Out of it, its contact is found or added',
    caller: 'user',
    changes: 'journaled',
    params: Id,
    body: z.strictObject({ is_spam: z.boolean() }),
    out: FullSubmission,
    responseIfRepeated: { fromRoute: 'get' },
    example: { params: { id: submissionId }, body: { is_spam: true } },
  },
  setSpamOfMany: {
    method: 'POST',
    path: '/api/submissions/bulk/spam',
    summary: 'Move several submissions into the spam folder or out of it, as one change',
    caller: 'user',
    changes: 'journaled',
    body: z.strictObject({ ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(maxSelectedIds)), is_spam: z.boolean() }),
    example: { body: { ids: [submissionId], is_spam: true } },
  },
  delete: {
    method: 'DELETE',
    path: '/api/submissions/{id}',
    summary: 'Delete a submission of a lead form; it stays in the trash for 30 days',
    caller: 'user',
    changes: 'journaled',
    mayContinue: true,
    params: Id,
    example: { params: { id: submissionId } },
  },
  deleteMany: {
    method: 'POST',
    path: '/api/submissions/bulk/delete',
    summary: 'Delete several submissions as one change',
    caller: 'user',
    changes: 'journaled',
    mayContinue: true,
    body: z.strictObject({ ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(maxSelectedIds)) }),
    example: { body: { ids: [submissionId] } },
  },
  export: {
    method: 'POST',
    path: '/api/lead-forms/{id}/submissions/export',
    summary: 'Export the submissions of a lead form as CSV, with a column for each field that the form has or had',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    body: z.strictObject({ spam: z._default(z.boolean(), false) }),
    file: 'text/csv',
    errors: ['too_many_requests'],
    example: { params: { id: exampleId('lead form') }, body: {} },
  },
})

/** The maximum length of the base64 text of the largest file. */
const maxEncodedLength = Math.ceil(formLimits.totalFileBytes / 3) * 4

/** What a visitor sends. The keys of `values` are names of fields; values of unknown names are dropped. */
export const NewSubmission = z.strictObject({
  ...visitorFields,
  values: z.record(z.string(), z.unknown()),
  files: z._default(
    z
      .array(
        z.strictObject({
          field_name: z.string().check(z.maxLength(50)),
          file_name: z.string().check(z.maxLength(1000)),
          mime_type: z._default(z.string().check(z.maxLength(200)), ''),
          /** The bytes in base64. */
          content: z.string().check(z.maxLength(maxEncodedLength, 'This file is too large')),
        }),
      )
      .check(z.maxLength(formLimits.files, `At most ${formLimits.files} files`)),
    [],
  ),
  /** The parameters in the address of the page. Only those that name a campaign, such as `utm_source`, are stored. */
  parameters: z._default(z.record(z.string().check(z.maxLength(100)), z.string().check(z.maxLength(2000))), {}),
  /** The address of the page in which the form was embedded. */
  embedded_in: z._default(z.string().check(z.maxLength(2000)), ''),
})
export type NewSubmission = z.output<typeof NewSubmission>

export const publicFormRoutes = defineRoutes({
  submit: {
    method: 'POST',
    path: '/api/public/forms/{id}/submissions',
    summary: 'Submit a lead form as a visitor of its page',
    caller: 'visitor',
    changes: 'journaled',
    requiresIdempotencyKey: true,
    maxRequestsIn15Minutes: { perNetwork: 300 },
    params: Id,
    body: NewSubmission,
    largeBody: { tooLarge: 'All files together may have at most 10 MB.' },
    out: z.object({ received: z.literal(true) }),
    responseIfRepeated: { body: { received: true } },
    errors: ['visit_refused', 'page_expired', 'form_closed', 'too_many_requests'],
    example: { params: { id: exampleId('lead form') }, body: { page_token: 'the token of the page', values: { first_name: 'Ada' } } },
  },
})
