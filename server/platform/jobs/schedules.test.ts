import { expect, test } from 'vitest'
import { openTestJobs } from '#server/testing/jobs.ts'
import type { Schedule } from './schedules.ts'

test('exactly one of several workers runs a schedule at each due time', async () => {
  await using queue = await openTestJobs()
  const runs: string[] = []
  const sweep: Schedule = { name: 'sweep', everySeconds: 3600, run: async () => runs.push(queue.now().toISOString()) }
  /** How often each worker has looked for due schedules. Each worker has a schedule for counting, which is due every second. */
  const rounds: number[] = [0, 0]
  const countRounds = (index: number): Schedule => ({
    name: `rounds of worker ${index}`,
    everySeconds: 1,
    run: async () => {
      rounds[index] = (rounds[index] ?? 0) + 1
      queue.advance(1)
    },
  })
  for (const index of [0, 1]) await queue.startWorker({ handlers: {}, schedules: [countRounds(index), sweep], roundMs: 20 })
  const waitForBothWorkers = async (): Promise<void> => {
    const before = [...rounds]
    await expect.poll(() => rounds.every((count, index) => count > (before[index] ?? 0))).toBe(true)
  }
  await expect.poll(() => runs).toHaveLength(1) // a schedule that has never run is due
  await waitForBothWorkers()
  expect(runs).toHaveLength(1)
  queue.advance(3500)
  await waitForBothWorkers()
  expect(runs).toHaveLength(1)
  queue.advance(100)
  await expect.poll(() => runs).toHaveLength(2)
  await waitForBothWorkers()
  await waitForBothWorkers()
  expect(runs).toHaveLength(2)
  // the clock of the test starts at 12:00, so the schedule ran at 12:00 and 13:00
  const { rows } = await queue.tableOwner.query(`select due_at from jobs.schedules where name = 'sweep'`)
  expect(rows).toEqual([{ due_at: new Date('2026-03-29T14:00:00Z') }])
})

test('a due schedule without work is not run, and nothing is written', async () => {
  await using queue = await openTestJobs()
  let hasWork = false
  let checks = 0
  let runs = 0
  const sweep: Schedule = { name: 'sweep', everySeconds: 1, hasWork: async () => (checks++, hasWork), run: async () => runs++ }
  await queue.startWorker({ handlers: {}, schedules: [sweep], roundMs: 20 })
  await expect.poll(() => checks).toBeGreaterThan(2)
  expect([runs, (await queue.tableOwner.query(`select from jobs.schedules where name = 'sweep'`)).rowCount]).toEqual([0, 0])
  hasWork = true
  await expect.poll(() => runs).toBe(1)
})

test('a failed run does not stop the worker, and a schedule that is still running is not started again', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  const loggedErrors: unknown[] = []
  let longRuns = 0
  let successfulRuns = 0
  const schedules: Schedule[] = [
    { name: 'fails', everySeconds: 60, run: () => Promise.reject(new Error('no luck')) },
    {
      name: 'long',
      everySeconds: 60,
      run: (signal) => {
        longRuns++
        return new Promise((done) => signal.addEventListener('abort', done))
      },
    },
    { name: 'succeeds', everySeconds: 60, run: async () => successfulRuns++ },
  ]
  const log = { info: () => {}, warn: () => {}, error: (...values: unknown[]) => void loggedErrors.push(values) }
  await queue.startWorker({ handlers: { job: async () => {} }, schedules, log, roundMs: 20 })
  await expect.poll(() => successfulRuns).toBe(1)
  queue.advance(60)
  await expect.poll(() => successfulRuns).toBe(2)
  const logged = [{ err: new Error('no luck'), schedule: 'fails' }, 'schedules: failed']
  await expect.poll(() => [longRuns, loggedErrors]).toEqual([1, [logged, logged]])
  await queue.addJob(ada, 'job')
  await expect.poll(queue.readJobs).toEqual([])
})

test.for([
  { fault: 'fails', hasWork: () => Promise.reject(new Error('no free connection')), logged: ['schedules: failed'] },
  { fault: 'never ends', hasWork: () => new Promise<boolean>(() => {}), logged: [] },
])('a schedule whose search for work $fault ends no job and delays neither jobs nor other schedules', async ({ hasWork, logged }) => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  const mayEnd = Promise.withResolvers<void>()
  const signals: AbortSignal[] = []
  const messages = new Set<unknown>()
  let runs = 0
  const worker = await queue.startWorker({
    handlers: { long: (_job, signal) => (signals.push(signal), mayEnd.promise), short: async () => {} },
    schedules: [
      { name: 'broken', everySeconds: 1, hasWork, run: async () => {} },
      { name: 'counter', everySeconds: 1, run: async () => (runs++, queue.advance(1)) },
    ],
    log: { info: () => {}, warn: () => {}, error: (_details: unknown, message?: unknown) => void messages.add(message) },
    roundMs: 20,
  })
  await queue.addJob(ada, 'long')
  await expect.poll(() => signals.length).toBe(1)
  await expect.poll(() => runs).toBeGreaterThan(5)
  await queue.addJob(ada, 'short')
  await expect.poll(async () => (await queue.readJobs()).map((job) => [job.type, job.taken_by])).toEqual([['long', 1]])
  expect([signals.map(({ aborted }) => aborted), [...messages]]).toEqual([[false], logged])
  mayEnd.resolve()
  await worker.stop(50) // a search that never ends would use the whole time
})

