import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import * as z from 'zod/mini'
import { exampleId, exampleNames } from '#contract/examples.ts'
import { apiPathOf, recordKinds } from '#contract/kinds.ts'
import type { Route } from '#contract/route.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'
import { allRoutes } from '#contract/routes.ts'

/** The ids of records in a user's workspace, by the names that the contract's examples use. */
export type ExampleIds = z.infer<typeof ExampleIds>
const ExampleIds = z.partialRecord(z.enum(exampleNames), z.uuid())

/**
 * Adds the records to which the contract's examples refer: two contacts, a third in the trash, one record of every other kind, two uploads,
 * a view, a connection to a CRM that does not exist, a calendar that does not exist, an API key, a webhook endpoint, a mail, a message with
 * an answer, a submission of a form, an import that was not started, and a change that can be undone.
 */
export async function addExamples(app: Pick<TestApp, 'tableOwner'>, person: Person): Promise<ExampleIds> {
  const send: Person['send'] = async (request) => {
    const response = await person.send(request)
    if (response.statusCode >= 300) throw new Error(`The examples could not be added: ${response.body}`)
    return response
  }
  const add = async (first_name: string, email: string, company = '') => {
    const response = await send({ method: 'POST', url: '/api/contacts', payload: { first_name, last_name: 'Example', email, company } })
    const { id }: { id: string } = response.json()
    return { id, change: String(response.headers['foyer-change']) }
  }
  const contact = await add('Ada', 'ada@example.org')
  const colleague = await add('Charles', 'charles@example.org', 'difference works') // the company of the examples has this name
  const deleted = await add('Luigi', 'luigi@example.org')
  await send({ method: 'DELETE', url: `/api/contacts/${deleted.id}` })
  // at another time than the booking of the example, because two bookings never overlap
  const times = { start_time: '2026-12-02T09:00:00Z', end_time: '2026-12-02T09:30:00Z' }
  const booking = await send({ method: 'POST', url: '/api/bookings', payload: { title: 'Look at the engine', ...times } })
  const folder = await send({ method: 'POST', url: '/api/folders', payload: { name: 'Contracts' } })
  const ids: Partial<ExampleIds> = {
    contact: contact.id,
    colleague: colleague.id,
    deleted: deleted.id,
    session: person.session,
    booking: booking.json().id,
    folder: folder.json().id,
    ...(await addFiles(send)),
  }
  for (const { singular, plural } of Object.values(recordKinds)) {
    const create = allRoutes.find(({ method, path }) => method === 'POST' && path === apiPathOf(plural))
    if (create && ids[singular] === undefined) ids[singular] = (await send(createExampleRequest(create, ids, person.email))).json().id
  }
  const view = await send({ method: 'POST', url: '/api/views', payload: { list: 'deals', name: 'Open deals', address: 'sort=value' } })
  const crm = { api_url: 'http://127.0.0.1:9/v3.1', api_key: 'key-of-the-examples', check: false }
  const crmConnection = await send({ method: 'POST', url: '/api/crm-connections', payload: crm })
  const otherCalendar = await addCalendar(send)
  const apiKey = await send({ method: 'POST', url: '/api/api-keys', payload: { name: 'Website' } })
  const webhook = await addWebhook(send)
  const { rows: mails } = await app.tableOwner.query<{ id: string }>(
    `insert into outbox_mails (user_id, to_address, subject, content, state) values ($1, 'mary@example.org', 'Confirmed', 'See you', 'sent') returning id`,
    [person.id],
  )
  const edit = await send({ method: 'PATCH', url: `/api/contacts/${contact.id}`, payload: { department: 'Engines' } })
  const messages = await addMessages(app, person, { conversation: String(ids.conversation), contact: contact.id })
  const submission = await addSubmission(app, person, { form: String(ids['lead form']), contact: contact.id })
  const file = await send({
    method: 'POST',
    url: '/api/imports?file_name=People.csv',
    payload: 'First name,Last name,Email\nMary,Somerville,mary@example.org\n',
    headers: { 'content-type': 'text/csv' },
  })
  return ExampleIds.parse({
    ...ids,
    ...messages,
    ...submission,
    import: file.json().id,
    view: view.json().id,
    crmConnection: crmConnection.json().id,
    otherCalendar,
    apiKey: apiKey.json().id,
    ...webhook,
    mail: mails[0]?.id,
    change: edit.headers['foyer-change'],
  })
}

/** Adds a message to the conversation, and an answer with a file and a proposal. The rows are inserted, because no AI is connected. */
async function addMessages(
  { tableOwner }: Pick<TestApp, 'tableOwner'>,
  { id: owner }: Person,
  { conversation, contact }: { conversation: string; contact: string },
): Promise<Pick<ExampleIds, 'message' | 'answer' | 'messageFile' | 'proposal'>> {
  const ids = { message: newId(), answer: newId(), messageFile: newId(), proposal: newId() }
  const item = {
    key: 'a',
    action: 'update',
    kind: 'contact',
    id: contact,
    version: null,
    title: 'Ada Example',
    decision: 'open',
    link_titles: {},
  }
  await tableOwner.query(
    `insert into messages (user_id, conversation_id, id, number, role, content, proposal_id)
     values ($1, $2, $3, 1, 'user', 'Who is new?', null), ($1, $2, $4, 2, 'assistant', 'Ada is new.', $5)`,
    [owner, conversation, ids.message, ids.answer, ids.proposal],
  )
  await tableOwner.query(
    `insert into message_files (user_id, id, message_id, file_name, mime_type, file_size, bytes) values ($1, $2, $3, 'New.csv', 'text/csv', 5, 'Hello')`,
    [owner, ids.messageFile, ids.answer],
  )
  await tableOwner.query('insert into proposals (user_id, id, conversation_id, message_id, items) values ($1, $2, $3, $4, $5)', [
    owner,
    ids.proposal,
    conversation,
    ids.answer,
    JSON.stringify([{ ...item, fields: { title: 'Engineer' }, before: { title: '' } }]),
  ])
  return ids
}

