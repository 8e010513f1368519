import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import type { FormField } from '#contract/formFields.ts'
import type { LeadForm } from '#contract/leadForms.ts'
import type { Submission } from '#contract/submissions.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'
import { solveProof } from './visitors.ts'

/** A clock that tests move, because a visitor needs some seconds to fill in a form. */
export function createClock(): { now: () => Date; pass: (seconds: number) => void } {
  let passedMs = 0
  return { now: () => new Date(Date.now() + passedMs), pass: (seconds) => void (passedMs += seconds * 1000) }
}

/** Returns a field with the default values. */
export const fieldOf = (field: Partial<FormField> & Pick<FormField, 'field_name' | 'field_type'>): FormField => ({
  id: newId(),
  field_label: field.field_name,
  is_required: false,
  placeholder: '',
  options: [],
  ...field,
})

/** Adds a form with these fields. */
export async function addForm(person: Person, fields: readonly FormField[] = [], form: object = {}): Promise<LeadForm> {
  const created: LeadForm = (await person.send({ method: 'POST', url: '/api/lead-forms', payload: { title: 'Ask for an offer' } })).json()
  const response = await person.send({ method: 'PATCH', url: `/api/lead-forms/${created.id}`, payload: { ...form, form_fields: fields } })
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json()
}

export const readSubmissions = async (person: Person, query: Record<string, string> = {}): Promise<Submission[]> =>
  (await person.send({ url: `/api/submissions?${new URLSearchParams(query).toString()}` })).json().rows

type SubmissionRequest = { values?: object; key?: string; address?: string } & Record<string, unknown>

let visitorCount = 0

/** Returns a visitor of a form, with a network address of its own. */
export function visitForm(app: TestApp, person: Person, { id }: Pick<LeadForm, 'id'>) {
  visitorCount++
  const ownAddress = `10.9.${visitorCount >> 8}.${visitorCount & 255}`
  return {
    /** Opens the page of the form with the version of its fields, and returns what the page contains. */
    open: async () => {
      const { rows } = await app.tableOwner.query<{ version: string | null }>(
        `select (select v.id from form_versions v where v.form_id = f.id and v.fields_key = md5(f.form_fields::text)) as version
         from lead_forms f where f.id = $1`,
        [id],
      )
      const page = { owner: person.id, kind: 'form', id }
      const { token, challenge } = app.router.visitors.openPage(page, ownAddress, rows[0]?.version ?? '')
      return { page_token: token, proof: await solveProof(challenge) }
    },
    send: ({ key = randomUUID(), address = ownAddress, values, ...body }: SubmissionRequest): Promise<LightMyRequestResponse> =>
      app.server.inject({
        method: 'POST',
        url: `/api/public/forms/${id}/submissions`,
        remoteAddress: address,
        headers: { 'idempotency-key': key },
        payload: { values: { first_name: 'Ann', last_name: 'Lee', ...values }, ...body },
      }),
  }
}

type Workspace = { app: TestApp; person: Person; clock: ReturnType<typeof createClock> }

/** Opens the form as a visitor, lets ten seconds pass, and sends the values and other fields of the body. */
export async function answerForm(
  { app, person, clock }: Workspace,
  form: { id: string },
  values: object = {},
  otherFields: Record<string, unknown> = {},
): Promise<LightMyRequestResponse> {
  const visitor = visitForm(app, person, form)
  const page = await visitor.open()
  clock.pass(10)
  return visitor.send({ ...page, values, ...otherFields })
}
