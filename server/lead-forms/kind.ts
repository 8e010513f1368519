// The record kinds of lead forms and of their submissions. The types in server/platform/records/kind.ts explain the options.
import type { FormField } from '#contract/formFields.ts'
import { nameFields } from '#contract/formFields.ts'
import { recordKinds } from '#contract/kinds.ts'
import { LeadForm, LeadFormRow } from '#contract/leadForms.ts'
import { Submission } from '#contract/submissions.ts'
import { sql } from '#server/platform/database/database.ts'
import { createTitleSql, defineKind, type Fields, type Link } from '#server/platform/records/kind.ts'
import { addVersions } from './versions.store.ts'

const countSubmissionsSql = (isSpam: boolean): string =>
  `(select count(*)::int from form_submissions s where s.user_id = c.user_id and s.form_id = c.id and s.is_spam = ${isSpam})`

/** The number after the highest one that a field has ever had in an automatic name: every list of fields is a version. */
const nextFieldNumberSql = `(select coalesce(max(substring(f ->> 'field_name' from '(?i)^field_(\\d{1,9})$')::int) + 1, 0)
  from form_versions v cross join jsonb_array_elements(v.fields) f where v.user_id = c.user_id and v.form_id = c.id)`

export const forms = defineKind({
  ...recordKinds['lead form'],
  FullRecord: LeadForm,
  Row: LeadFormRow,
  exportColumnNames: [],
  computedColumns: {
    next_field_number: nextFieldNumberSql,
    submission_count: countSubmissionsSql(false),
    spam_count: countSubmissionsSql(true),
    last_submission_at:
      '(select s.created_at from form_submissions s where s.user_id = c.user_id and s.form_id = c.id and not s.is_spam order by s.id desc limit 1)',
  },
  emptyRecord: {
    title: '',
    slug: '',
    description: '',
    success_message: '',
    is_active: true,
    redirect_url: '',
    closes_at: null,
    max_submissions: null,
    form_fields: '[]', // as JSON, because the driver would send a list as an array of PostgreSQL
  },
  titleOf: ({ title }) => String(title),
  searchResult: { title: 'c.title', detail: `'/form/' || c.slug` },
  sorts: {},
  filters: {},
  linksByConstraint: {},
  derive: async (owner, writes, id) => {
    const earlier = id !== undefined && writes.some(hasFieldWithoutName) ? await readEarlierFields(owner, id) : {}
    return writes.map(({ form_fields: fields }) => (isFieldList(fields) ? { form_fields: nameFields(fields, earlier) } : {}))
  },
  check: (ids, { form_fields: fields }) => (isFieldList(fields) ? addVersions(ids, fields) : undefined),
  constraints: { lead_forms_slug: { field: 'slug', message: 'This address is taken. Choose another one.', code: 'duplicate' } },
  editLabel: ({ is_active: isActive }: Fields) =>
    isActive === undefined
      ? undefined
      : `case when c.is_active <> ${isActive === true} then '${isActive === true ? 'Activated' : 'Deactivated'} lead form' end`,
})

const isFieldList = (value: unknown): value is FormField[] => Array.isArray(value)
const hasFieldWithoutName = ({ form_fields: fields }: Fields): boolean =>
  isFieldList(fields) && fields.some(({ field_name: name }) => name === '')

/** Returns the fields that a form has, and its next number for automatic names. */
async function readEarlierFields(owner: string, id: string): Promise<{ saved?: FormField[]; nextNumber?: number }> {
  const [form] = await sql<{ saved: FormField[]; next_field_number: number }>(
    `select form_fields as saved, ${nextFieldNumberSql} as next_field_number from lead_forms c where user_id = $1 and id = $2`,
    [owner, id],
  )
  return form ? { saved: form.saved, nextNumber: form.next_field_number } : {}
}

const form: Link = { field: 'form_id', to: recordKinds['lead form'], titleField: 'form_title' }
const contact: Link = { field: 'contact_id', to: recordKinds.contact, titleField: 'contact_name' }

export const submissions = defineKind({
  ...recordKinds.submission,
  FullRecord: Submission,
  Row: Submission,
  exportColumnNames: [],
  emptyRecord: { contact_id: null, is_spam: false, spam_reason: '' },
  titleOf: ({ name }) => String(name),
  // a submission has no page of its own: search results open the page with the submissions of its form
  searchResult: { title: 'c.name', detail: createTitleSql(form), shownOn: form },
  sorts: {},
  filters: { form_id: 'link', contact_id: 'link', is_spam: 'choice' },
  linksByConstraint: { form_submissions_form: form, form_submissions_contact: contact },
})
