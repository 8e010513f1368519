// The public page of a form, `/form/{slug}`.
import { createHash } from 'node:crypto'
import { formLimits, type FormField } from '#contract/formFields.ts'
import type { FormContent } from '#contract/pages.ts'
import { readFieldValues, trapFieldName, withLimitMessage } from '#contract/visitorForms.ts'
import { readFieldFiles, readFieldTexts, textsOf } from '#server/platform/http/page-entries.ts'
import { defineCachedPage, type FormCall, type OpenedVisit, type PageServices, type SentForm } from '#server/platform/http/public-pages.ts'
import { visitorOf, visitorOfOwner } from '#server/platform/http/visitor.ts'
import type { FastifyRequest } from 'fastify'
import { findFormBySlug, findPublicForm, type PublicForm } from './public-forms.store.ts'
import { fixedFields, formPageKind } from './submit.ts'

/** The public page of a form, which other websites may show in a frame. */
export const formPage = defineCachedPage({
  name: 'form',
  path: '/form/{slug}',
  files: { style: 'web/public/form/form.css', script: 'web/public/form/form.ts' },
  policy: { frameAncestors: ['*'] },
  loadPage,
  statusOf: ({ state, problem, messages }) => {
    if (state === 'missing') return 404
    if (state === 'closed') return 410
    return problem === '' && Object.keys(messages).length === 0 ? 200 : 422
  },
  forms: { maxBytes: formLimits.totalFileBytes + 1024 ** 2, toCall },
})

const missing: FormContent = {
  state: 'missing',
  id: '',
  address: '',
  path: '',
  title: '',
  description: '',
  success_message: '',
  redirect_url: '',
  fields: [],
  values: {},
  messages: {},
  problem: '',
  is_embedded: false,
}

type LoadedForm = { content: FormContent; owner?: string; visit?: OpenedVisit }

async function loadPage(request: FastifyRequest, { database, now, address }: PageServices, sent?: SentForm): Promise<LoadedForm> {
  const parameters = textsOf(request.query)
  const found = await findFormBySlug(database, visitorOf(request), textsOf(request.params)['slug'] ?? '')
  if (!found) return { content: missing }
  const { owner, id } = found
  const form = await database.read(visitorOfOwner(owner), () => findPublicForm(owner, id, now()))
  if (!form?.is_active) return { content: missing, owner }
  const isReceived = sent !== undefined && sent.problem === undefined
  const state = isReceived ? 'sent' : form.is_closed ? 'closed' : 'open'
  const fields = [...fixedFields, ...form.form_fields]
  const content: FormContent = {
    state,
    id,
    address: new URL(`/form/${form.slug}`, address).href,
    path: request.url,
    title: form.title,
    description: form.description,
    success_message: form.success_message || 'Your submission has been received.',
    redirect_url: form.redirect_url,
    fields,
    values: sent ? readFieldTexts(sent.form) : readPrefilledValues(fields, parameters),
    messages: sent?.problem?.fields ?? {},
    problem: describeProblem(sent?.problem),
    is_embedded: parameters['embed'] !== undefined,
  }
  return state === 'open' ? { content, owner, visit: toVisit(owner, form, sent) } : { content, owner }
}

/** Returns what is shown above the fields; empty without a problem, and for one that is shown at a field. */
function describeProblem(problem: SentForm['problem']): string {
  if (!problem || problem.code === 'invalid') return ''
  // the token of the page belongs to an earlier submission, whose response the browser may have lost
  if (problem.code === 'request_reused') return 'Your earlier answers were received. Send the form again only if you have corrected them.'
  return withLimitMessage(problem).detail
}

/**
 * Returns what the page needs to create its token. After a submission with invalid values, the page reuses the token of the previous page,
 * because it has not been used up. `pageVersion` is the version of the form's fields; empty if the form has only fixed fields.
 */
function toVisit(owner: string, { id, version_id: version }: PublicForm, sent: SentForm | undefined): OpenedVisit {
  const visit = { page: { owner, kind: formPageKind, id }, pageVersion: version ?? '' }
  return sent?.problem?.code === 'invalid' ? { ...visit, token: textsOf(sent.form)['page_token'] ?? '' } : visit
}

/** Returns the API request for a form that was sent without scripts; undefined without a form id or a token. */
async function toCall(form: FormData, request: FastifyRequest): Promise<FormCall | undefined> {
  const { form_id: id = '', page_token: token = '', [trapFieldName]: trap = '' } = textsOf(form)
  if (!/^[0-9a-f-]{36}$/.test(id) || token === '') return undefined
  const files = readFieldFiles(form).map(async ([name, file]) => ({
    field_name: name,
    file_name: file.name,
    mime_type: file.type,
    content: Buffer.from(await file.arrayBuffer()).toString('base64'),
  }))
  const parameters = textsOf(request.query)
  return {
    url: `/api/public/forms/${id}/submissions`,
    // a repeated form has the same token, and its submission is stored once
    key: `page-${createHash('sha256').update(token).digest('base64url')}`,
    body: {
      page_token: token,
      without_script: true,
      [trapFieldName]: trap,
      values: readFieldValues(form),
      files: await Promise.all(files),
      parameters,
      embedded_in: parameters['page'] ?? '',
    },
  }
}

/** Returns the values that the query of the address enters into fields. */
const readPrefilledValues = (fields: readonly FormField[], parameters: Readonly<Record<string, string>>): FormContent['values'] =>
  Object.fromEntries(
    fields.flatMap(({ field_name: name }) => {
      const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined
      return value === undefined ? [] : [[name, [value]]]
    }),
  )
