// Stores what visitors submit with a form.
import { checkAnswers, type Answers, type FormField } from '#contract/formFields.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { NewSubmission } from '#contract/submissions.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { toRefusal } from '#server/platform/http/problem.ts'
import type { Visit, Visitors } from '#server/platform/http/visitors/visitors.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { firstAnswer, storeContactOf } from './contact.ts'
import { findContentSuspicion, type ContentSuspicion } from './content-score.ts'
import { deleteFiles, insertFiles, readSentFiles, storeFiles, type SentFile } from './files.ts'
import { addNoticeMail } from './mail.ts'
import { findPublicForm, insertSubmission, lockOpenForm, type PublicForm } from './public-forms.store.ts'
import { readSource } from './source.ts'
import { findVersion } from './versions.store.ts'

/** The kind of the page tokens of forms. */
export const formPageKind = 'form'

/** The fixed fields of every form. */
export const fixedFields: readonly FormField[] = [['first_name', 'First Name'] as const, ['last_name', 'Last Name'] as const].map(
  ([field_name, field_label]) => ({
    id: field_name,
    field_name,
    field_label,
    field_type: 'text',
    is_required: true,
    placeholder: '',
    options: [],
  }),
)

/** The maximum length of each name of a contact. */
const maxNameLength = 100

type Services = { context: AppContext; visitors: Visitors }
/** `ip`: the address of the visitor. */
type SubmitRequest = { formId: string; body: NewSubmission; ip: string }

/**
 * Stores a submission, and finds or adds its contact. A submission that looks like advertising, or as if a program had sent it, goes into
 * the spam folder and adds no contact; the visitor does not learn of it. Throws `not_found`, `form_closed`, the errors of `Visitors`, and
 * `invalid` with a message for each field.
 */
export async function submitForm({ context, visitors }: Services, caller: Caller, { formId: id, body, ip }: SubmitRequest): Promise<void> {
  const { database, mail, now, settings } = context
  const { owner } = caller
  const form = await database.read(caller, () => findPublicForm(owner, id, now()))
  if (!form?.is_active) throw new Refusal('not_found')
  if (form.is_closed) throw new Refusal('form_closed')
  const visit = await visitors.check({ owner, kind: formPageKind, id }, { ...body, ip, email: readEmail(form, body.values) })
  const fields = await readFields(context, caller, form, visit.pageVersion)
  const { files, messages: fileMessages } = readSentFiles(fields, body.files)
  const answers = requireAnswers(fields, body.values, files, fileMessages)
  await visitors.countBytes(
    ip,
    files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
  )
  const suspicion = visit.suspicion ?? findContentSuspicion(fields, answers)
  const objectIds = await storeFiles(context, caller, files)
  try {
    await database.transaction(caller, suspicion ? 'Received spam' : 'Received form submission', async () => {
      await visit.use()
      if (!(await lockOpenForm(owner, id, now()))) throw new Refusal('form_closed')
      const submission = await writeSubmission(owner, {
        form,
        visit,
        suspicion,
        fields,
        answers,
        source: readSource(body),
        files,
        objectIds,
      })
      if (!suspicion)
        await addNoticeMail(mail, owner, { id: submission, form, fields: [...fixedFields, ...fields], answers, address: settings.address })
    })
  } catch (error) {
    if (!mayBeStored.has(toRefusal(error).code)) await deleteFiles(context, caller, objectIds)
    throw error
  }
}

/** After these errors the submission may be stored, with its files. */
const mayBeStored: ReadonlySet<ErrorCode> = new Set(['internal', 'outcome_unknown', 'not_ready'])

type AcceptedSubmission = {
  form: PublicForm
  visit: Visit
  suspicion: Visit['suspicion'] | ContentSuspicion
  fields: readonly FormField[]
  answers: Answers
  source: Record<string, string>
  files: readonly SentFile[]
  objectIds: readonly string[]
}

/** Stores a submission and returns its id. */
async function writeSubmission(
  owner: string,
  { form, visit, suspicion, fields, answers, source, files, objectIds }: AcceptedSubmission,
): Promise<string> {
  const id = newId()
  const contactId = suspicion ? null : await storeContactOf(owner, fields, answers)
  await insertSubmission(owner, id, {
    form_id: form.id,
    contact_id: contactId,
    form_version_id: visit.pageVersion === '' ? null : visit.pageVersion,
    submission_data: answers,
    name: `${String(answers['first_name'])} ${String(answers['last_name'])}`,
    email: firstAnswer(fields, answers, 'email'),
    summary: summarize(fields, answers),
    source,
    is_spam: suspicion !== undefined,
    spam_reason: suspicion ?? '',
  })
  await insertFiles(owner, id, files, objectIds)
  return id
}

/** Returns the fields that the visitor saw, which may have changed since the page was opened. */
async function readFields({ database }: AppContext, caller: Caller, form: PublicForm, version: string): Promise<FormField[]> {
  if (version === '') return []
  if (version === form.version_id) return form.form_fields
  const fields = await database.read(caller, () => findVersion(caller.owner, form.id, version))
  if (!fields) throw new Refusal('page_expired')
  return fields
}

/** Returns the answers, with both names. Throws `invalid` with a message for each wrong field. */
function requireAnswers(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
  files: readonly SentFile[],
  fileMessages: Readonly<Record<string, string>>,
): Answers {
  const fieldsWithFiles = new Set(files.map(({ field }) => field.field_name))
  const { answers, messages } = checkAnswers([...fixedFields, ...fields], values, fieldsWithFiles)
  const allMessages: Record<string, string> = { ...messages, ...fileMessages }
  for (const { field_name: name, field_label: label } of fixedFields) {
    if (String(answers[name] ?? '').length > maxNameLength) allMessages[name] = `${label} must have at most ${maxNameLength} characters`
  }
  if (Object.keys(allMessages).length > 0) throw new Refusal('invalid', { fields: allMessages })
  return answers
}

/** Returns the email that was sent, not checked yet, for the limit of requests with one email; undefined without one. */
function readEmail({ form_fields: fields }: PublicForm, values: Readonly<Record<string, unknown>>): string | undefined {
  const field = fields.find(({ field_type: type, field_name: name }) => type === 'email' && Object.hasOwn(values, name))
  const value = field && values[field.field_name]
  return typeof value === 'string' ? value.slice(0, 254) : undefined
}

/** Returns the beginning of the answers besides name and email, for lists and searches. */
function summarize(fields: readonly FormField[], answers: Answers): string {
  const texts = fields
    .filter(({ field_type: type }) => type !== 'email' && type !== 'hidden' && type !== 'consent')
    .flatMap(({ field_name: name }) => answers[name] ?? [])
  return texts.join(' · ').replaceAll(/\s+/g, ' ').slice(0, 300).toWellFormed()
}