/** Adds a submission of the form, with a file. The rows are inserted, because a visitor needs time to fill in a form. */
async function addSubmission(
  { tableOwner }: Pick<TestApp, 'tableOwner'>,
  { id: owner }: Person,
  { form, contact }: { form: string; contact: string },
): Promise<Pick<ExampleIds, 'submission' | 'submissionFile'>> {
  const ids = { submission: newId(), submissionFile: newId() }
  await tableOwner.query(
    `insert into form_submissions (user_id, id, form_id, contact_id, submission_data, name) values ($1, $2, $3, $4, $5, 'Ada Example')`,
    [owner, ids.submission, form, contact, JSON.stringify({ first_name: 'Ada', last_name: 'Example' })],
  )
  await tableOwner.query(`insert into form_versions (user_id, form_id, fields) values ($1, $2, '[]')`, [owner, form])
  await tableOwner.query(
    `insert into form_submission_files (user_id, id, submission_id, field_name, object_id, file_name, file_size)
     select $1, $2, $3, 'plan', id, 'Plan.txt', file_size from stored_objects where user_id = $1 limit 1`,
    [owner, ids.submissionFile, ids.submission],
  )
  return ids
}

/** Adds another calendar. Waits until a job has tried to read it, so that the job writes nothing while tests compare rows. */
async function addCalendar(send: Person['send']): Promise<string> {
  const payload = { name: 'Team', address: 'https://127.0.0.1:9/secret/team.ics', check: false }
  const { id }: { id: string } = (await send({ method: 'POST', url: '/api/other-calendars', payload })).json()
  for (let tries = 0; tries < 500; tries++) {
    if ((await send({ url: `/api/other-calendars/${id}` })).json().problem !== null) return id
    await setTimeout(10)
  }
  throw new Error('No job has read the calendar')
}

/** Adds a webhook endpoint with a delivery. The endpoint is off, so that nothing is sent while tests compare rows. */
async function addWebhook(send: Person['send']): Promise<Partial<ExampleIds>> {
  const added = await send({ method: 'POST', url: '/api/webhooks', payload: { url: 'https://receiver.example/webhook' } })
  const url = `/api/webhooks/${added.json().id}`
  await send({ method: 'POST', url, payload: { is_active: false } })
  const delivery = await send({ method: 'POST', url: `${url}/test` })
  return { webhook: added.json().id, webhookDelivery: delivery.json().id }
}

/** Adds a file, an upload without parts, and an upload with all parts. */
async function addFiles(send: Person['send']): Promise<Partial<ExampleIds>> {
  const startUpload = async (): Promise<string> => {
    const payload = { file_name: 'Offer.txt', file_size: 7, mime_type: 'text/plain' }
    return (await send({ method: 'POST', url: '/api/uploads', payload })).json().id
  }
  const addUploadWithAllParts = async (): Promise<string> => {
    const id = await startUpload()
    await send({
      method: 'PUT',
      url: `/api/uploads/${id}/parts/0`,
      payload: '"Hello"',
      headers: { 'content-type': 'application/octet-stream' },
    })
    return id
  }
  const finished = await send({ method: 'POST', url: `/api/uploads/${await addUploadWithAllParts()}/finish` })
  const file: { id: string; storage_path: string } = finished.json()
  const [owner, storedObject] = file.storage_path.split('/')
  const zip = await send({ method: 'POST', url: '/api/files/zip', payload: { file_ids: [file.id] } })
  return {
    file: file.id,
    owner,
    storedObject,
    zip: zip.json().id,
    upload: await startUpload(),
    uploadWithAllParts: await addUploadWithAllParts(),
  }
}

/** Returns the request of a route's example, with these ids and the user's email. */
export function createExampleRequest({ method, path, upload, example }: Route, ids: Partial<ExampleIds>, email: string) {
  const { params = {}, query, body } = replaceIds(example, ids, email)
  const url = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => params[name] ?? '')
  return {
    method,
    url: query ? `${url}?${new URLSearchParams(query).toString()}` : url,
    ...(body !== undefined && createBody(JSON.stringify(body), upload)),
  }
}

/** The body of an upload has a digest, so that a repeat with the same Idempotency-Key is recognised. */
function createBody(payload: string, isUpload = false) {
  const digest = createHash('sha256').update(payload).digest('base64')
  return { payload, headers: { 'content-type': 'application/json', ...(isUpload && { 'content-digest': `sha-256=:${digest}:` }) } }
}

/** Returns whether the example of the route contains the id of a record. */
export const refersToRecord = ({ example }: Route): boolean =>
  exampleNames.some((name) => JSON.stringify(example).includes(exampleId(name)))

function replaceIds(example: Route['example'], ids: Partial<ExampleIds>, email: string): Route['example'] {
  let text = JSON.stringify(example).replaceAll('ada@example.org', email)
  for (const name of exampleNames) text = text.replaceAll(exampleId(name), ids[name] ?? exampleId(name))
  return JSON.parse(text)
}
