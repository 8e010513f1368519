// Jobs and routes that use the same verb write the same row and label, and get the same errors.
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
import * as verbs from './verbs.ts'

const jobType = defineJobType('test of verbs', z.record(z.string(), z.unknown()))

let app: TestApp
let worker: Worker
let work: { run: (caller: Caller) => Promise<unknown>; settle: PromiseWithResolvers<unknown> }
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
  const run = async ({ caller }: { caller: Caller }): Promise<void> =>
    work.run(caller).then(work.settle.resolve, (error: unknown) => work.settle.reject(error))
  worker = await startWorker({
    pool: app.owner,
    listen: app.connections.owner,
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

const services = () => ({ database: app.database, now: () => new Date() })

/** Runs the function in a job of Ada and returns its result. */
async function inJob<T>(run: (caller: Caller) => Promise<T>): Promise<T> {
  let result: T | undefined
  work = { run: async (caller) => (result = await run(caller)), settle: Promise.withResolvers() }
  await app.database.transaction(callerFor(ada.id), 'Added a job', () => enqueue(jobType, {}))
  await work.settle.promise
  if (result === undefined) throw new Error('The job answered nothing')
  return result
}

/** Runs a write in a job and returns its label. */
async function labelOfJob(run: (caller: Caller) => Promise<unknown>): Promise<string> {
  const request: WriteRequest = {}
  await inJob((caller) => run({ ...caller, request }).then(() => null))
  return readLabel(ada, { headers: { 'foyer-change': request.change } })
}

/** Returns the stored row without the values that are different in every record. */
async function storedRow(table: string, id: string): Promise<object> {
  const { rows } = await app.owner.query<{ row: object }>(
    `select to_jsonb(t) - '{id,created_at,updated_at,external_id,completed_at}'::text[] as row from ${table} t where id = $1`,
    [id],
  )
  return rows[0]?.row ?? {}
}

const refusalOf = async (run: (caller: Caller) => Promise<unknown>): Promise<object> => {
  const error: unknown = await inJob((caller) => run(caller).catch((refusal: unknown) => refusal))
  if (!(error instanceof Refusal)) throw new Error('The job was not refused', { cause: error })
  return { code: error.code, ...error.extras }
}

test('a contact is created alike, with phone keys, company name and defaults', async () => {
  const company = await recordsOf(ada, '/api/companies').add({ name: 'Engines' })
  const fields = { first_name: 'Ada', last_name: 'Byron', phone: '020 7946 0118', mobile_phone: '+49 30 901820', company_id: company.id }
  const posted = await recordsOf(ada, '/api/contacts').post('', { ...fields, allow_duplicate: true })
  const id = newId()
  const label = await labelOfJob((caller) => verbs.createRecord(services(), caller, contacts, { id, ...fields, allow_duplicate: true }))
  expect(label).toBe(await readLabel(ada, posted))
  const row = await storedRow('crm_contacts', id)
  expect(row).toEqual(await storedRow('crm_contacts', posted.json().id))
  expect(row).toMatchObject({ company: 'Engines', mobile_phone_key: '+4930901820', lead_source: '', version: 1 })
})

test('a duplicate, a contact that reports to itself and a missing company are refused alike', async () => {
  const people = recordsOf(ada, '/api/contacts')
  const { id } = await people.add({ first_name: 'Ada', last_name: 'Byron', email: 'ada@example.org' })
  const refused = [
    { first_name: 'A', last_name: 'B', email: 'ADA@example.org' },
    { first_name: 'A', last_name: 'B', company_id: newId() },
  ]
  for (const body of refused) {
    const { code, matches, fields } = (await people.post('', body)).json()
    expect(await refusalOf((caller) => verbs.createRecord(services(), caller, contacts, body))).toEqual({
      code,
      ...(matches && { matches }),
      ...(fields && { fields }),
    })
  }
  const { code, fields } = (await people.patch(id, { reports_to_id: id })).json()
  expect(await refusalOf((caller) => verbs.updateRecord(services(), caller, contacts, id, { reports_to_id: id }))).toEqual({ code, fields })
})

test('an edit, a completion, a bulk edit, tags, a delete and a restore have the same labels and rows', async () => {
  const todo = recordsOf(ada, '/api/tasks')
  const [one, other] = [await todo.add({ title: 'Call' }), await todo.add({ title: 'Call' })]
  for (const patch of [{ title: 'Write' }, { status: 'completed' }, { status: 'pending' }] as const) {
    const label = await labelOfJob((caller) => verbs.updateRecord(services(), caller, tasks, other.id, patch))
    expect(label).toBe(await readLabel(ada, await todo.patch(one.id, patch)))
  }
  expect(await storedRow('tasks', other.id)).toEqual(await storedRow('tasks', one.id))

  const people = recordsOf(ada, '/api/contacts')
  const [ada1, ada2] = [await people.add({ first_name: 'A', last_name: 'B' }), await people.add({ first_name: 'A', last_name: 'B' })]
  const { id: company_id } = await recordsOf(ada, '/api/companies').add({ name: 'Engines' })
  const edited = await people.post('/bulk/edit', { ids: [ada1.id], fields: { company_id } })
  const label = await labelOfJob((caller) => verbs.updateRecords(services(), caller, contacts, { ids: [ada2.id] }, { company_id }))
  expect(label).toBe(await readLabel(ada, edited))
  const tags = { add: ['Fair'], remove: [] }
  const tagged = await people.post('/bulk/tag', { ids: [ada1.id], ...tags })
  expect(await labelOfJob((caller) => verbs.tagRecords(services(), caller, contacts, { ids: [ada2.id] }, tags))).toBe(
    await readLabel(ada, tagged),
  )
  const row = await storedRow('crm_contacts', ada2.id)
  expect(row).toEqual(await storedRow('crm_contacts', ada1.id))
  expect(row).toMatchObject({ company: 'Engines', tags: ['Fair'] })

  const deleted = await people.remove(ada1.id)
  expect(await labelOfJob((caller) => verbs.deleteRecord(services(), caller, contacts, ada2.id))).toBe(await readLabel(ada, deleted))
  await inJob((caller) => verbs.restoreRecord(services(), caller, ada2.id))
  expect(await people.get(ada2.id)).toMatchObject({ company: 'Engines', tags: ['Fair'] })
})
