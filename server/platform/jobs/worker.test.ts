import { expect, test } from 'vitest'
import { actorOf } from '#contract/actors.ts'
import { openTestJobs } from '#server/testing/jobs.ts'
import { sql } from '../database/database.ts'
import { JobFailure } from './failure.ts'
import type { Job, Task } from './worker.ts'

/** A task whose jobs end when they are told to. */
function gate(): { task: Task; started: Job[]; running: () => number; most: () => number; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const started: Job[] = []
  let running = 0
  let most = 0
  const task: Task = async (job, signal) => {
    started.push(job)
    most = Math.max(most, ++running)
    const { promise: stopped, reject } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => reject(signal.reason))
    await Promise.race([promise, stopped]).finally(() => running--)
  }
  return { task, started, running: () => running, most: () => most, open: resolve }
}

test('a job is done soon after the request that asked for it, as its owner, and leaves nothing behind', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  const seen: unknown[] = []
  const greet: Task = async ({ owner, payload }) => {
    const [row] = await place.database.read({ owner, actor: actorOf('job', 'greet') }, () => sql('select app.owner() as owner'))
    seen.push([row?.['owner'], payload])
  }
  await place.work({ tasks: { greet } })
  await place.ask(ada, 'greet', { name: 'Ada' })
  await expect.poll(() => seen).toEqual([[ada, { name: 'Ada' }]])
  await expect.poll(place.jobs).toEqual([])
})

test('two hundred jobs of one owner do not delay the one of another', async () => {
  await using place = await openTestJobs()
  const [ada, grace] = [await place.newOwner(), await place.newOwner()]
  const order: string[] = []
  const crowd = gate()
  for (let count = 0; count < 200; count++) await place.ask(ada, 'crowd', { count })
  await place.ask(grace, 'mail')
  const mail: Task = async ({ owner }) => void order.push(`${owner} after ${crowd.started.length}`)
  await place.work({ slots: 4, tasks: { crowd: crowd.task, mail } })
  await expect.poll(() => order).toEqual([`${grace} after 1`])
  crowd.open()
  await expect.poll(place.jobs).toEqual([])
  expect(crowd.started).toHaveLength(200)
})

test('an owner may use all slots while nobody else waits, and others still find room', async () => {
  await using place = await openTestJobs()
  const [ada, grace, edsger] = [await place.newOwner(), await place.newOwner(), await place.newOwner()]
  const crowd = gate()
  const other = gate()
  await place.work({ slots: 4, tasks: { crowd: crowd.task, other: other.task } })
  for (let count = 0; count < 10; count++) await place.ask(ada, 'crowd')
  await expect.poll(crowd.running).toBe(4)
  await place.ask(ada, 'other')
  await expect.poll(other.running).toBe(1)
  await place.ask(ada, 'other')
  await place.ask(grace, 'crowd')
  await expect.poll(() => crowd.started.at(-1)?.owner).toBe(grace)
  await place.ask(edsger, 'crowd')
  crowd.open()
  other.open()
  await expect.poll(place.jobs).toEqual([])
  expect([crowd.most(), other.most()]).toEqual([5, 1])
})

test('what fails is tried five times, waits longer each time, and then fails with its sentence and without its payload', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  const tries: number[] = []
  const began = place.now().getTime()
  const fails: Task = async () => {
    tries.push((place.now().getTime() - began) / 1000)
    throw new Error(`The printer is on fire for the ${tries.length}th time`)
  }
  await place.work({ tasks: { fails, wake: async () => {} } })
  await place.ask(ada, 'fails', { secret: 'opensesame' })
  await expect.poll(() => tries.length).toBe(1)
  for (const seconds of [10, 20, 40, 80]) {
    await expect.poll(async () => (await place.jobs())[0]).toMatchObject({ taken_by: null, attempts: tries.length, failed_at: null })
    place.advance(seconds - 1)
    await place.ask(ada, 'wake')
    await expect.poll(async () => (await place.jobs()).length).toBe(1)
    place.advance(1)
    const before = tries.length
    await place.ask(ada, 'wake')
    await expect.poll(() => tries.length).toBe(before + 1)
  }
  await expect
    .poll(place.jobs)
    .toEqual([
      expect.objectContaining({ failed_at: place.now(), attempts: 5, error: 'The printer is on fire for the 5th time', payload: {} }),
    ])
  expect(tries).toEqual([0, 10, 30, 70, 150])
})

