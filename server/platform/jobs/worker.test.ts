import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openTestJobs, type RunJob } from '#server/testing/jobs.ts'
import { sql } from '../database/database.ts'
import { JobFailure, type Job } from './handler.ts'

/**
 * Creates a handler whose jobs run until `open` is called. `started`: the jobs that were started. `maxRunning`: the maximum number of
 * jobs that ran at the same time.
 */
function createGate(): { run: RunJob; started: Job[]; running: () => number; maxRunning: () => number; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const started: Job[] = []
  let running = 0
  let maxRunning = 0
  const run: RunJob = async (job, signal) => {
    started.push(job)
    maxRunning = Math.max(maxRunning, ++running)
    const { promise: stopped, reject } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => reject(signal.reason))
    await Promise.race([promise, stopped]).finally(() => running--)
  }
  return { run, started, running: () => running, maxRunning: () => maxRunning, open: resolve }
}

test('a job runs soon after the commit as the actor job:<type> in the workspace of its owner, and is then deleted', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  const calls: unknown[] = []
  const greet: RunJob = async ({ caller, payload }) => {
    const [row] = await queue.database.read(caller, () => sql(`select app.owner() as owner, current_setting('app.actor') as actor`))
    calls.push([row, payload])
  }
  await queue.startWorker({ handlers: { greet } })
  await queue.addJob(ada, 'greet', { name: 'Ada' })
  await expect.poll(() => calls).toEqual([[{ owner: ada, actor: 'job:greet' }, { name: 'Ada' }]])
  await expect.poll(queue.readJobs).toEqual([])
})

test('two hundred jobs of one owner do not delay the job of another', async () => {
  await using queue = await openTestJobs()
  const [ada, grace] = [await queue.newOwner(), await queue.newOwner()]
  const order: string[] = []
  const bulk = createGate()
  for (let count = 0; count < 200; count++) await queue.addJob(ada, 'bulk', { count })
  await queue.addJob(grace, 'mail')
  const mail: RunJob = async ({ owner }) => void order.push(`${owner} after ${bulk.started.length} jobs`)
  await queue.startWorker({ slots: 4, handlers: { bulk: bulk.run, mail } })
  await expect.poll(() => order).toEqual([`${grace} after 1 jobs`]) // Grace's job is the second one, after one job of Ada
  bulk.open()
  await expect.poll(queue.readJobs).toEqual([])
  expect(bulk.started).toHaveLength(200)
})

test('an owner may use all slots while no other owner waits, and the job of another owner then starts in an extra slot', async () => {
  await using queue = await openTestJobs()
  const [ada, grace, edsger] = [await queue.newOwner(), await queue.newOwner(), await queue.newOwner()]
  const bulk = createGate()
  const sync = createGate()
  await queue.startWorker({ slots: 4, handlers: { bulk: bulk.run, sync: sync.run } })
  for (let count = 0; count < 10; count++) await queue.addJob(ada, 'bulk')
  await expect.poll(bulk.running).toBe(4)
  await queue.addJob(ada, 'sync')
  await expect.poll(sync.running).toBe(1) // the first extra slot, for a type of which Ada has no running job
  await queue.addJob(ada, 'sync')
  await queue.addJob(grace, 'bulk')
  await expect.poll(() => bulk.started.at(-1)?.owner).toBe(grace) // the second extra slot, for an owner without a running job
  await queue.addJob(edsger, 'bulk')
  bulk.open()
  sync.open()
  await expect.poll(queue.readJobs).toEqual([])
  expect([bulk.maxRunning(), sync.maxRunning()]).toEqual([5, 1])
})

test('jobs of an account that is being deleted do not delay the results of the jobs of others', async () => {
  await using queue = await openTestJobs()
  const [ada, grace] = [await queue.newOwner(), await queue.newOwner()]
  const bulk = createGate()
  await queue.startWorker({ slots: 4, handlers: { bulk: bulk.run, mail: async () => {} } })
  for (let count = 0; count < 4; count++) await queue.addJob(ada, 'bulk')
  await expect.poll(bulk.running).toBe(4)
  const deletion = new pg.Client(queue.workerConnection)
  await deletion.connect()
  onTestFinished(() => deletion.end())
  await deletion.query('begin')
  await deletion.query(`select set_config('app.owner', $1, true)`, [ada])
  await deletion.query('select app.delete_account()')
  bulk.open()
  await expect.poll(bulk.running).toBe(0)
  await queue.addJob(grace, 'mail')
  await expect.poll(async () => (await queue.readJobs()).map(({ owner }) => owner)).toEqual([ada, ada, ada, ada])
  await deletion.query('commit')
  await expect.poll(queue.readJobs).toEqual([])
})