test('of the schedules that run at most once an hour, two run at the same time; others are not delayed', async () => {
  await using queue = await openTestJobs()
  const ends = new Map<string, () => void>()
  const started: string[] = []
  let frequentRuns = 0
  const rareSchedules = ['a', 'b', 'c', 'd'].map((name): Schedule => {
    const run = (): Promise<void> =>
      new Promise((resolve) => {
        started.push(name)
        ends.set(name, resolve)
      })
    return { name, everySeconds: name === 'd' ? 3600 : 86_400, run }
  })
  const frequent: Schedule = { name: 'frequent', everySeconds: 1, run: async () => (frequentRuns++, queue.advance(1)) }
  const waitForRounds = (): Promise<void> => {
    const before = frequentRuns
    return expect.poll(() => frequentRuns).toBeGreaterThan(before + 2)
  }
  await queue.startWorker({ handlers: {}, schedules: [...rareSchedules, frequent], roundMs: 20 })
  await expect.poll(() => started.toSorted()).toEqual(['a', 'b'])
  await waitForRounds()
  expect(started).toHaveLength(2)
  ends.get('a')?.()
  await expect.poll(() => started.slice(2)).toEqual(['c'])
  await waitForRounds()
  ends.get('b')?.()
  await expect.poll(() => started.slice(2)).toEqual(['c', 'd'])
  for (const name of ['c', 'd']) ends.get(name)?.()
})

test('a schedule that failed runs again after ten minutes, and then at its due times', async () => {
  await using queue = await openTestJobs()
  const runs: string[] = []
  let rounds = 0
  let isBroken = true
  const daily: Schedule = {
    name: 'daily',
    everySeconds: 86_400,
    run: async () => {
      runs.push(queue.now().toISOString().slice(5, 16))
      if (isBroken) throw new Error('no luck')
    },
  }
  // finds no work, so it shows that the worker has looked for due schedules
  const counter: Schedule = { name: 'counter', everySeconds: 1, hasWork: async () => (rounds++, false), run: async () => {} }
  await queue.startWorker({ handlers: {}, schedules: [daily, counter], roundMs: 20 })
  const advance = async (seconds: number): Promise<void> => {
    queue.advance(seconds)
    const before = rounds
    await expect.poll(() => rounds).toBeGreaterThan(before + 2)
  }
  await expect.poll(() => runs).toEqual(['03-29T12:00'])
  await advance(599)
  expect(runs).toHaveLength(1)
  isBroken = false
  queue.advance(1)
  await expect.poll(() => runs).toEqual(['03-29T12:00', '03-29T12:10'])
  await advance(11 * 3600)
  expect(runs).toHaveLength(2)
  queue.advance(3600)
  await expect.poll(() => runs).toEqual(['03-29T12:00', '03-29T12:10', '03-30T00:10'])
})

test('a schedule that ran while the clock was hours ahead runs again when the clock is right', async () => {
  await using queue = await openTestJobs()
  const runs: string[] = []
  let rounds = 0
  const schedules: Schedule[] = [
    { name: 'frequent', everySeconds: 60, run: async () => runs.push(queue.now().toISOString().slice(11, 19)) },
    { name: 'never', everySeconds: 3600, run: async () => runs.push('never') },
    { name: 'counter', everySeconds: 1, hasWork: async () => (rounds++, false), run: async () => {} },
  ]
  await queue.tableOwner.query(`insert into jobs.schedules (name, due_at) values ('never', 'infinity')`)
  await queue.startWorker({ handlers: {}, schedules, roundMs: 20 })
  await expect.poll(() => runs).toEqual(['12:00:00'])
  queue.advance(2 * 3600)
  await expect.poll(() => runs).toEqual(['12:00:00', '14:00:00'])
  queue.advance(-2 * 3600)
  await expect.poll(() => runs).toEqual(['12:00:00', '14:00:00', '12:00:00'])
  queue.advance(-30) // as the clock of another server, which is late: the next due time, 12:01, is still right
  const before = rounds
  await expect.poll(() => rounds).toBeGreaterThan(before + 2)
  expect(runs).toHaveLength(3)
})
