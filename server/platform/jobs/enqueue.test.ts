import { beforeAll, afterAll, expect, test } from 'vitest'
import { openTestJobs, type TestJobs } from '#server/testing/jobs.ts'
import { newId } from '../database/uuid.ts'
import { sql } from '../database/database.ts'
import { callerFor } from '../database/transaction.ts'
import { enqueue } from './enqueue.ts'

let place: TestJobs
let ada: string
beforeAll(async () => {
  place = await openTestJobs()
  ada = await place.newOwner()
})
afterAll(() => place[Symbol.asyncDispose]())

const caller = () => callerFor(ada)
const jobsOf = async (task: string) => (await place.jobs()).filter((job) => job.task === task)

test('work that was asked for in a request that failed is never done', async () => {
  const request = place.database.transaction(caller(), 'Fails', async () => {
    await enqueue('gone', { to: 'nobody' })
    throw new Error('changed my mind')
  })
  await expect(request).rejects.toThrow('changed my mind')
  expect(await jobsOf('gone')).toEqual([])
})

test('the job is in the name of the owner who asked, whatever the payload says', async () => {
  await place.ask(ada, 'named', { owner: newId() })
  expect(await jobsOf('named')).toEqual([expect.objectContaining({ owner: ada })])
})

test('nobody can ask without an owner, outside a transaction or while reading', async () => {
  await expect(place.application.query(`select jobs.enqueue('mail', '{}', null, null)`)).rejects.toThrow(/null value in column "owner"/)
  await expect(enqueue('outside', {})).rejects.toThrow('outside a transaction')
  await expect(place.database.read(caller(), () => enqueue('reading', {}))).rejects.toThrow('read-only')
})

test.each([
  'select payload from jobs.jobs',
  `insert into jobs.jobs (owner, task, payload) values (gen_random_uuid(), 'mail', '{}')`,
  'update jobs.jobs set failed_at = now()',
  'delete from jobs.jobs',
  'select due_at from jobs.clocks',
  `select nextval('jobs.workers')`,
  'select jobs.is_alive(1)',
])('the application may not: %s', async (statement) => {
  await expect(place.database.transaction(caller(), 'Tries', () => sql(statement))).rejects.toThrow('permission denied')
})

test('asks with the same key are one job with the latest payload and the earliest time', async () => {
  const grace = await place.newOwner()
  await place.ask(ada, 'sync', { round: 1 }, { key: 'calendar', runAt: new Date('2026-03-30') })
  await place.ask(ada, 'sync', { round: 2 }, { key: 'calendar' })
  await place.ask(ada, 'sync', { round: 3 }, { key: 'calendar', runAt: new Date('2026-03-31') })
  await place.ask(grace, 'sync', { round: 9 }, { key: 'calendar' })
  const rows = await place.owner.query(`select owner, payload, run_at::text from jobs.jobs where task = 'sync' order by id`)
  expect(rows.rows).toEqual([
    { owner: ada, payload: { round: 3 }, run_at: '-infinity' },
    { owner: grace, payload: { round: 9 }, run_at: '-infinity' },
  ])
})

test('the jobs of an account go with it', async () => {
  const edsger = await place.newOwner()
  await place.ask(edsger, 'left', {})
  await place.owner.query('delete from users where id = $1', [edsger])
  expect(await jobsOf('left')).toEqual([])
})
