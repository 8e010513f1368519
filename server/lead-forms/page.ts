import { createHash } from 'node:crypto'
import { formatActor } from '#contract/actors.ts'
import { formLimits, type FormField } from '#contract/formFields.ts'
import type { FormContent } from '#contract/pages.ts'
import { fieldPrefix, trapFieldName } from '#contract/visitorForms.ts'
import { createIdentity } from '#server/platform/identity.ts'
import {
  defineSharedPage,
  groupEntries,
  type FormCall,
  type OpenedVisit,
  type PageServices,
  type SentForm,
} from '#server/platform/http/public-pages.ts'
import { visitorOf } from '#server/platform/http/visitor.ts'
import type { FastifyRequest } from 'fastify'
import { findFormBySlug, findPublicForm, type PublicForm } from './public-forms.store.ts'
import { fixedFields, formPageKind } from './submit.ts'

/** The public page of a form, which other websites may show in a frame. */
export const formPage = defineSharedPage({
  name: 'form',
  path: '/form/{slug}',
  files: { style: 'web/public/form/form.css', script: 'web/public/form/form.ts' },
  policy: { frameAncestors: ['*'] },
  loadShared,
  statusOf: ({ state, problem, messages }) => {
    if (state === 'missing') return 404
    if (state === 'closed') return 410
    return problem === '' && Object.keys(messages).length === 0 ? 200 : 422
  },
  forms: { maxBytes: formLimits.fileBytes + 1024 ** 2, toCall },
})

const missing: FormContent = {
  state: 'missing',
  id: '',
  address: '',
  path: '',
  title: '',
  description: '',
  successMessage: '',
  redirectUrl: '',
  fields: [],
  values: {},
  messages: {},
  problem: '',
  isEmbedded: false,
}

type LoadedForm = { content: FormContent; owner?: string; visit?: OpenedVisit }

async function loadShared(request: FastifyRequest, { database, now, address }: PageServices, sent?: SentForm): Promise<LoadedForm> {
  const parameters = textsOf(request.query)
  const found = await findFormBySlug(database, visitorOf(request), textsOf(request.params)['slug'] ?? '')
  if (!found) return { content: missing }
  const { owner, id } = found
  const form = await database.read(createIdentity(owner, formatActor('visitor')), () => findPublicForm(owner, id, now()))
  if (!form?.is_active) return { content: missing, owner }
  const isReceived = sent !== undefined && sent.problem === undefined
  const state = isReceived ? 'sent' : form.is_closed ? 'closed' : 'open'
  const fields = [...fixedFields, ...form.form_fields]
  const content: FormContent = {
    ...missing,
    state,
    id,
    address: new URL(`/form/${form.slug}`, address).href,
    path: request.url,
    title: form.title,
    description: form.description,
    successMessage: form.success_message || 'Your submission has been received.',
    redirectUrl: form.redirect_url,
    fields,
    values: sent ? readSentValues(fields, sent.form) : readParameters(fields, parameters),
    messages: sent?.problem?.fields ?? {},
    problem: sent?.problem && sent.problem.code !== 'invalid' ? sent.problem.detail : '',
    isEmbedded: parameters['embed'] !== undefined,
  }
  return state === 'open' ? { content, owner, visit: toVisit(owner, form, sent) } : { content, owner }
}

/** The page of a refused answer has the token of the first one, because it is not used yet. */
function toVisit(owner: string, { id, version_id: version }: PublicForm, sent: SentForm | undefined): OpenedVisit {
  const visit = { page: { owner, kind: formPageKind, id }, state: version ?? '' }
  return sent?.problem?.code === 'invalid' ? { ...visit, token: textOf(sent.form.get('page_token')) } : visit
}

/** Returns the request of the API for a form that was sent without scripts. */
async function toCall(form: FormData, request: FastifyRequest): Promise<FormCall | undefined> {
  const id = textOf(form.get('form_id'))
  const token = textOf(form.get('page_token'))
  if (!/^[0-9a-f-]{36}$/.test(id) || token === '') return undefined
  const values: [string, string | string[]][] = []
  const files: object[] = []
  for (const [prefixedName, entries] of groupEntries(form)) {
    if (!prefixedName.startsWith(fieldPrefix)) continue
    const name = prefixedName.slice(fieldPrefix.length)
    for (const entry of entries)
      if (entry instanceof File && (entry.size > 0 || entry.name !== ''))
        files.push({
          field_name: name,
          file_name: entry.name,
          mime_type: entry.type,
          content: Buffer.from(await entry.arrayBuffer()).toString('base64'),
        })
    const texts = entries.filter((entry) => typeof entry === 'string')
    const [text = '', ...others] = texts
    if (texts.length > 0) values.push([name, others.length > 0 ? texts : text])
  }
  return {
    url: `/api/public/forms/${id}/submissions`,
    // a repeated form has the same token, and its answer is stored once
    key: `page-${createHash('sha256').update(token).digest('base64url')}`,
    body: {
      page_token: token,
      without_script: true,
      [trapFieldName]: textOf(form.get(trapFieldName)),
      values: Object.fromEntries(values),
      files,
      parameters: textsOf(request.query),
      embedded_in: textsOf(request.query)['page'] ?? '',
    },
  }
}

/** Returns what was entered, to show it again; without files, which a browser does not show again. */
const readSentValues = (fields: readonly FormField[], form: FormData): FormContent['values'] =>
  Object.fromEntries(
    fields.map(({ field_name: name }) => [name, form.getAll(fieldPrefix + name).filter((entry) => typeof entry === 'string')]),
  )

/** Returns the values that the address has for fields. */
const readParameters = (fields: readonly FormField[], parameters: Readonly<Record<string, string>>): FormContent['values'] =>
  Object.fromEntries(
    fields.flatMap(({ field_name: name }) => {
      const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined
      return value === undefined ? [] : [[name, [value]]]
    }),
  )

/** Returns the texts of an object; a repeated parameter has the type of a list and is left out. */
const textsOf = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof values === 'object' && values !== null ? values : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )

const textOf = (entry: File | string | null): string => (typeof entry === 'string' ? entry : '')