test('owners with waiting jobs of the same type are served round-robin', async () => {
  await using queue = await openTestJobs()
  const owners = [await queue.newOwner(), await queue.newOwner(), await queue.newOwner()]
  for (const owner of owners) for (let count = 0; count < 3; count++) await queue.addJob(owner, 'sync')
  const order: number[] = []
  await queue.startWorker({ slots: 1, handlers: { sync: async ({ owner }) => void order.push(owners.indexOf(owner)) } })
  await expect.poll(queue.readJobs).toEqual([])
  // one job runs in the slot and up to two in extra slots, so one owner may have started at most two jobs more than another
  for (const end of order.keys()) {
    const counts = owners.map((_, index) => order.slice(0, end + 1).filter((owner) => owner === index).length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(3)
  }
  expect(order).toHaveLength(9)
})

test('slow types with `maxRunning` do not delay other types', async () => {
  await using queue = await openTestJobs()
  const [ada, grace] = [await queue.newOwner(), await queue.newOwner()]
  const [model, mail] = [createGate(), createGate()]
  const done: string[] = []
  const sync: RunJob = async ({ owner }) => void done.push(owner)
  for (let count = 0; count < 10; count++) for (const type of ['model', 'mail']) await queue.addJob(ada, type)
  await queue.startWorker({
    slots: 1,
    handlers: { model: { run: model.run, maxRunning: 3 }, mail: { run: mail.run, maxRunning: 1 }, sync },
  })
  await expect.poll(() => [model.running(), mail.running()]).toEqual([2, 1]) // the third slot is for another owner
  await queue.addJob(ada, 'sync')
  await expect.poll(() => done).toEqual([ada])
  await queue.addJob(grace, 'model')
  await expect.poll(model.running).toBe(3)
  await queue.addJob(grace, 'sync')
  await expect.poll(() => done).toEqual([ada, grace])
  model.open()
  mail.open()
  await expect.poll(queue.readJobs).toEqual([])
  expect([model.maxRunning(), mail.maxRunning()]).toEqual([3, 1])
})

test('a failing job is retried with growing pauses for the time that its type sets, and then keeps its error but no payload', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  const attemptSeconds: number[] = []
  const startMs = queue.now().getTime()
  const fails: RunJob = async () => {
    attemptSeconds.push((queue.now().getTime() - startMs) / 1000)
    throw new Error(`The printer is on fire for the ${attemptSeconds.length}th time`)
  }
  await queue.startWorker({ handlers: { fails: { run: fails, retryForMinutes: 31 }, 'wake the worker': async () => {} } })
  await queue.addJob(ada, 'fails', { secret: 'opensesame' })
  await expect.poll(() => attemptSeconds.length).toBe(1)
  // `advance` alone does not wake the worker, so a job that does nothing is added after each change of the clock
  for (const seconds of [10, 20, 40, 80, 160, 320, 600, 600]) {
    await expect
      .poll(async () => (await queue.readJobs())[0])
      .toMatchObject({ taken_by: null, attempts: attemptSeconds.length, failed_at: null, payload: { secret: 'opensesame' } })
    queue.advance(seconds - 1)
    await queue.addJob(ada, 'wake the worker')
    await expect.poll(async () => (await queue.readJobs()).length).toBe(1)
    queue.advance(1)
    const before = attemptSeconds.length
    await queue.addJob(ada, 'wake the worker')
    await expect.poll(() => attemptSeconds.length).toBe(before + 1)
  }
  await expect
    .poll(queue.readJobs)
    .toEqual([
      expect.objectContaining({ failed_at: queue.now(), attempts: 9, error: 'The printer is on fire for the 9th time', payload: {} }),
    ])
  expect(attemptSeconds).toEqual([0, 10, 30, 70, 150, 310, 630, 1230, 1830])
})

test('a job of a type without `retryForMinutes` is retried for four hours, so it succeeds after an outage of three hours', async () => {
  await using queue = await openTestJobs()
  let isAvailable = false
  let attempts = 0
  const run: RunJob = async () => {
    attempts++
    if (!isAvailable) throw new Error('The service is not available')
  }
  await queue.startWorker({ handlers: { run, 'wake the worker': async () => {} } })
  const ada = await queue.newOwner()
  await queue.addJob(ada, 'run')
  await expect.poll(() => attempts).toBe(1)
  for (let minutes = 0; minutes < 180; minutes += 10) {
    await expect.poll(async () => (await queue.readJobs()).map((job) => [job.taken_by, job.attempts])).toEqual([[null, attempts]])
    const before = attempts
    queue.advance(600)
    await queue.addJob(ada, 'wake the worker')
    await expect.poll(() => attempts).toBe(before + 1)
  }
  await expect.poll(async () => (await queue.readJobs())[0]).toMatchObject({ taken_by: null, failed_at: null })
  isAvailable = true
  queue.advance(600)
  await expect.poll(queue.readJobs).toEqual([])
})