test('what cannot succeed fails at once with a reason, and may be asked for again', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  const refuses: Task = () => Promise.reject(new JobFailure('refused', 'There is no such mailbox'))
  await place.work({ tasks: { refuses } })
  for (let count = 0; count < 2; count++) await place.ask(ada, 'refuses', { link: 'https://foyer.test/secret' }, { key: 'once' })
  const failed = expect.objectContaining({ reason: 'refused', error: 'There is no such mailbox', attempts: 1, payload: {} })
  await expect.poll(place.jobs).toSatisfy((rows: unknown[]) => rows.length > 0)
  await expect.poll(place.jobs).toEqual(expect.arrayContaining([failed]))
})

test('asked for again while it runs, a job with a key runs once more with the new payload, never beside itself', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  const sync = gate()
  await place.work({ tasks: { sync: sync.task } })
  await place.ask(ada, 'sync', { round: 1 }, { key: 'calendar' })
  await expect.poll(sync.running).toBe(1)
  await place.ask(ada, 'sync', { round: 2 }, { key: 'calendar' })
  await place.ask(ada, 'sync', { round: 3 }, { key: 'calendar' })
  sync.open()
  await expect.poll(place.jobs).toEqual([])
  expect(sync.started.map(({ payload }) => payload)).toEqual([{ round: 1 }, { round: 3 }])
  expect(sync.most()).toBe(1)
})

test('a job waits for its time', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  const remind = gate()
  remind.open()
  await place.work({ tasks: { remind: remind.task, wake: async () => {} } })
  await place.ask(ada, 'remind', {}, { runAt: new Date(place.now().getTime() + 60_000) })
  await place.ask(ada, 'wake')
  await expect.poll(async () => (await place.jobs()).map(({ task }) => task)).toEqual(['remind'])
  expect(remind.started).toEqual([])
  place.advance(60)
  await expect.poll(() => remind.started.length).toBe(1) // found on a round, without a ring
})

test('a job of a task that this version does not know waits for one that does', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  await place.ask(ada, 'new')
  await place.ask(ada, 'old')
  const old = await place.work({ tasks: { old: async () => {} } })
  await expect.poll(async () => (await place.jobs()).map(({ task, attempts }) => [task, attempts])).toEqual([['new', 0]])
  await old.stop()
  await place.work({ tasks: { new: async () => {} } })
  await expect.poll(place.jobs).toEqual([])
})

test('a worker that stops gives its jobs back, without blame', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  const long = gate()
  const worker = await place.work({ tasks: { long: long.task } })
  await place.ask(ada, 'long', { keep: 'me' })
  await expect.poll(long.running).toBe(1)
  await worker.stop(3_600_000) // an hour for jobs that do not listen; this one does
  expect(await place.jobs()).toMatchObject([{ taken_by: null, attempts: 0, crashes: 0, error: null, payload: { keep: 'me' } }])
  await place.work({ tasks: { long: long.task } })
  await expect.poll(() => long.started.length).toBe(2)
})

test('a job that will not end does not hold up the stop, and is free to others', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  let starts = 0
  const deaf: Task = async () => {
    if (++starts === 1) await new Promise(() => {})
  }
  const worker = await place.work({ tasks: { deaf } })
  await place.ask(ada, 'deaf')
  await expect.poll(() => starts).toBe(1)
  await worker.stop(50)
  await place.work({ tasks: { deaf } })
  await expect.poll(place.jobs).toEqual([])
  expect(starts).toBe(2)
})
