// The functions of verbs.ts write the same rows and labels, and throw the same errors, in a job as in a route.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { contacts } from '#server/contacts/kind.ts'
import { callerFor, type Caller, type WriteRequest } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { defineJobType, enqueue } from '#server/platform/jobs/enqueue.ts'
import { startWorker, type Worker } from '#server/platform/jobs/worker.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { tasks } from '#server/tasks/kind.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf } from '#server/testing/records.ts'
import type { RecordKind } from './kind.ts'
import * as verbs from './verbs.ts'

const jobType = defineJobType('test of verbs', z.record(z.string(), z.unknown()))

let app: TestApp
let worker: Worker
/** The function that the next job runs, and the promise of its result. */
let work: { run: (caller: Caller) => Promise<unknown>; result: PromiseWithResolvers<unknown> }
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
  const run = async ({ caller }: { caller: Caller }): Promise<void> =>
    work.run(caller).then(work.result.resolve, (error: unknown) => work.result.reject(error))
  worker = await startWorker({
    pool: app.tableOwner,
    leaseConnection: app.connections.tableOwner,
    handlers: [{ type: jobType.name, run }],
    schedules: [],
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
})
afterAll(async () => {
  await worker.stop()
  await app.stop()
})
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

const createServices = () => ({ database: app.database, now: () => new Date() })

/** Runs the function in a job of Ada and returns its result. */
async function runInJob<T>(run: (caller: Caller) => Promise<T>): Promise<T> {
  let result: T | undefined
  work = { run: async (caller) => (result = await run(caller)), result: Promise.withResolvers() }
  await app.database.transaction(callerFor(ada.id), 'Added a job', () => enqueue(jobType, {}))
  await work.result.promise
  if (result === undefined) throw new Error('The job returned no result')
  return result
}

/** Runs a write in a job and returns the label of its change in the history. */
async function readLabelOfJob(run: (caller: Caller) => Promise<unknown>): Promise<string> {
  const request: WriteRequest = {} // the write sets its `changeId`
  await runInJob(async (caller) => {
    await run({ ...caller, request })
    return null
  })
  return readLabel(ada, { headers: { 'foyer-change': request.changeId } })
}

/** Returns the stored row without the values that are different in every record. */
async function readStoredRow(table: string, id: string): Promise<object> {
  const { rows } = await app.tableOwner.query<{ row: object }>(
    `select to_jsonb(t) - '{id,created_at,updated_at,external_id,completed_at}'::text[] as row from ${table} t where id = $1`,
    [id],
  )
  return rows[0]?.row ?? {}
}

/** Runs a function in a job and returns the error with which it is refused. */
const readRefusalInJob = async (run: (caller: Caller) => Promise<unknown>): Promise<object> => {
  const error: unknown = await runInJob((caller) => run(caller).catch((refusal: unknown) => refusal))
  if (!(error instanceof Refusal)) throw new Error('The job was not refused', { cause: error })
  return { code: error.code, ...error.extras }
}

test('a job and a route create the same contact, with company name, default values and normalised phone number', async () => {
  const company = await recordsOf(ada, '/api/companies').add({ name: 'Engines' })
  const fields = { first_name: 'Ada', last_name: 'Byron', phone: '020 7946 0118', mobile_phone: '+49 30 901820', company_id: company.id }
  const postResponse = await recordsOf(ada, '/api/contacts').post('', { ...fields, allow_duplicate: true })
  const id = newId()
  const label = await readLabelOfJob((caller) =>
    verbs.createRecord(createServices(), caller, contacts, { id, ...fields, allow_duplicate: true }),
  )
  expect(label).toBe(await readLabel(ada, postResponse))
  const row = await readStoredRow('crm_contacts', id)
  expect(row).toEqual(await readStoredRow('crm_contacts', postResponse.json().id))
  // these columns are derived from the company, derived from the phone number, a default value, and set by the database
  expect(row).toMatchObject({ company: 'Engines', mobile_phone_key: '+4930901820', lead_source: '', version: 1 })
})