test('a job that cannot succeed fails immediately with a reason, and can be added again', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  const refuses: RunJob = () => Promise.reject(new JobFailure('refused', 'There is no such mailbox'))
  await queue.startWorker({ handlers: { refuses } })
  const add = () => queue.addJob(ada, 'refuses', { link: 'https://foyer.test/secret' }, { key: 'once' })
  const failed = expect.objectContaining({ reason: 'refused', error: 'There is no such mailbox', attempts: 1, payload: {} })
  await add()
  await expect.poll(queue.readJobs).toEqual([failed])
  await add()
  await expect.poll(queue.readJobs).toEqual([failed, failed])
})

test('a job whose key is added again while it is running runs once more afterwards with the latest payload', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  const sync = createGate()
  await queue.startWorker({ handlers: { sync: sync.run } })
  await queue.addJob(ada, 'sync', { round: 1 }, { key: 'calendar' })
  await expect.poll(sync.running).toBe(1)
  await queue.addJob(ada, 'sync', { round: 2 }, { key: 'calendar' })
  await queue.addJob(ada, 'sync', { round: 3 }, { key: 'calendar' })
  sync.open()
  await expect.poll(queue.readJobs).toEqual([])
  expect(sync.started.map(({ payload }) => payload)).toEqual([{ round: 1 }, { round: 3 }])
  expect(sync.maxRunning()).toBe(1)
})

test('a job does not start before it is due', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  const remind = createGate()
  remind.open()
  await queue.startWorker({ handlers: { remind: remind.run, 'wake the worker': async () => {} }, roundMs: 50 })
  await queue.addJob(ada, 'remind', {}, { runAt: new Date(queue.now().getTime() + 60_000) })
  await queue.addJob(ada, 'wake the worker')
  await expect.poll(async () => (await queue.readJobs()).map(({ type }) => type)).toEqual(['remind'])
  expect(remind.started).toEqual([])
  queue.advance(60)
  await expect.poll(() => remind.started.length).toBe(1) // the worker finds the job by polling, because nothing notifies it
})

test('a job of a type without a handler waits for a worker that has one', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  await queue.addJob(ada, 'new')
  await queue.addJob(ada, 'old')
  const firstWorker = await queue.startWorker({ handlers: { old: async () => {} } })
  await expect.poll(async () => (await queue.readJobs()).map(({ type, attempts }) => [type, attempts])).toEqual([['new', 0]])
  await firstWorker.stop()
  await queue.startWorker({ handlers: { new: async () => {} } })
  await expect.poll(queue.readJobs).toEqual([])
})

test('a worker that stops releases its jobs, and the attempt does not count', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  const long = createGate()
  const worker = await queue.startWorker({ handlers: { long: long.run } })
  await queue.addJob(ada, 'long', { keep: 'me' })
  await expect.poll(long.running).toBe(1)
  await worker.stop(3_600_000) // waits up to an hour for jobs that ignore the signal; this job ends immediately
  expect(await queue.readJobs()).toMatchObject([{ taken_by: null, attempts: 0, crashes: 0, error: null, payload: { keep: 'me' } }])
  await queue.startWorker({ handlers: { long: long.run } })
  await expect.poll(() => long.started.length).toBe(2)
})

test('a worker that stops releases a job that was locked at this moment', async () => {
  await using queue = await openTestJobs()
  await queue.addJob(await queue.newOwner(), 'mail')
  const bulk = createGate()
  const worker = await queue.startWorker({ handlers: { mail: bulk.run } })
  await expect.poll(bulk.running).toBe(1)
  const other = await queue.tableOwner.connect()
  await other.query('begin')
  await other.query('select from jobs.jobs for update')
  const stopped = worker.stop()
  await expect.poll(bulk.running).toBe(0)
  await sleep(200)
  await other.query('commit')
  other.release()
  await stopped
  expect(await queue.readJobs()).toMatchObject([{ taken_by: null, attempts: 0, crashes: 0 }])
})

test('a job that ignores the signal does not delay the stop, and can be taken by other workers', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  let starts = 0
  const endless: RunJob = async () => {
    if (++starts === 1) await new Promise(() => {})
  }
  const worker = await queue.startWorker({ handlers: { endless } })
  await queue.addJob(ada, 'endless')
  await expect.poll(() => starts).toBe(1)
  await worker.stop(50)
  expect(await queue.readJobs()).toMatchObject([{ taken_by: null, attempts: 0, crashes: 0 }])
  await queue.startWorker({ handlers: { endless } })
  await expect.poll(queue.readJobs).toEqual([])
  expect(starts).toBe(2)
})
