// The cost of taking a job, in rows that PostgreSQL reads, must not depend on the number of waiting jobs or owners.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestJobs, type TestJobs } from '#server/testing/jobs.ts'
import { openLease, type Lease } from '../database/lease.ts'
import { preparePlans, markDueJobsReady, takeJob } from './store.ts'

let queue: TestJobs
let lease: Lease
beforeAll(async () => {
  queue = await openTestJobs()
  lease = await openLease({ connection: queue.workerConnection, channel: 'jobs', onNotification: () => {} })
  await preparePlans(lease.client)
  await queue.tableOwner.query(
    `insert into users (id, email, password_hash) select gen_random_uuid(), n || '@example.org', '' from generate_series(1, 1000) n`,
  )
})
afterAll(async () => {
  await lease.close()
  await queue[Symbol.asyncDispose]()
})

/** Two types of jobs of which any number may run. */
const freeTypes = ['mail', 'sync'].map((type) => ({ type, lastOwner: undefined, maxOfOwner: Infinity, maxOfOwnerAndType: Infinity }))

/** Adds a hundred jobs for each of the first owners. `runAt`: "-infinity" for jobs that are due now. */
async function addJobs(owners: number, runAt: string): Promise<void> {
  await queue.tableOwner.query(
    `insert into jobs.jobs (owner, type, payload, run_at) select id, 'mail', '{}', $2 from (select id from users order by id limit $1) u, generate_series(1, 100)`,
    [owners, runAt],
  )
}

/** Runs `work` in a transaction that is rolled back. Returns the number of rows that `work` read from the queue. */
async function countReadRows(work: () => Promise<unknown>): Promise<number> {
  await lease.client.query('begin')
  await work()
  const { rows } = await lease.client.query<{ read: number }>(
    `select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_all_tables where relid = 'jobs.jobs'::regclass`,
  )
  await lease.client.query('rollback')
  return rows[0]?.read ?? 0
}

const take = () => takeJob(lease.client, lease.number, queue.now(), { freeTypes, excludedIds: [] })
// the next three functions run one step of a worker and check its result
const takeOne = async (): Promise<unknown> => expect(await take()).toBeDefined()
const expectNoReadyJob = async (): Promise<unknown> => expect(await take()).toBeUndefined()
const expectNoDueJob = async (): Promise<unknown> => expect(await markDueJobsReady(lease.client, queue.now())).toBe(0)

test('a hundred thousand jobs that are not due yet are not read', async () => {
  for (let attempt = 0; attempt < 10; attempt++) await expectNoReadyJob() // PostgreSQL now caches a plan for an empty queue
  await addJobs(1000, '2099-01-01')
  expect(await countReadRows(expectNoReadyJob)).toBe(0)
  expect(await countReadRows(expectNoDueJob)).toBe(0)
})

test('taking the first of a hundred thousand due jobs reads no more rows than taking the first of a hundred', async () => {
  await addJobs(1, '-infinity')
  const rowsOfHundred = await countReadRows(takeOne)
  await addJobs(1000, '-infinity')
  expect(await countReadRows(takeOne)).toBeLessThan(rowsOfHundred + 10)
  await queue.tableOwner.query('analyze jobs.jobs')
  expect(await countReadRows(takeOne)).toBeLessThan(rowsOfHundred + 10)
})

test('with running jobs of ten owners, taking the next of a hundred thousand jobs reads fewer than three hundred rows', async () => {
  for (let count = 0; count < 10; count++) await takeOne()
  const { rows } = await queue.tableOwner.query('select count(distinct owner)::int as owners from jobs.jobs where taken_by is not null')
  expect(rows).toEqual([{ owners: 10 }])
  expect(await countReadRows(takeOne)).toBeLessThan(300)
})