test('a job and a route refuse a duplicate, a missing company and a contact that reports to itself with the same error', async () => {
  const contactClient = recordsOf(ada, '/api/contacts')
  const { id } = await contactClient.add({ first_name: 'Ada', last_name: 'Byron', email: 'ada@example.org' })
  const bodies = [
    { first_name: 'A', last_name: 'B', email: 'ADA@example.org' },
    { first_name: 'A', last_name: 'B', company_id: newId() },
  ]
  for (const body of bodies) {
    const { code, matches, fields } = (await contactClient.post('', body)).json()
    expect(await readRefusalInJob((caller) => verbs.createRecord(createServices(), caller, contacts, body))).toEqual({
      code,
      ...(matches && { matches }),
      ...(fields && { fields }),
    })
  }
  const { code, fields } = (await contactClient.patch(id, { reports_to_id: id })).json()
  expect(await readRefusalInJob((caller) => verbs.updateRecord(createServices(), caller, contacts, id, { reports_to_id: id }))).toEqual({
    code,
    fields,
  })
})

test('the rule `refuse` of a kind applies to new records, edits and bulk edits; a bulk edit names the field as `fields.title`', async () => {
  const contactClient = recordsOf(ada, '/api/contacts')
  const { id } = await contactClient.add({ first_name: 'Ada', last_name: 'Byron', title: 'Countess' })
  const kind: RecordKind = { ...contacts, refuse: (_, { title }) => (title === 'None' ? { title: 'Enter a title' } : undefined) }
  const services = createServices()
  const refused = { code: 'invalid', fields: { title: 'Enter a title' } }
  const body = { first_name: 'Ada', last_name: 'King', title: 'None' }
  expect(await readRefusalInJob((caller) => verbs.createRecord(services, caller, kind, body))).toEqual(refused)
  expect(await readRefusalInJob((caller) => verbs.updateRecord(services, caller, kind, id, { title: 'None' }))).toEqual(refused)
  for (const selection of [{ ids: [id] }, { matching: { search: '', filter: [] } }]) {
    const refusal = await readRefusalInJob((caller) => verbs.updateRecords(services, caller, kind, selection, { title: 'None' }))
    expect(refusal).toEqual({ code: 'invalid', fields: { 'fields.title': 'Enter a title' } })
  }
  expect(await contactClient.get(id)).toMatchObject({ title: 'Countess' })
})

test('edits, bulk edits, tags and deletes have the same labels and rows in a job as in a route', async () => {
  const taskClient = recordsOf(ada, '/api/tasks')
  const [routeTask, jobTask] = [await taskClient.add({ title: 'Call' }), await taskClient.add({ title: 'Call' })]
  for (const patch of [{ title: 'Write' }, { status: 'completed' }, { status: 'pending' }] as const) {
    const label = await readLabelOfJob((caller) => verbs.updateRecord(createServices(), caller, tasks, jobTask.id, patch))
    expect(label).toBe(await readLabel(ada, await taskClient.patch(routeTask.id, patch)))
  }
  expect(await readStoredRow('tasks', jobTask.id)).toEqual(await readStoredRow('tasks', routeTask.id))

  const contactClient = recordsOf(ada, '/api/contacts')
  const [routeContact, jobContact] = [
    await contactClient.add({ first_name: 'A', last_name: 'B' }),
    await contactClient.add({ first_name: 'A', last_name: 'B' }),
  ]
  const { id: company_id } = await recordsOf(ada, '/api/companies').add({ name: 'Engines' })
  const editResponse = await contactClient.post('/bulk/edit', { ids: [routeContact.id], fields: { company_id } })
  const label = await readLabelOfJob((caller) =>
    verbs.updateRecords(createServices(), caller, contacts, { ids: [jobContact.id] }, { company_id }),
  )
  expect(label).toBe(await readLabel(ada, editResponse))
  const tags = { add: ['Fair'], remove: [] }
  const tagResponse = await contactClient.post('/bulk/tag', { ids: [routeContact.id], ...tags })
  expect(await readLabelOfJob((caller) => verbs.tagRecords(createServices(), caller, contacts, { ids: [jobContact.id] }, tags))).toBe(
    await readLabel(ada, tagResponse),
  )
  const row = await readStoredRow('crm_contacts', jobContact.id)
  expect(row).toEqual(await readStoredRow('crm_contacts', routeContact.id))
  expect(row).toMatchObject({ company: 'Engines', tags: ['Fair'] })

  const deleteResponse = await contactClient.remove(routeContact.id)
  expect(await readLabelOfJob((caller) => verbs.deleteRecord(createServices(), caller, contacts, jobContact.id))).toBe(
    await readLabel(ada, deleteResponse),
  )
  await runInJob((caller) => verbs.restoreRecord({ ...createServices(), kinds: [] }, caller, jobContact.id))
  expect(await contactClient.get(jobContact.id)).toMatchObject({ company: 'Engines', tags: ['Fair'] })
})
