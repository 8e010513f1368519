import { beforeAll, afterAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openTestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'
import { openTestJobs, type TestJobs } from '#server/testing/jobs.ts'
import { newId } from '../database/uuid.ts'
import { sql } from '../database/database.ts'
import { callerFor } from '../database/transaction.ts'
import { defineJobType, enqueue, forgetFailures } from './enqueue.ts'
import { startWorker } from './worker.ts'

let queue: TestJobs
let ada: string
beforeAll(async () => {
  queue = await openTestJobs()
  ada = await queue.newOwner()
})
afterAll(() => queue[Symbol.asyncDispose]())

const caller = () => callerFor(ada)
/** Returns the jobs of a type in the queue, also those that have failed. */
const jobsOf = async (type: string) => (await queue.readJobs()).filter((job) => job.type === type)
/** Defines a type of job with any payload. */
const anyJob = (name: string) => defineJobType(name, z.record(z.string(), z.unknown()))

test('a job added in a transaction that is rolled back does not exist', async () => {
  const transaction = queue.database.transaction(caller(), 'Fails', async () => {
    await enqueue(anyJob('gone'), { to: 'nobody' })
    throw new Error('changed my mind')
  })
  await expect(transaction).rejects.toThrow('changed my mind')
  expect(await jobsOf('gone')).toEqual([])
})

test('a job belongs to the owner of the transaction, even if its payload names another owner', async () => {
  await queue.addJob(ada, 'named', { owner: newId() })
  expect(await jobsOf('named')).toEqual([expect.objectContaining({ owner: ada })])
})

test('a job cannot be added without an owner, outside a transaction, or in a read', async () => {
  await expect(queue.application.query(`select jobs.enqueue('mail', '{}', null, null)`)).rejects.toThrow(/null value in column "owner"/)
  await expect(enqueue(anyJob('outside'), {})).rejects.toThrow('outside a transaction')
  await expect(queue.database.read(caller(), () => enqueue(anyJob('reading'), {}))).rejects.toThrow('read-only')
})

// these statements run as the role of the application, which may change the queue only through `jobs.enqueue`
test.each([
  'select payload from jobs.jobs',
  `insert into jobs.jobs (owner, type, payload) values (gen_random_uuid(), 'mail', '{}')`,
  'update jobs.jobs set failed_at = now()',
  'delete from jobs.jobs',
  'select due_at from jobs.schedules',
  `select nextval('jobs.workers')`,
  'select jobs.is_alive(1)',
])('the application has no right to run: %s', async (statement) => {
  await expect(queue.database.transaction(caller(), 'Tries', () => sql(statement))).rejects.toThrow('permission denied')
})

test('jobs of an owner with the same key are one job with the latest payload and the earliest time', async () => {
  const grace = await queue.newOwner()
  await queue.addJob(ada, 'sync', { round: 1 }, { key: 'calendar', runAt: new Date('2026-03-30') })
  await queue.addJob(ada, 'sync', { round: 2 }, { key: 'calendar' })
  await queue.addJob(ada, 'sync', { round: 3 }, { key: 'calendar', runAt: new Date('2026-03-31') })
  await queue.addJob(grace, 'sync', { round: 9 }, { key: 'calendar' })
  const rows = await queue.tableOwner.query(`select owner, payload, run_at::text from jobs.jobs where type = 'sync' order by id`)
  expect(rows.rows).toEqual([
    { owner: ada, payload: { round: 3 }, run_at: '-infinity' }, // at once
    { owner: grace, payload: { round: 9 }, run_at: '-infinity' },
  ])
})

test('`forgetFailures` resets the attempts and crashes of one job and keeps those of other jobs', async () => {
  const long = anyJob('long')
  for (const key of ['one', 'two']) await queue.addJob(ada, 'long', {}, { key })
  await queue.tableOwner.query(`update jobs.jobs set attempts = 5, crashes = 9 where type = 'long'`)
  await queue.database.transaction(caller(), 'Did a part', () => forgetFailures(long, 'one'))
  expect((await jobsOf('long')).map(({ attempts, crashes }) => [attempts, crashes])).toEqual(
    expect.arrayContaining([
      [0, 0],
      [5, 9],
    ]),
  )
})

test('deleting an account deletes its jobs, except those of a type with `outlivesAccount`', async () => {
  const app = await openTestApp()
  const grace = await signInAs(app, 'grace')
  const purge = defineJobType('purge', z.object({ folder: z.string() }), { outlivesAccount: true })
  await app.database.transaction(callerFor(grace.id), 'Added jobs', () =>
    Promise.all([enqueue(anyJob('of the account'), {}), enqueue(purge, { folder: grace.id })]),
  )
  const deleted = await grace.send({ method: 'POST', url: '/api/account/delete', payload: { password: 'engine no. 1' } })
  expect(deleted.statusCode).toBe(204)
  const done: unknown[] = []
  const worker = await startWorker({
    pool: app.tableOwner,
    leaseConnection: app.connections.tableOwner,
    handlers: ['of the account', 'purge'].map((type) => ({
      type,
      run: async ({ owner, payload }) => void done.push([type, owner, payload]),
    })),
    schedules: [],
    log: app.server.log,
  })
  await expect.poll(async () => (await app.tableOwner.query('select from jobs.jobs')).rowCount).toBe(0)
  expect(done).toEqual([['purge', grace.id, { folder: grace.id }]])
  await worker.stop()
  await app.stop()
})

test('deleting a row of the users table deletes the jobs of the user', async () => {
  const edsger = await queue.newOwner()
  await queue.addJob(edsger, 'left', {})
  await queue.tableOwner.query('delete from users where id = $1', [edsger])
  expect(await jobsOf('left')).toEqual([])
})
